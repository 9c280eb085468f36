package import Bytes
import ISOBMFF

/// `stts`: the duration of each sample in decode order, in runs (ISO/IEC 14496-12, 8.6.1.2). In `stbl`.
package struct TimeToSampleBox: Box {
    package static var type: FourCC { "stts" }

    package struct Entry: Sendable, Hashable {
        package var count: UInt32
        /// In ticks of the media's timescale.
        package var duration: UInt32
    }

    package var entries: [Entry]

    /// A table of one run.
    init(count: UInt32, duration: UInt32) {
        entries = [Entry(count: count, duration: duration)]
    }

    init(durations: [UInt32]) {
        entries = runs(durations).map { Entry(count: $0.count, duration: $0.value) }
    }
}

extension TimeToSampleBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        entries = try reader.countedTable(entrySize: 8) { (entry) throws(ParseError) in
            Entry(count: try entry.integer(), duration: try entry.integer())
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.count(entries)
        for entry in entries {
            writer.integer(entry.count)
            writer.integer(entry.duration)
        }
    }
}

/// The runs of equal values in `values`.
func runs<Value: Equatable>(_ values: [Value]) -> [(count: UInt32, value: Value)] {
    var runs: [(count: UInt32, value: Value)] = []
    for value in values {
        if let last = runs.last, last.value == value {
            runs[runs.count - 1].count += 1
        } else {
            runs.append((1, value))
        }
    }
    return runs
}
