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
    /// The number of samples in the table; the others are in fragments.
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
        /// Nil if the samples are in the table.
        let run: TrackRun?
        /// The entry of `stsd`, counted from 1.
        let descriptionIndex: UInt32
    }

    /// The chunks with samples.
    var chunks: ChunkIterator { ChunkIterator(self) }

    /// The total size of the samples of a chunk, in bytes.
    func size(of chunk: Chunk) -> Int { chunk.run?.size ?? table.sampleSizes.sum(chunk.indices) }

    /// The sizes of the samples of a chunk, in bytes.
    func sizes(of chunk: Chunk) -> AnyIterator<Int> {
        var index = chunk.indices.lowerBound
        var table = chunk.run?.table
        return AnyIterator {
            guard index < chunk.indices.upperBound else { return nil }
            defer { index += 1 }
            guard let run = chunk.run else { return self.table.sampleSizes[index] }
            guard var reader = table else { return nil }
            defer { table = reader }
            return (try? run.properties(from: &reader, index: index - chunk.indices.lowerBound)).map { Int($0.size) }
        }
    }

    package var underestimatedCount: Int { count }

    package func makeIterator() -> SampleIterator {
        SampleIterator(self)
    }
}

/// Iterates over the chunks in the table, then over the runs in fragments.
struct ChunkIterator: Sequence, IteratorProtocol {
    private let samples: SampleSequence
    /// The indices of the next sample, its chunk in `stco`, the chunk's entry in `stsc`, and the next run.
    private var (index, chunk, entry, run) = (0, 0, 0, 0)

    fileprivate init(_ samples: SampleSequence) {
        self.samples = samples
    }

    mutating func next() -> SampleSequence.Chunk? {
        let offsets = samples.table.chunkOffsets.offsets
        let entries = samples.table.sampleToChunk.entries
        while index < samples.tableCount, chunk < offsets.count {
            defer { chunk += 1 }
            while entry + 1 < entries.count, Int(entries[entry + 1].firstChunk) <= chunk + 1 { entry += 1 }
            let count = Swift.min(Int(entries[entry].samplesPerChunk), samples.tableCount - index)
            if count > 0 {
                return next(count, at: Int(offsets[chunk]), run: nil, entries[entry].descriptionIndex)
            }
        }
        guard run < samples.runs.count else { return nil }
        defer { run += 1 }
        return next(samples.runs[run].count, at: samples.runs[run].offset, run: samples.runs[run])
    }

    private mutating func next(
        _ count: Int, at offset: Int, run: TrackRun?, _ descriptionIndex: UInt32 = 1
    ) -> SampleSequence.Chunk {
        defer { index += count }
        return SampleSequence.Chunk(
            indices: index..<index + count, offset: offset, run: run, descriptionIndex: descriptionIndex)
    }
}

/// Expands the tables, which cover all samples.
package struct SampleIterator: IteratorProtocol {
    private let sequence: SampleSequence
    private var chunks: ChunkIterator
    private var chunk = SampleSequence.Chunk(indices: 0..<0, offset: 0, run: nil, descriptionIndex: 1)
    /// The rest of the table of a run.
    private var runTable: ByteReader?
    /// The index, file offset and decode time of the next sample.
    private var (index, offset, decodeTicks) = (0, 0, Int64(0))
    private var durations = RunCursor()
    private var compositionOffsets = RunCursor()
    private var nextSync = 0

    fileprivate init(_ sequence: SampleSequence) {
        self.sequence = sequence
        chunks = sequence.chunks
    }

    package mutating func next() -> Sample? {
        if index == chunk.indices.upperBound {
            guard let next = chunks.next() else { return nil }
            (chunk, offset, runTable) = (next, next.offset, next.run?.table)
            decodeTicks = next.run?.decodeTicks ?? decodeTicks
        }
        let properties = index < sequence.tableCount ? propertiesInTable() : propertiesInRun()
        guard let properties else { return nil }
        let composition = MediaTime(
            value: decodeTicks + Int64(properties.compositionOffset), timescale: sequence.timescale)
        let duration = MediaTime(value: Int64(properties.duration), timescale: sequence.timescale)
        let sample = Sample(
            index: index, offset: offset, size: Int(properties.size),
            decodeTime: MediaTime(value: decodeTicks, timescale: sequence.timescale), duration: duration,
            compositionTime: composition, presentationTime: sequence.timeline.presentationTime(of: composition),
            isShown: sequence.timeline.shows(composition, lasting: duration), isSync: properties.isSync)
        index += 1
        offset += sample.size
        decodeTicks += duration.value
        return sample
    }

    private mutating func propertiesInTable() -> SampleProperties? {
        let entries = sequence.table.timeToSample.entries
        guard let entry = durations.next(count: { $0 < entries.count ? entries[$0].count : nil }) else { return nil }
        return SampleProperties(
            duration: entries[entry].duration, size: UInt32(sequence.table.sampleSizes[index]),
            compositionOffset: compositionOffset(), isSync: isSync())
    }

    private mutating func propertiesInRun() -> SampleProperties? {
        guard var reader = runTable else { return nil }
        defer { runTable = reader }
        return try? chunk.run?.properties(from: &reader, index: index - chunk.indices.lowerBound)
    }

    /// 0 if the table ends early.
    private mutating func compositionOffset() -> Int32 {
        guard let entries = sequence.table.compositionOffsets?.entries else { return 0 }
        let entry = compositionOffsets.next { $0 < entries.count ? entries[$0].count : nil }
        return entry.map { entries[$0].offset } ?? 0
    }

    private mutating func isSync() -> Bool {
        guard let numbers = sequence.table.syncSamples?.sampleNumbers else { return true }
        while nextSync < numbers.count, Int(numbers[nextSync]) < index + 1 { nextSync += 1 }
        return nextSync < numbers.count && Int(numbers[nextSync]) == index + 1
    }
}

/// Iterates over a table of runs, one sample at a time.
private struct RunCursor {
    private var entry = 0
    private var used: UInt32 = 0

    /// The entry of the next sample.
    ///
    /// - Parameter count: the number of samples of an entry; nil after the last one.
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
