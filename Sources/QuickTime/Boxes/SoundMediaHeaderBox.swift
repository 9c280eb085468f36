package import ISOBMFF

/// `smhd`: the balance of sound (ISO/IEC 14496-12, 12.2.2). In `minf`.
package struct SoundMediaHeaderBox: Box {
    package static var type: FourCC { "smhd" }

    /// 8.8 fixed point: -1 left, 0 centre, 1 right.
    package var balance: Int16 = 0
}

extension SoundMediaHeaderBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        balance = try reader.integer()
        try reader.skip(2)
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.integer(balance)
        writer.zeros(2)
    }
}
