package import ISOBMFF

/// `gmin`: compositing and balance of media that is neither video nor sound (QuickTime File Format, "Base media
/// info atoms"). In `gmhd`.
package struct BaseMediaInformationBox: Box {
    package static var type: FourCC { "gmin" }

    package var compositing: Compositing = .ditherCopy
    /// 8.8 fixed point.
    package var balance: Int16 = 0
}

extension BaseMediaInformationBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        compositing = try Compositing(from: &reader)
        balance = try reader.integer()
        try reader.skip(2)
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        compositing.write(to: &writer)
        writer.integer(balance)
        writer.zeros(2)
    }
}
