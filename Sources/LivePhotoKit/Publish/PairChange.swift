package import Bytes
package import SystemPackage

/// New contents for the two files of a pair, in place. `PairTransaction` makes the change.
package struct PairChange: Sendable, Hashable {
    package enum Photo: Sendable, Hashable {
        /// The file stays as it is.
        case kept
        case contents([UInt8])
        /// A complete file on the same file system, which is moved. It gets this name in the photo's folder.
        case file(FilePath, name: FilePath.Component)
    }

    package enum Movie: Sendable, Hashable {
        /// The file is changed in place.
        case changes([FileChange])
        /// A complete file on the same file system, which is moved and gets the movie's name.
        case file(FilePath)
    }

    package enum Step: Sendable, Hashable {
        case movie(FileChange)
        case restoreMovieTimes
        case replaceMovie
        case replacePhoto
        /// Creates the new photo, which has another name than the old one.
        case addPhoto
        case removeOldPhoto
    }

    package let photo: FilePath
    package let newPhoto: Photo
    package let movie: FilePath
    package let newMovie: Movie

    package init(photo: FilePath, _ newPhoto: Photo, movie: FilePath, _ newMovie: Movie) {
        (self.photo, self.newPhoto) = (photo, newPhoto)
        (self.movie, self.newMovie) = (movie, newMovie)
    }

    /// The photo is last: replacing it is a single step and needs no further disk space.
    package var steps: [Step] {
        let movieSteps: [Step] =
            switch newMovie {
            case .changes(let changes): changes.map { .movie($0) } + [.restoreMovieTimes]
            case .file: [.replaceMovie]
            }
        let photoSteps: [Step] =
            switch newPhoto {
            case .kept: []
            case .contents: [.replacePhoto]
            case .file: renamedPhoto == nil ? [.replacePhoto] : [.addPhoto, .removeOldPhoto]
            }
        return movieSteps + photoSteps
    }

    /// The path of the new photo; nil if it is that of the old one.
    var renamedPhoto: FilePath? {
        guard case .file(_, let name) = newPhoto, name != photo.lastComponent else { return nil }
        return photo.folder.file(name)
    }

    /// The largest size of the movie during and after the change; nil if another file replaces it.
    var movieEnd: Int? {
        guard case .changes(let changes) = newMovie else { return nil }
        return changes.reduce(0) { end, change in
            if case .write(let bytes, let offset) = change { max(end, offset + bytes.count) } else { end }
        }
    }
}
