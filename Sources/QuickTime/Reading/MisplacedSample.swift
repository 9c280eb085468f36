package import ISOBMFF

/// A sample whose bytes are not where media can be.
package struct MisplacedSample: Sendable, Hashable {
    package enum Place: Sendable, Hashable {
        /// The file ends before the sample does.
        case beyondEndOfFile
        /// At least some of its bytes belong to a header or to no box.
        case betweenBoxes
        /// It begins in a box that cannot hold media, such as `moov`.
        case inside(FourCC)
    }

    /// Its index in decode order, from 0.
    package let index: Int
    /// The file offset at which it should begin.
    package let offset: Int
    /// In bytes.
    package let size: Int
    package let place: Place
}

extension MovieReader {
    /// The first sample of a track, in decode order, that is not completely within a box that can hold media (any but
    /// those that describe the movie). Nil if all are, and if the samples are in another file.
    ///
    /// Checks whole chunks, and single samples only if a chunk fails.
    ///
    /// - Throws: as `Track.samples()` does.
    package func firstMisplacedSample(of track: Track) throws(ParseError) -> MisplacedSample? {
        let references = track.box.media.information.dataInformation?.references?.entries ?? []
        guard references.first?.isSameFile ?? true else { return nil }
        let samples = try track.samples()
        let media = boxes.filter { !Self.isDescription($0.type) }
        var found: MisplacedSample?
        samples.forEachChunk { chunk in
            guard !isWithin(media, offset: chunk.offset, size: chunk.size) else { return true }
            samples.forEachSample(in: chunk) { index, offset, size in
                guard !isWithin(media, offset: offset, size: size) else { return true }
                found = MisplacedSample(index: index, offset: offset, size: size, place: place(of: offset, size: size))
                return false
            }
            return found == nil
        }
        return found
    }

    private static func isDescription(_ type: FourCC) -> Bool {
        [MovieBox.type, FileTypeBox.type, MovieFragments.boxType, "sidx", "mfra"].contains(type)
    }

    private func isWithin(_ boxes: [BoxLocation], offset: Int, size: Int) -> Bool {
        guard size > 0 else { return true }
        guard let box = Self.last(of: boxes, at: offset) else { return false }
        return offset >= box.payload.lowerBound && offset + size <= box.range.upperBound
    }

    private func place(of offset: Int, size: Int) -> MisplacedSample.Place {
        guard offset + size <= file.size else { return .beyondEndOfFile }
        guard let box = Self.last(of: boxes, at: offset), offset < box.range.upperBound,
            Self.isDescription(box.type)
        else { return .betweenBoxes }
        return .inside(box.type)
    }

    /// The last box, sorted by file offset, that begins at or before an offset.
    private static func last(of boxes: [BoxLocation], at offset: Int) -> BoxLocation? {
        var (low, high) = (0, boxes.count)
        while low < high {
            let middle = (low + high) / 2
            if boxes[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : boxes[low - 1]
    }
}
