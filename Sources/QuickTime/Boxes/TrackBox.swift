package import Bytes
import ISOBMFF

/// `trak`: one track (ISO/IEC 14496-12, 8.3.1). In `moov`.
package struct TrackBox: Box {
    package static var type: FourCC { "trak" }

    package var header: TrackHeaderBox
    /// `tapt`.
    package var aperture: OpaqueBox?
    package var edit: EditBox?
    package var references: TrackReferenceBox?
    package var media: MediaBox
    package var others: [OpaqueBox] = []
}

extension TrackBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        var header: TrackHeaderBox?
        var media: MediaBox?
        while let child = try reader.nextBox() {
            switch child.type {
            case TrackHeaderBox.type where header == nil: header = try child.read()
            case "tapt" where aperture == nil: aperture = OpaqueBox(child)
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
