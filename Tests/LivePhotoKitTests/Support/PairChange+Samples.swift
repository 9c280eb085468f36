import Bytes
import LivePhotoKit
import MediaModel
import QuickTime
import StillImage
import SystemPackage
import TestSupport

extension PairChange {
    /// What links a sample pair in place.
    init(linking photo: FilePath, _ movie: FilePath, identifier: ContentIdentifier) throws {
        let edit = try MovieEdit(
            linking: MovieReader(InputFile(movie)), contentIdentifier: identifier,
            stillTime: MediaTime(value: SamplePair.stillTime, timescale: 600))
        let old = try InputFile(photo).contents(limit: 1 << 20)
        self.init(
            photo: photo, .contents(try PhotoEditor(old).applying(ExifUpdate(contentIdentifier: .set(identifier)))),
            movie: movie, .changes(try edit.changesInPlace()))
    }

    /// What links only the movie of a sample pair in place.
    init(linking photo: FilePath, _ movie: FilePath, keepingPhotoAnd identifier: ContentIdentifier) throws {
        let edit = try MovieEdit(
            linking: MovieReader(InputFile(movie)), contentIdentifier: identifier,
            stillTime: MediaTime(value: SamplePair.stillTime, timescale: 600))
        self.init(photo: photo, .kept, movie: movie, .changes(try edit.changesInPlace()))
    }

    /// What replaces a sample pair by staged copies of two files, as an edit that is encoded does.
    ///
    /// - Parameters:
    ///   - name: The new name of the photo.
    ///   - staging: A folder for the copies.
    init(
        replacing photo: FilePath, _ movie: FilePath, with newPhoto: [UInt8], named name: FilePath.Component,
        _ newMovie: [UInt8], in staging: FilePath
    ) throws {
        let (stagedPhoto, stagedMovie) = (staging.appending("photo"), staging.appending("movie"))
        for (path, bytes) in [(stagedPhoto, newPhoto), (stagedMovie, newMovie)] {
            try OutputFile.write(path) { try $0.write(bytes) }
        }
        self.init(photo: photo, .file(stagedPhoto, name: name), movie: movie, .file(stagedMovie))
    }

    /// The steps that change a movie in place.
    var movieChanges: [FileChange] {
        if case .changes(let changes) = newMovie { changes } else { [] }
    }

    /// The steps up to each place at which they can end: after each, and in the midst of each longer write.
    var brokenOff: [[Step]] {
        steps.indices.flatMap { index -> [[Step]] in
            let before = Array(steps[..<index])
            guard case .movie(.write(let bytes, let offset)) = steps[index], bytes.count > 8 else { return [before] }
            return [before]
                + [8, bytes.count - 1].map { before + [.movie(.write(Array(bytes.prefix($0)), at: offset))] }
        } + [steps]
    }
}
