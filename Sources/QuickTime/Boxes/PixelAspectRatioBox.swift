package import Bytes
import ISOBMFF

/// `pasp`: the shape of a pixel (ISO/IEC 14496-12, 12.1.4). In a visual sample entry; absent for square pixels.
package struct PixelAspectRatioBox: Box {
    package static var type: FourCC { "pasp" }

    package var horizontalSpacing: UInt32
    package var verticalSpacing: UInt32
}

extension PixelAspectRatioBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        horizontalSpacing = try reader.integer()
        verticalSpacing = try reader.integer()
    }

    package func write(to writer: inout ByteWriter) {
        writer.integer(horizontalSpacing)
        writer.integer(verticalSpacing)
    }
}
