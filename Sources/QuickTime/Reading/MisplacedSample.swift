package import Bytes
import ISOBMFF

/// A sample whose bytes are outside the boxes that can hold media.
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

extension Track {
    /// Whether its samples are in the movie's own file.
    package var isInFile: Bool {
        box.media.information.dataInformation?.references?.entries.allSatisfy(\.isSameFile) ?? true
    }
}

extension MovieReader {
    /// The first sample of a track, in decode order, that is not completely within a box that can hold media, which is any
    /// box that does not describe the movie. Nil if there is none, or if the samples are in another file.
    ///
    /// Checks chunks, and single samples only of a chunk that fails: hostile tables have billions of samples.
    ///
    /// - Throws: as `Track.samples()` does.
    package func firstMisplacedSample(of track: Track) throws(ParseError) -> MisplacedSample? {
        guard track.isInFile else { return nil }
        let samples = try track.samples()
        let media = boxes.filter { !Self.isDescription($0.type) }
        for chunk in samples.chunks where !isWithin(media, offset: chunk.offset, size: samples.size(of: chunk)) {
            var (offset, sizes) = (chunk.offset, samples.sizes(of: chunk))
            for index in chunk.indices {
                guard let size = sizes.next() else { break }
                if !isWithin(media, offset: offset, size: size) {
                    return MisplacedSample(
                        index: index, offset: offset, size: size, place: place(of: offset, size: size))
                }
                offset += size
            }
        }
        return nil
    }

    private static func isDescription(_ type: FourCC) -> Bool {
        [MovieBox.type, FileTypeBox.type, MovieFragments.boxType, "sidx", "mfra"].contains(type)
    }

    private func isWithin(_ boxes: [BoxLocation], offset: Int, size: Int) -> Bool {
        guard size > 0 else { return true }
        guard let box = boxes.lastIndex(at: offset).map({ boxes[$0] }) else { return false }
        return offset >= box.payload.lowerBound && offset + size <= box.range.upperBound
    }

    private func place(of offset: Int, size: Int) -> MisplacedSample.Place {
        guard offset + size <= file.size else { return .beyondEndOfFile }
        guard let box = boxes.lastIndex(at: offset).map({ boxes[$0] }), offset < box.range.upperBound,
            Self.isDescription(box.type)
        else { return .betweenBoxes }
        return .inside(box.type)
    }
}

extension [BoxLocation] {
    /// The index of the last box that begins at or before an offset, in a list sorted by offset.
    func lastIndex(at offset: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].offset <= offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : low - 1
    }
}
