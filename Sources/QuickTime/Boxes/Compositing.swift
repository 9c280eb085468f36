package import Bytes

/// QuickDraw's transfer mode and its colour, which `vmhd` and `gmin` hold.
package struct Compositing: Sendable, Hashable {
    /// Mode 0x40 and grey: what Apple's writers put into every track.
    package static let ditherCopy = Compositing(graphicsMode: 0x40, red: 0x8000, green: 0x8000, blue: 0x8000)

    package var graphicsMode: UInt16
    package var red: UInt16
    package var green: UInt16
    package var blue: UInt16
}

extension Compositing {
    package init(from reader: inout ByteReader) throws(ParseError) {
        graphicsMode = try reader.integer()
        red = try reader.integer()
        green = try reader.integer()
        blue = try reader.integer()
    }

    package func write(to writer: inout ByteWriter) {
        for field in [graphicsMode, red, green, blue] { writer.integer(field) }
    }
}
