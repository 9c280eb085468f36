/// Collects the samples of one track into chunks: consecutive samples in the file of at most about half a second, so
/// that a player that reads chunk by chunk finds audio and video close together.
struct ChunkTable {
    private static let maximumBytes = 1 << 20

    private(set) var sizes: [UInt32] = []
    private var offsets: [UInt64] = []
    private var samplesPerChunk: [UInt32] = []
    /// The end of the last chunk in the file, and its bytes and ticks.
    private var (end, bytes, ticks) = (0, 0, 0)
    private let maximumTicks: Int

    /// - Parameter timescale: ticks a second.
    init(timescale: Int) {
        maximumTicks = max(timescale / 2, 1)
    }

    /// Adds a sample of `size` bytes at `offset` in the file, which lasts about `duration` ticks.
    mutating func add(offset: Int, size: UInt32, duration: Int) {
        let fits = bytes + Int(size) <= Self.maximumBytes && ticks + duration <= maximumTicks
        if offsets.isEmpty || offset != end || !fits {
            offsets.append(UInt64(offset))
            samplesPerChunk.append(0)
            (bytes, ticks) = (0, 0)
        }
        samplesPerChunk[samplesPerChunk.count - 1] += 1
        sizes.append(size)
        bytes += Int(size)
        ticks += duration
        end = offset + Int(size)
    }

    /// The boxes that tracks of all kinds have.
    func sampleTable(_ descriptions: SampleDescriptionBox, _ timeToSample: TimeToSampleBox) -> SampleTableBox {
        SampleTableBox(
            descriptions: descriptions, timeToSample: timeToSample,
            sampleToChunk: SampleToChunkBox(samplesPerChunk: samplesPerChunk), sampleSizes: SampleSizeBox(sizes),
            chunkOffsets: ChunkOffsetBox(offsets: offsets))
    }
}
