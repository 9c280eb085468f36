import Bytes

/// Checks the tables of a track against each other, entry by entry and without expanding them. Tables that pass can be
/// expanded without overflow.
struct SampleTableCheck {
    let track: Track
    let table: SampleTableBox
    /// Samples in the track, at least 1.
    let count: Int

    /// Samples of uniform size, whose number no table confirms, must fit into the file.
    func sizes(fileSize: Int) throws(ParseError) {
        guard case .uniform(let size, _) = table.sampleSizes.sizes, count > fileSize / Int(size) else { return }
        throw track.error(
            .overLimit, in: SampleSizeBox.type,
            expected: "at most \(fileSize) bytes in all, found \(count) samples of \(size)")
    }

    /// Every sample needs a duration, and decode times must be within the limit.
    ///
    /// - Returns: the decode time after the last sample, in ticks.
    func times(timescale: Int32) throws(ParseError) -> Int64 {
        var left = count
        // Below 2⁶⁰, to which an entry adds less than 2⁶⁴.
        let limit = Int128(MovieLimits.seconds - 1) * Int128(timescale)
        var ticks: Int128 = 0
        for entry in table.timeToSample.entries where left > 0 {
            let used = min(Int(entry.count), left)
            left -= used
            ticks += Int128(used) * Int128(entry.duration)
            guard ticks <= limit else {
                throw track.error(
                    .overLimit, in: TimeToSampleBox.type, expected: "times below \(MovieLimits.seconds) s")
            }
        }
        guard left == 0 else {
            throw track.error(
                .missing, in: TimeToSampleBox.type, expected: "durations of \(count) samples, found \(count - left)")
        }
        return Int64(ticks)
    }

    /// Every sample needs a chunk, and runs of chunks must begin with the first chunk and ascend.
    func chunks() throws(ParseError) {
        let runs = table.sampleToChunk.entries
        let chunkCount = table.chunkOffsets.offsets.count
        guard table.chunkOffsets.offsets.allSatisfy({ $0 < MovieLimits.fileOffset }) else {
            throw track.error(.overLimit, in: ChunkOffsetBox.type, expected: "offsets within a file")
        }
        var room = 0
        for (index, run) in runs.enumerated() {
            let first = Int(run.firstChunk)
            let next = index + 1 < runs.count ? Int(runs[index + 1].firstChunk) : Int.max
            guard index > 0 || first == 1, first < next else {
                throw track.error(.invalidValue, in: SampleToChunkBox.type, expected: "chunks that ascend from 1")
            }
            // At most 2²⁶ chunks, 4 bytes of `moov` each, of fewer than 2³² samples.
            room += max(0, min(next - 1, chunkCount) - (first - 1)) * Int(run.samplesPerChunk)
        }
        guard room >= count else {
            throw track.error(
                .missing, in: SampleToChunkBox.type, expected: "chunks for \(count) samples, found room for \(room)")
        }
    }
}
