import SystemPackage

/// What belongs together among the files of a tree, in the order of the photos. Pairs are made when they are asked for: their
/// numbers take a tenth of the memory.
package struct FoundFiles: RandomAccessCollection, Sendable {
    /// A pair, or files that are left alone.
    private struct Entry {
        /// The number of the first photo.
        let photo: Int32
        /// The number of the movie or the clip; for files that are left alone that of their list.
        let other: Int32
        var isLeftAlone = false
        var hasWholeName = false
        var isClip = false
    }

    private let photos, movies, clips: [PairFinder.Item]
    private var entries: [Entry] = []
    private var leftAlone: [(files: [FilePath], doubt: Doubt)] = []

    init(photos: [PairFinder.Item], movies: [PairFinder.Item], clips: [PairFinder.Item]) {
        (self.photos, self.movies, self.clips) = (photos, movies, clips)
    }

    /// - Parameters:
    ///   - photo: Its number among all photos.
    ///   - movie: Its number among all movies, or clips.
    mutating func addPair(photo: Int32, movie: Int32, hasWholeName: Bool, isClip: Bool) {
        entries.append(Entry(photo: photo, other: movie, hasWholeName: hasWholeName, isClip: isClip))
    }

    /// - Parameter photo: The number of the first photo among all photos.
    mutating func add(_ files: [FilePath], leftAlone doubt: Doubt, photo: Int32) {
        entries.append(Entry(photo: photo, other: Int32(leftAlone.count), isLeftAlone: true))
        leftAlone.append((files, doubt))
    }

    /// Puts them in the order of the photos.
    ///
    /// - Throws: `CancellationError`.
    mutating func sort() throws {
        try entries.sort {
            try Task.checkCancellation()
            return $0.photo < $1.photo
        }
    }

    /// 0.
    package var startIndex: Int { 0 }
    /// The number of pairs and lists of files that are left alone.
    package var endIndex: Int { entries.count }

    package subscript(index: Int) -> NamedPairs.Found {
        let entry = entries[index]
        guard !entry.isLeftAlone else {
            let (files, doubt) = leftAlone[Int(entry.other)]
            return .leftAlone(files, doubt)
        }
        return .pair(
            NamedPairs.Pair(
                photo: photos[Int(entry.photo)], movie: (entry.isClip ? clips : movies)[Int(entry.other)],
                hasWholeName: entry.hasWholeName, isClip: entry.isClip))
    }
}
