package import Bytes
package import MediaModel

/// Width and height in 16.16 fixed point, as in `tkhd` and `tapt`.
package struct FixedSize: Sendable, Hashable {
    package static let zero = FixedSize(width: 0, height: 0)

    package var width: UInt32
    package var height: UInt32

    /// Rounded to whole pixels.
    package var pixelSize: PixelSize {
        PixelSize(width: (Int(width) + 0x8000) >> 16, height: (Int(height) + 0x8000) >> 16)
    }
}

extension FixedSize {
    /// - Parameter size: each edge at most 65535.
    package init(_ size: PixelSize) {
        width = UInt32(UInt16(clamping: size.width)) << 16
        height = UInt32(UInt16(clamping: size.height)) << 16
    }

    package init(from reader: inout ByteReader) throws(ParseError) {
        width = try reader.integer()
        height = try reader.integer()
    }

    package func write(to writer: inout ByteWriter) {
        writer.integer(width)
        writer.integer(height)
    }
}
