package import Bytes
import ISOBMFF

/// `stco`, or `co64` where an offset needs 64 bits: the file offset of each chunk (ISO/IEC 14496-12, 8.7.5).
/// In `stbl`.
package struct ChunkOffsetBox: Box {
    package static var type: FourCC { "stco" }
    static var longType: FourCC { "co64" }

    package var offsets: [UInt64]

    private var isLong: Bool { offsets.contains { $0 > UInt32.max } }
    package var type: FourCC { isLong ? Self.longType : Self.type }
}

extension ChunkOffsetBox {
    /// Reads `stco`.
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        offsets = try reader.countedTable(entrySize: 4) { (entry) throws(ParseError) in try entry.versioned(0) }
    }

    /// Reads `co64`.
    init(long payload: ByteReader) throws(ParseError) {
        var reader = payload
        _ = try reader.fullBoxHeader()
        offsets = try reader.countedTable(entrySize: 8) { (entry) throws(ParseError) in try entry.integer() }
        try reader.finishPadded()
    }

    package func write(to writer: inout ByteWriter) {
        let version: UInt8 = isLong ? 1 : 0
        writer.fullBoxHeader()
        writer.count(offsets)
        for offset in offsets { writer.versioned(offset, version) }
    }
}
