package import Bytes
package import SystemPackage

/// What brings new content into the two files of a pair where they stand. A value, whose steps tests break off anywhere.
package struct PairChange: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case replacePhoto
        case movie(FileChange)
        case restoreMovieTimes
    }

    package let photo: FilePath
    package let newPhoto: [UInt8]
    package let movie: FilePath
    package let movieChanges: [FileChange]

    package init(photo: FilePath, newPhoto: [UInt8], movie: FilePath, movieChanges: [FileChange]) {
        (self.photo, self.newPhoto) = (photo, newPhoto)
        (self.movie, self.movieChanges) = (movie, movieChanges)
    }

    /// The photo first: one that waits for its movie is still a photo.
    package var steps: [Step] { [.replacePhoto] + movieChanges.map { .movie($0) } + [.restoreMovieTimes] }

    /// - Throws: `LivePhotoError`; steps before stay made.
    package func apply(_ steps: some Sequence<Step>) throws(LivePhotoError) {
        var file = movie
        do {
            let times = try FileTimes(of: movie)
            for step in steps {
                file = step == .replacePhoto ? photo : movie
                switch step {
                case .replacePhoto: try FileReplacement.replace(photo, with: newPhoto)
                case .movie(let change): try FileChange.apply([change], to: movie)
                case .restoreMovieTimes: try times.set(movie)
                }
            }
        } catch {
            throw LivePhotoError(writing: file, error)
        }
    }
}
