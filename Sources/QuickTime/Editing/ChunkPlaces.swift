import Bytes

/// The places of the chunks of some tracks in a file, and in a copy that holds nothing else, in the same order.
struct ChunkPlaces {
    /// In the old file, ascending and apart from each other.
    private(set) var ranges: [Range<Int>] = []
    /// The start of each range in the copy.
    private var starts: [Int] = []
    /// In bytes.
    private(set) var size = 0

    init(of tracks: [Track], in file: InputFile) throws {
        var chunks: [Range<Int>] = []
        do throws(ParseError) {
            for track in tracks {
                let samples = try track.samples()
                for chunk in samples.chunks {
                    let size = samples.size(of: chunk)
                    guard chunk.offset <= file.size, size <= file.size - chunk.offset else {
                        throw track.error(
                            .truncated, in: ChunkOffsetBox.type,
                            expected: "samples within the file, found \(size) bytes at byte \(chunk.offset)")
                    }
                    chunks.append(chunk.offset..<chunk.offset + size)
                }
            }
        } catch {
            throw MovieEditError.damaged(error)
        }
        for chunk in chunks.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = ranges.last, chunk.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, chunk.upperBound)
            } else {
                ranges.append(chunk)
            }
        }
        for range in ranges {
            starts.append(size)
            size += range.count
        }
    }

    /// The offset in the copy of a chunk's first byte; nil for a chunk without samples.
    func place(of offset: UInt64) -> Int? {
        guard let offset = Int(exactly: offset) else { return nil }
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0, offset <= ranges[low - 1].upperBound else { return nil }
        return starts[low - 1] + offset - ranges[low - 1].lowerBound
    }
}
