package import Bytes
import ISOBMFF

/// `stsc`: the number of samples in each chunk, in runs of chunks (ISO/IEC 14496-12, 8.7.4). In `stbl`.
package struct SampleToChunkBox: Box {
    package static var type: FourCC { "stsc" }

    package struct Entry: Sendable, Hashable {
        /// The first chunk of the run, counted from 1; the run ends where the next one begins.
        package var firstChunk: UInt32
        package var samplesPerChunk: UInt32
        /// The entry of `stsd`, counted from 1.
        package var descriptionIndex: UInt32
    }

    package var entries: [Entry]

    /// - Parameter samplesPerChunk: of each chunk.
    init(samplesPerChunk: [UInt32]) {
        entries = []
        var firstChunk: UInt32 = 1
        for run in runs(samplesPerChunk) {
            entries.append(Entry(firstChunk: firstChunk, samplesPerChunk: run.value, descriptionIndex: 1))
            firstChunk += run.count
        }
    }
}

extension SampleToChunkBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        _ = try reader.fullBoxHeader()
        entries = try reader.countedTable(entrySize: 12) { (entry) throws(ParseError) in
            Entry(
                firstChunk: try entry.integer(), samplesPerChunk: try entry.integer(),
                descriptionIndex: try entry.integer())
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.fullBoxHeader()
        writer.count(entries)
        for entry in entries {
            writer.integer(entry.firstChunk)
            writer.integer(entry.samplesPerChunk)
            writer.integer(entry.descriptionIndex)
        }
    }
}
