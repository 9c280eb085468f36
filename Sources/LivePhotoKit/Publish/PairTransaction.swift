import Bytes
package import SystemPackage

/// Changes both files of a pair in place, or neither, even if the process is killed.
///
/// Everything that can fail for lack of space or permission is done before either file is changed: the new photo is
/// written to a hidden folder beside the old one, with its owner, permissions and attributes; a record of how to undo the
/// change is written to the disk; and the space for the movie is reserved. Removing the record commits the change. The next
/// run that works in the photo's folder undoes a change that was not committed (`WorkFolder`).
package final class PairTransaction {
    private let change: PairChange
    private let folder: WorkFolder
    private let movieTimes: FileTimes

    /// Undoes the uncommitted changes that killed runs left in a folder.
    ///
    /// - Returns: The restored photos and movies.
    static func recover(in folder: FilePath) -> [FilePath] {
        func unfinished() -> [FilePath] {
            WorkFolder.all(in: folder).flatMap { PairRecord.names(in: $0) }.map { folder.appending($0) }
        }
        let before = unfinished()
        Publisher.removeLeftovers(in: folder)
        let after = Set(unfinished())
        return before.filter { !after.contains($0) }
    }

    /// Checks that a pair can be changed in place and locks it. Neither file is changed.
    ///
    /// - Parameter ownNames: Returns the number of hard links that journals have made of the photo.
    /// - Returns: The lock of the movie.
    /// - Throws: `LivePhotoError`.
    package static func lock(
        photo: FilePath, movie: FilePath, ownNames: () -> Int
    ) throws(LivePhotoError) -> FileLock {
        // A record names files in its own folder only: one from an archive must not affect other folders.
        guard FileIdentity(photo.folder, followingLink: true) == FileIdentity(movie.folder, followingLink: true) else {
            throw LivePhotoError(
                .invalidRequest, photo,
                "is in another folder than \(movie); bring both into one folder, or make a copy with --output")
        }
        do {
            try FileSystem.checkWritable(photo.folder)
            let links = try Int(photo.stat().linkCount)
            // Hard links made by this program do not count.
            guard links <= 1 || links <= 1 + ownNames() + Self.originals(of: photo) else {
                throw LivePhotoError(
                    .cannotCreateOutput, photo,
                    "has another name (a hard link), which would keep the old photo; make a copy with --output")
            }
        } catch let error as Errno where error != .noSuchFileOrDirectory {
            throw LivePhotoError(
                .cannotCreateOutput, photo, "cannot be replaced in its folder: \(error); make a copy with --output",
                cause: error)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: photo, error)
        }
        return try FileLock(movie, writing: true)
    }

    /// The number of changes, running or left by killed runs, that keep the photo as their original.
    private static func originals(of photo: FilePath) -> Int {
        guard let identity = FileIdentity(photo) else { return 0 }
        return WorkFolder.all(in: photo.folder).count { PairRecord.keeps(identity, in: $0) }
    }

    /// Prepares a change without changing either file. The movie must be locked.
    ///
    /// - Throws: `LivePhotoError`; then nothing is left behind.
    package init(_ change: PairChange) throws(LivePhotoError) {
        self.change = change
        do {
            movieTimes = try FileTimes(of: change.movie)
            do throws(Errno) {
                // Only the owner of a file can set its times.
                try movieTimes.set(change.movie)
            } catch {
                throw LivePhotoError(
                    .cannotCreateOutput, change.movie,
                    "is another user's, so that its times cannot be kept (\(error)); make a copy with --output",
                    cause: error)
            }
            folder = try WorkFolder(in: change.photo.folder, usesHardLinks: true)
        } catch {
            throw LivePhotoError(writing: change.photo, error)
        }
        do {
            try writePhoto()
            try writeRecord()
            try reserve()
        } catch {
            throw rolledBack(after: LivePhotoError(writing: change.photo, error))
        }
    }

    /// Performs some of the change's steps.
    ///
    /// - Throws: `LivePhotoError`; previous steps are kept until `rollBack`.
    package func perform(_ steps: some Sequence<PairChange.Step>) throws(LivePhotoError) {
        var file = change.movie
        do {
            for step in steps {
                switch step {
                case .movie(let change): try FileChange.apply([change], to: file)
                case .restoreMovieTimes: try movieTimes.set(file)
                case .replacePhoto:
                    file = change.photo
                    try FileSystem.move(newPhoto, to: file)
                    try FileSystem.synchronize(file.folder)
                }
            }
        } catch {
            throw LivePhotoError(writing: file, error)
        }
    }

    /// Makes the change final.
    ///
    /// - Throws: `LivePhotoError`; then the change is not committed.
    package func commit() throws(LivePhotoError) {
        do throws(Errno) {
            try PairRecord.forget(in: folder.path)
        } catch {
            throw LivePhotoError(writing: change.photo, error)
        }
        folder.remove()
    }

    /// Restores both files. If that is impossible now, the next run does it.
    ///
    /// - Returns: Whether the files are restored.
    @discardableResult
    package func rollBack() -> Bool {
        folder.remove()
        return !PairRecord.exists(in: folder.path) && !PairRecord.isRefused(in: folder.path)
    }

    /// Restores both files. If that is impossible, adds that to the error.
    package func rolledBack(after error: LivePhotoError) -> LivePhotoError {
        guard !rollBack() else { return error }
        let photo = change.photo
        return LivePhotoError(
            error.code, error.file,
            error.reason + "; \(photo) and its movie are not yet what they were: livephoto link --undo \(photo.folder)")
    }

    private var newPhoto: FilePath { folder.path.appending("photo") }

    /// Reserves the space that the movie's changes need.
    private func reserve() throws(LivePhotoError) {
        do {
            try FileChange.reserve(upTo: change.movieEnd, in: change.movie)
            // Reserving space changes the file's times.
            try movieTimes.set(change.movie)
        } catch {
            throw LivePhotoError(writing: change.movie, error)
        }
    }

    private func writePhoto() throws {
        try OutputFile.write(newPhoto) { try $0.write(change.newPhoto) }
        do throws(Errno) {
            try FileAttributes.copy(from: change.photo, to: newPhoto)
        } catch {
            throw LivePhotoError(
                .cannotCreateOutput, change.photo,
                "cannot be replaced by a file of the same owner, permissions and attributes (\(error)); make a copy with --output"
            )
        }
        try FileSystem.synchronize(newPhoto)
    }

    private func writeRecord() throws {
        let record = try PairRecord(of: change) { FilePath(root: nil, $0.components.suffix(1)) }
        try record.write(in: folder.path, original: change.photo, newPhoto: newPhoto, movie: change.movie)
    }
}
