import Bytes
import MediaModel

/// The samples of a track in decode order.
///
/// The tables are checked once, by their entries, and expanded only while iterating: a small file can claim four
/// billion samples.
package struct SampleSequence: Sequence, Sendable {
    /// How many there are; of uniform samples no more than the file has room for.
    package let count: Int
    package let timeline: TrackTimeline
    let table: SampleTableBox
    let timescale: Int32

    init(of track: Track, fileSize: Int) throws(ParseError) {
        table = track.box.media.information.sampleTable
        timeline = try track.timeline()
        timescale = try track.timescale
        count = table.sampleSizes.count
        guard count > 0 else { return }
        let check = SampleTableCheck(track: track, table: table, count: count)
        try check.sizes(fileSize: fileSize)
        try check.times(timescale: timescale)
        try check.chunks()
    }

    package var underestimatedCount: Int { count }

    package func makeIterator() -> SampleIterator {
        SampleIterator(self)
    }
}

/// Expands the tables, which are known to cover all samples.
package struct SampleIterator: IteratorProtocol {
    private let sequence: SampleSequence
    private var index = 0
    private var decodeTicks: Int64 = 0
    private var durations: RunCursor
    private var offsets: RunCursor
    private var nextSync = 0
    private var chunks: ChunkCursor

    fileprivate init(_ sequence: SampleSequence) {
        self.sequence = sequence
        durations = RunCursor()
        offsets = RunCursor()
        chunks = ChunkCursor()
    }

    package mutating func next() -> Sample? {
        let table = sequence.table
        guard index < sequence.count else { return nil }
        let durationEntry = durations.next { entry in
            entry < table.timeToSample.entries.count ? table.timeToSample.entries[entry].count : nil
        }
        guard let durationEntry, let chunkStart = chunks.next(in: table) else { return nil }
        let size = size(of: index)
        let ticks = Int64(table.timeToSample.entries[durationEntry].duration)
        let composition = MediaTime(value: decodeTicks + compositionOffset(), timescale: sequence.timescale)
        let duration = MediaTime(value: ticks, timescale: sequence.timescale)
        let sample = Sample(
            index: index, offset: chunkStart, size: size,
            decodeTime: MediaTime(value: decodeTicks, timescale: sequence.timescale), duration: duration,
            presentationTime: sequence.timeline.presentationTime(of: composition),
            isShown: sequence.timeline.shows(composition, lasting: duration), isSync: isSync())
        chunks.advance(by: size)
        decodeTicks += ticks
        index += 1
        return sample
    }

    private func size(of index: Int) -> Int {
        switch sequence.table.sampleSizes.sizes {
        case .uniform(let size, _): Int(size)
        case .each(let sizes): Int(sizes[index])
        }
    }

    /// 0 where the table ends early.
    private mutating func compositionOffset() -> Int64 {
        guard let entries = sequence.table.compositionOffsets?.entries else { return 0 }
        let entry = offsets.next { $0 < entries.count ? entries[$0].count : nil }
        return entry.map { Int64(entries[$0].offset) } ?? 0
    }

    private mutating func isSync() -> Bool {
        guard let numbers = sequence.table.syncSamples?.sampleNumbers else { return true }
        while nextSync < numbers.count, Int(numbers[nextSync]) < index + 1 { nextSync += 1 }
        return nextSync < numbers.count && Int(numbers[nextSync]) == index + 1
    }
}

/// Walks a table of runs one sample at a time.
private struct RunCursor {
    private var entry = 0
    private var used: UInt32 = 0

    /// The entry of the next sample, where `count` gives each entry's number of samples and nil past the end.
    mutating func next(count: (Int) -> UInt32?) -> Int? {
        while let samples = count(entry) {
            if used < samples {
                used += 1
                return entry
            }
            entry += 1
            used = 0
        }
        return nil
    }
}

/// Walks the chunks one sample at a time.
private struct ChunkCursor {
    private var chunk = -1
    private var run = 0
    private var left: UInt32 = 0
    private var offset = 0

    /// Where the next sample begins.
    mutating func next(in table: SampleTableBox) -> Int? {
        let runs = table.sampleToChunk.entries
        while left == 0 {
            chunk += 1
            guard chunk < table.chunkOffsets.offsets.count else { return nil }
            while run + 1 < runs.count, Int(runs[run + 1].firstChunk) <= chunk + 1 { run += 1 }
            left = runs[run].samplesPerChunk
            offset = Int(table.chunkOffsets.offsets[chunk])
        }
        left -= 1
        return offset
    }

    mutating func advance(by size: Int) {
        offset += size
    }
}
