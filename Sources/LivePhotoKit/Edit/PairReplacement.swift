import Bytes
package import SystemPackage

/// Replaces both files of a pair by an edited pair, in place. The pair is locked as long as this value exists.
package final class PairReplacement: Sendable {
    private let photo: FilePath
    private let movie: FilePath
    private let lock: FileLock
    private let journals: EditJournals

    /// Locks a pair and its folder's journal, before the pair is read.
    ///
    /// - Parameters:
    ///   - newPhoto: The name of the edited photo.
    ///   - journals: Those of the folders of previous pairs.
    /// - Throws: `LivePhotoError`, as `check`.
    package init(
        photo: FilePath, movie: FilePath, newPhoto: FilePath.Component, _ journals: EditJournals
    ) throws(LivePhotoError) {
        (self.photo, self.movie, self.journals) = (photo, movie, journals)
        lock = try LivePhotoLinker.recoverAndLock(photo: photo, movie: movie, for: .edit, replacesMovie: true)
        try Self.check(name: newPhoto, of: photo)
        // Locked now, so that another run in the folder is an error before the work, not after it.
        _ = try journals.journal(in: photo.folder)
    }

    /// Checks before any work whether a pair can be replaced.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be changed in place, and if another file has the name of the edited
    ///   photo.
    package static func check(
        photo: FilePath, movie: FilePath, newPhoto: FilePath.Component
    ) throws(LivePhotoError) {
        _ = try LivePhotoLinker.lock(photo: photo, movie: movie, for: .edit, replacesMovie: true)
        try check(name: newPhoto, of: photo)
    }

    private static func check(name newPhoto: FilePath.Component, of photo: FilePath) throws(LivePhotoError) {
        guard newPhoto != photo.lastComponent else { return }
        let place = photo.folder.file(newPhoto)
        guard !FileSystem.exists(place) else {
            throw LivePhotoError(
                .cannotCreateOutput, place,
                "is another file with the name that the edited photo would get in place of \(photo); rename one of "
                    + "them, or write copies with --output")
        }
        try Publisher.checkCase(of: [place])
    }

    /// Replaces both files, or neither. The new ones get the owner, permissions, attributes and times of the old ones.
    ///
    /// - Parameters:
    ///   - newPhoto: A complete file in the pair's folder or below it, which is moved.
    ///   - name: The name that it gets.
    ///   - newMovie: A complete file there, which gets the old movie's name.
    /// - Throws: `LivePhotoError`; `CancellationError` before any change.
    package func replace(
        photo newPhoto: FilePath, name: FilePath.Component, movie newMovie: FilePath
    ) throws {
        try replace(photo: newPhoto, name: name, movie: .file(newMovie)) {}
    }

    /// Replaces the photo and changes the movie, or neither.
    ///
    /// - Parameters:
    ///   - newPhoto: A complete file in the pair's folder or below it, which is moved.
    ///   - name: The name that it gets.
    ///   - newMovie: How the movie changes.
    /// - Throws: `LivePhotoError`; `PairFault`; `CancellationError` before any change.
    package func replace(photo newPhoto: FilePath, name: FilePath.Component, movie newMovie: EditedMovie) throws {
        try replace(photo: newPhoto, name: name, movie: .changes(newMovie.changesInPlace())) {
            try newMovie.check(photo: photo.folder.file(name), movie: movie)
        }
    }

    /// - Parameter check: Reads the changed files; an error undoes the change.
    private func replace(
        photo newPhoto: FilePath, name: FilePath.Component, movie newMovie: PairChange.Movie, check: () throws -> Void
    ) throws {
        let isKept = name == photo.lastComponent && FileSystem.haveSameContent(photo, newPhoto)
        let change = PairChange(photo: photo, isKept ? .kept : .file(newPhoto, name: name), movie: movie, newMovie)
        let journal = try journals.journal(in: photo.folder)
        try withExtendedLifetime(lock) { try change.perform(noting: journal, of: .edit, check: check) }
    }
}
