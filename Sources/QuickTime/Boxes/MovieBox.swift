package import Bytes
import ISOBMFF

/// `moov`: the description of the movie (ISO/IEC 14496-12, 8.2.1). At the top level.
package struct MovieBox: Box {
    package static var type: FourCC { "moov" }

    package var header: MovieHeaderBox
    package var tracks: [TrackBox] = []
    package var metadata: MetadataBox?
    /// Includes each `trak` and `meta` that cannot be read, which is written unchanged.
    package var others: [OpaqueBox] = []

    /// The `trak` and `meta` boxes in `others` that cannot be read, and why.
    package var unreadableBoxes: [UnreadableBox] {
        others.compactMap { box in
            switch box.type {
            case TrackBox.type: UnreadableBox(box, as: TrackBox.self)
            case MetadataBox.type: UnreadableBox(box, as: MetadataBox.self)
            default: nil
            }
        }
    }
}

extension MovieBox {
    /// `cmov`: a compressed `moov` (QuickTime File Format, "Compressed movie resources").
    private static let compressedType: FourCC = "cmov"

    package init(from reader: inout ByteReader) throws(ParseError) {
        var header: MovieHeaderBox?
        while let child = try reader.nextBox() {
            if child.type == TrackBox.type, let track = try? child.read(TrackBox.self) {
                tracks.append(track)
                continue
            }
            if child.type == MetadataBox.type, metadata == nil {
                metadata = try? child.read()
                if metadata != nil { continue }
            }
            switch child.type {
            case MovieHeaderBox.type where header == nil: header = try child.read()
            // Some camera movies have an empty `meta` followed by its children.
            case HandlerBox.type where metadata != nil && metadata?.handler == nil:
                metadata?.handler = try child.read()
            case MetadataKeysBox.type where metadata != nil && metadata?.keys == nil:
                metadata?.keys = try child.read()
            case MetadataItemListBox.type where metadata != nil && metadata?.itemList == nil:
                metadata?.itemList = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
        guard let header else {
            guard others.contains(where: { $0.type == Self.compressedType }) else {
                throw reader.missing(MovieHeaderBox.type)
            }
            throw reader.error(
                .unsupported,
                expected: "a movie header that is not compressed; save the movie again, such as with ffmpeg -c copy")
        }
        self.header = header
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(header)
        writer.boxes(tracks)
        writer.box(metadata)
        writer.boxes(others)
    }
}
