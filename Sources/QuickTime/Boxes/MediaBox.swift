package import Bytes
import ISOBMFF

/// `mdia`: the media of a track (ISO/IEC 14496-12, 8.4.1). In `trak`.
package struct MediaBox: Box {
    package static var type: FourCC { "mdia" }

    package var header: MediaHeaderBox
    /// The kind of media.
    package var handler: HandlerBox
    package var information: MediaInformationBox
    package var others: [OpaqueBox] = []
}

extension MediaBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        var header: MediaHeaderBox?
        var handler: HandlerBox?
        var information: MediaInformationBox?
        while let child = try reader.nextBox() {
            switch child.type {
            case MediaHeaderBox.type where header == nil: header = try child.read()
            case HandlerBox.type where handler == nil: handler = try child.read()
            case MediaInformationBox.type where information == nil: information = try child.read()
            default: others.append(OpaqueBox(child))
            }
        }
        guard let header else { throw reader.missing(MediaHeaderBox.type) }
        guard let handler else { throw reader.missing(HandlerBox.type) }
        guard let information else { throw reader.missing(MediaInformationBox.type) }
        self.header = header
        self.handler = handler
        self.information = information
    }

    package func write(to writer: inout ByteWriter) {
        writer.box(header)
        writer.box(handler)
        writer.box(information)
        writer.boxes(others)
    }
}
