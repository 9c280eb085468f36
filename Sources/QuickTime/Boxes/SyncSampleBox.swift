package import Bytes
import ISOBMFF

/// `stss`: the samples at which decoding can begin (ISO/IEC 14496-12, 8.6.2). In `stbl`; absent if all are.
package struct SyncSampleBox: Box {
    package static var type: FourCC { "stss" }

    /// Counted from 1, ascending.
    package var sampleNumbers: [UInt32]
}

extension SyncSampleBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        sampleNumbers = try reader.countedTable(entrySize: 4) { (entry) throws(ParseError) in try entry.integer() }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.count(sampleNumbers)
        for number in sampleNumbers { writer.integer(number) }
    }
}
