package import Bytes
import ISOBMFF

/// `ctts`: composition time minus decode time of each sample, in runs (ISO/IEC 14496-12, 8.6.1.3). In `stbl`; absent
/// if decode order is presentation order.
package struct CompositionOffsetBox: Box {
    package static var type: FourCC { "ctts" }

    package struct Entry: Sendable, Hashable {
        package var count: UInt32
        /// In ticks of the media's timescale.
        package var offset: Int32
    }

    /// In ISO files version 1 means that offsets are signed; QuickTime movies write signed ones with version 0.
    package var version: UInt8 = 0
    package var entries: [Entry]

    /// - Parameter offsets: the offset of each sample, none negative.
    init(offsets: [Int32]) {
        entries = runs(offsets).map { Entry(count: $0.count, offset: $0.value) }
    }
}

extension CompositionOffsetBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        version = try reader.fullBoxHeader(latest: 1).version
        entries = try reader.countedTable(entrySize: 8) { (entry) throws(ParseError) in
            Entry(count: try entry.integer(), offset: try entry.integer())
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader(version: version)
        writer.count(entries)
        for entry in entries {
            writer.integer(entry.count)
            writer.integer(entry.offset)
        }
    }
}
