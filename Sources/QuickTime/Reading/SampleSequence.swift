import Bytes
import MediaModel

/// The samples of a track in decode order.
///
/// The tables are checked once, by their entries, and expanded only while iterating: a small file can claim four
/// billion samples.
package struct SampleSequence: Sequence, Sendable {
    /// The number of samples, at most what the file can hold.
    package let count: Int
    package let timeline: TrackTimeline
    let table: SampleTableBox
    /// How many of them are in the table; the others are in fragments.
    let tableCount: Int
    let runs: [TrackRun]
    let timescale: Int32

    init(of track: Track, fileSize: Int) throws(ParseError) {
        table = track.box.media.information.sampleTable
        timeline = try track.timeline()
        timescale = try track.timescale
        tableCount = table.sampleSizes.count
        runs = try track.fragmentRuns()
        count = runs.reduce(tableCount) { $0 + $1.count }
        var end: Int64 = 0
        if tableCount > 0 {
            let check = SampleTableCheck(track: track, table: table, count: tableCount)
            try check.sizes(fileSize: fileSize)
            end = try check.times(timescale: timescale)
            try check.chunks()
        }
        for run in runs {
            let sum = Int128(run.decodeTicks ?? end) + Int128(run.duration)
            guard sum <= Int128(MovieLimits.seconds - 1) * Int128(timescale) else {
                throw track.error(.overLimit, in: "trun", expected: "times below \(MovieLimits.seconds) s")
            }
            end = Int64(sum)
        }
    }

    /// Consecutive samples in the file.
    struct Chunk {
        /// The indices of its samples in decode order.
        let indices: Range<Int>
        let offset: Int
        /// Their total size in bytes.
        let size: Int
        fileprivate let run: TrackRun?
    }

    /// Calls `body` for each chunk with samples, until it returns false.
    func forEachChunk(_ body: (Chunk) -> Bool) {
        var (index, run) = (0, 0)
        let entries = table.sampleToChunk.entries
        for (number, offset) in table.chunkOffsets.offsets.enumerated() where index < tableCount {
            while run + 1 < entries.count, Int(entries[run + 1].firstChunk) <= number + 1 { run += 1 }
            let indices = index..<Swift.min(index + Int(entries[run].samplesPerChunk), tableCount)
            let chunk = Chunk(indices: indices, offset: Int(offset), size: table.sampleSizes.sum(indices), run: nil)
            guard indices.isEmpty || body(chunk) else { return }
            index = indices.upperBound
        }
        for run in runs {
            let chunk = Chunk(indices: index..<index + run.count, offset: run.offset, size: run.size, run: run)
            guard body(chunk) else { return }
            index += run.count
        }
    }

    /// Calls `body` for each sample of a chunk, until it returns false.
    func forEachSample(in chunk: Chunk, _ body: (_ index: Int, _ offset: Int, _ size: Int) -> Bool) {
        var offset = chunk.offset
        var entries = chunk.run?.entries
        for index in chunk.indices {
            var size = 0
            if let run = chunk.run, var reader = entries {
                guard let entry = try? run.entry(from: &reader, index: index - chunk.indices.lowerBound) else { return }
                entries = reader
                size = Int(entry.size)
            } else {
                size = table.sampleSizes[index]
            }
            guard body(index, offset, size) else { return }
            offset += size
        }
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
    private var durations = RunCursor()
    private var offsets = RunCursor()
    private var nextSync = 0
    private var chunks = ChunkCursor()
    private var fragments = TrackRunCursor()

    /// The properties of a sample from table or fragment, with times in ticks.
    fileprivate struct Entry {
        var offset: Int
        var size: Int
        var duration: UInt32
        var compositionOffset: Int64
        var isSync: Bool
        /// The decode time, if it does not follow from the previous sample.
        var decodeTicks: Int64?
    }

    fileprivate init(_ sequence: SampleSequence) {
        self.sequence = sequence
    }

    package mutating func next() -> Sample? {
        let entry = index < sequence.tableCount ? nextOfTable() : fragments.next(in: sequence.runs)
        guard let entry else { return nil }
        decodeTicks = entry.decodeTicks ?? decodeTicks
        let composition = MediaTime(value: decodeTicks + entry.compositionOffset, timescale: sequence.timescale)
        let duration = MediaTime(value: Int64(entry.duration), timescale: sequence.timescale)
        let sample = Sample(
            index: index, offset: entry.offset, size: entry.size,
            decodeTime: MediaTime(value: decodeTicks, timescale: sequence.timescale), duration: duration,
            presentationTime: sequence.timeline.presentationTime(of: composition),
            isShown: sequence.timeline.shows(composition, lasting: duration), isSync: entry.isSync)
        decodeTicks += Int64(entry.duration)
        index += 1
        return sample
    }

    private mutating func nextOfTable() -> Entry? {
        let table = sequence.table
        let durationEntry = durations.next { entry in
            entry < table.timeToSample.entries.count ? table.timeToSample.entries[entry].count : nil
        }
        guard let durationEntry, let offset = chunks.next(in: table) else { return nil }
        let size = table.sampleSizes[index]
        chunks.advance(by: size)
        return Entry(
            offset: offset, size: size, duration: table.timeToSample.entries[durationEntry].duration,
            compositionOffset: compositionOffset(), isSync: isSync())
    }

    /// 0 if the table ends early.
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

/// Walks the samples of fragments.
private struct TrackRunCursor {
    private var run = -1
    private var entries: ByteReader?
    private var index = 0
    private var offset = 0

    mutating func next(in runs: [TrackRun]) -> SampleIterator.Entry? {
        while run < 0 || run < runs.count && index == runs[run].count {
            run += 1
            guard run < runs.count else { return nil }
            (entries, index, offset) = (runs[run].entries, 0, runs[run].offset)
        }
        guard run < runs.count else { return nil }
        guard var reader = entries, let entry = try? runs[run].entry(from: &reader, index: index) else { return nil }
        defer {
            entries = reader
            index += 1
            offset += Int(entry.size)
        }
        return SampleIterator.Entry(
            offset: offset, size: Int(entry.size), duration: entry.duration,
            compositionOffset: Int64(entry.compositionOffset), isSync: entry.isSync,
            decodeTicks: index == 0 ? runs[run].decodeTicks : nil)
    }
}
