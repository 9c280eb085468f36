package import Bytes
package import SystemPackage

/// New contents for the two files of a pair, in place. `PairTransaction` makes the change.
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

    /// The photo is last: replacing it is a single step and needs no further disk space.
    package var steps: [Step] { movieChanges.map { .movie($0) } + [.restoreMovieTimes, .replacePhoto] }

    /// The largest size of the movie during and after the change.
    var movieEnd: Int {
        movieChanges.reduce(0) { end, change in
            if case .write(let bytes, let offset) = change { max(end, offset + bytes.count) } else { end }
        }
    }
}
