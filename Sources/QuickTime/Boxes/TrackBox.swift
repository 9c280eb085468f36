package import ISOBMFF

/// `trak`: one track (ISO/IEC 14496-12, 8.3.1). In `moov`.
package struct TrackBox: Box {
    package static var type: FourCC { "trak" }

    package var header: TrackHeaderBox
    package var aperture: TrackApertureBox?
    package var edit: EditBox?
    package var references: TrackReferenceBox?
    package var media: MediaBox
    package var others: [OpaqueBox] = []

    package init(
        header: TrackHeaderBox, aperture: TrackApertureBox? = nil, edit: EditBox?, references: TrackReferenceBox? = nil,
        media: MediaBox
    ) {
        self.header = header
        self.aperture = aperture
        self.edit = edit
        self.references = references
        self.media = media
    }
}

extension TrackBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        var header: TrackHeaderBox?
        var media: MediaBox?
        while let child = try reader.nextBox() {
            switch child.type {
            case TrackHeaderBox.type where header == nil: header = try child.read()
            case TrackApertureBox.type where aperture == nil: aperture = try child.read()
            case EditBox.type where edit == nil: edit = try child.read()
            case TrackReferenceBox.type where references == nil: references = try child.read()
            case MediaBox.type where media == nil: media = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
        guard let header else { throw reader.missing(TrackHeaderBox.type) }
        guard let media else { throw reader.missing(MediaBox.type) }
        self.header = header
        self.media = media
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(header)
        writer.box(aperture)
        writer.box(edit)
        writer.box(references)
        writer.box(media)
        writer.boxes(others)
    }
}
