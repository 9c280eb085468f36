package import Bytes

/// `moov`: all that describes the movie (ISO/IEC 14496-12, 8.2.1). At the top level.
package struct MovieBox: Box {
    package static var type: FourCC { "moov" }

    package var header: MovieHeaderBox
    package var tracks: [TrackBox] = []
    package var metadata: MetadataBox?
    package var others: [OpaqueBox] = []

    package init(header: MovieHeaderBox, tracks: [TrackBox] = [], metadata: MetadataBox? = nil) {
        self.header = header
        self.tracks = tracks
        self.metadata = metadata
    }
}

extension MovieBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        var header: MovieHeaderBox?
        while let child = try reader.nextBox() {
            switch child.type {
            case MovieHeaderBox.type where header == nil: header = try child.read()
            case TrackBox.type: tracks.append(try child.read())
            case MetadataBox.type where metadata == nil: metadata = try child.read()
            // Some camera movies have an empty `meta` and its children behind it.
            case HandlerBox.type where metadata?.lacksHandler == true: metadata?.handler = try child.read()
            case MetadataKeysBox.type where metadata?.lacksKeys == true: metadata?.keys = try child.read()
            case MetadataItemListBox.type where metadata?.lacksItems == true: metadata?.itemList = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
        guard let header else { throw reader.missing(MovieHeaderBox.type) }
        self.header = header
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(header)
        writer.boxes(tracks)
        writer.box(metadata)
        writer.boxes(others)
    }
}
