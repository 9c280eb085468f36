package import Bytes
package import SystemPackage

/// New contents for the two files of a pair, in place. A value; `PairTransaction` makes the change.
package struct PairChange: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case movie(FileChange)
        case restoreMovieTimes
        case replacePhoto
    }

    package let photo: FilePath
    package let newPhoto: [UInt8]
    package let movie: FilePath
    package let movieChanges: [FileChange]

    package init(photo: FilePath, newPhoto: [UInt8], movie: FilePath, movieChanges: [FileChange]) {
        (self.photo, self.newPhoto) = (photo, newPhoto)
        (self.movie, self.movieChanges) = (movie, movieChanges)
    }

    /// The photo last: replacing it is one step, and takes no room on the disk any more.
    package var steps: [Step] { movieChanges.map { .movie($0) } + [.restoreMovieTimes, .replacePhoto] }

    /// Where the movie ends once it is changed, or while it is.
    var movieEnd: Int {
        movieChanges.reduce(0) { end, change in
            if case .write(let bytes, let offset) = change { max(end, offset + bytes.count) } else { end }
        }
    }
}
