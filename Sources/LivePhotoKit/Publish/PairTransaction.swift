import Bytes
package import SystemPackage

/// Changes both files of a pair in place, or neither, even if the process is killed.
///
/// Everything that can fail for lack of space or permission is done before either file is changed: new files are written
/// to a hidden folder beside the old ones, with their owner, permissions and attributes; how to undo the change is written
/// to the disk (`FileTransaction`); and the space for a movie that is changed in place is reserved. The next run that works in
/// the photo's folder undoes a change that was not committed (`WorkFolder`).
package final class PairTransaction {
    private let change: PairChange
    private let folder: WorkFolder
    private let movieTimes: FileTimes
    /// Nil until both files are prepared. Its entries: the movie; the photo; if that gets another name, the old photo.
    private var files: FileTransaction?
    /// How to undo the change later; its paths are the names of the files.
    package let record: PairRecord

    /// Undoes the uncommitted changes that killed runs left in a folder.
    ///
    /// - Returns: The restored photos and movies, and an error for each record that this user's program did not write there.
    static func recover(in folder: OpenFolder) -> (restored: [FilePath], ignored: [LivePhotoError]) {
        func unfinished() -> (names: [FilePath], ignored: [LivePhotoError]) {
            var (names, ignored) = ([FilePath](), [LivePhotoError]())
            for hidden in WorkFolder.all(in: folder) {
                do {
                    names += try FileTransaction.namesInPlace(in: hidden, of: folder).map { folder.path.file($0) }
                        .reversed()
                } catch {
                    if let error = error as? LivePhotoError { ignored.append(error) }
                }
            }
            return (names, ignored)
        }
        let before = unfinished()
        WorkFolder.removeLeftovers(in: folder)
        let after = Set(unfinished().names)
        return (before.names.filter { !after.contains($0) }, before.ignored)
    }

    /// A change in place that is not committed.
    package enum Leftover {
        /// A run is undoing it, or has replaced the movie, and with it the file that it has locked.
        case used
        /// A killed run has left it.
        case unused
    }

    /// The change of a movie, which is locked, that is not committed; nil if there is none.
    package static func leftover(of movie: FilePath) -> Leftover? {
        guard let folder = try? OpenFolder(named: movie.folder) else { return nil }
        let hidden = WorkFolder.all(in: folder).first { hidden in
            (try? FileTransaction.namesInPlace(in: hidden, of: folder))?.contains { $0 == movie.lastComponent } ?? false
        }
        return hidden.map { WorkFolder.isUsed($0) ? .used : .unused }
    }

    /// Checks that a pair can be changed in place and locks it. Neither file is changed.
    ///
    /// - Parameters:
    ///   - replacesMovie: Whether another file will replace the movie.
    ///   - ownNames: Returns the number of hard links that journals have made of a file.
    /// - Returns: The lock of the movie.
    /// - Throws: `LivePhotoError`.
    package static func lock(
        photo: FilePath, movie: FilePath, replacesMovie: Bool = false, ownNames: (FilePath, FileIdentity) -> Int
    ) throws(LivePhotoError) -> FileLock {
        // A record names files in its own folder only: one from an archive must not affect other folders.
        guard FileIdentity(photo.folder, followingLink: true) == FileIdentity(movie.folder, followingLink: true) else {
            throw LivePhotoError(
                .invalidRequest, photo,
                "is in another folder than \(movie); bring both into one folder, or make a copy with --output")
        }
        do {
            try FileSystem.checkWritable(photo.folder)
            try checkNames(of: photo, "photo", ownNames)
            if replacesMovie { try checkNames(of: movie, "movie", ownNames) }
        } catch let error as Errno where error != .noSuchFileOrDirectory {
            throw LivePhotoError(
                .cannotCreateOutput, photo, "cannot be replaced in its folder: \(error); make a copy with --output",
                cause: error)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: photo, error)
        }
        return try FileLock(movie, writing: true)
    }

    private static func checkNames(
        of file: FilePath, _ kind: String, _ ownNames: (FilePath, FileIdentity) -> Int
    ) throws {
        let status = try file.stat()
        let links = Int(status.linkCount)
        // Hard links made by this program do not count.
        guard links > 1 else { return }
        let identity = FileIdentity(status)
        guard links <= 1 + ownNames(file, identity) + names(of: file, identity) else {
            throw LivePhotoError(
                .cannotCreateOutput, file,
                "has another name (a hard link), which would keep the old \(kind); make a copy with --output")
        }
    }

    /// The number of names that changes, running or left by killed runs, have for a file as their original.
    static func names(of file: FilePath, _ identity: FileIdentity) -> Int {
        guard let folder = try? OpenFolder(named: file.folder) else { return 0 }
        return WorkFolder.all(in: folder).reduce(0) { $0 + FileTransaction.names(of: identity, in: $1) }
    }

    /// Prepares a change without changing either file. The movie must be locked.
    ///
    /// - Throws: `LivePhotoError`; then nothing is left behind.
    package init(_ change: PairChange) throws(LivePhotoError) {
        self.change = change
        let key = try RecordKey()
        do {
            movieTimes = try FileTimes(of: change.movie)
            record = try PairRecord(of: change)
            folder = try WorkFolder(in: change.photo.folder)
        } catch {
            throw LivePhotoError(writing: change.photo, error)
        }
        do {
            try checkTimes()
            try writePhoto()
            try stageMovie()
            files = try FileTransaction(inPlace: fileChanges, in: folder, key: key)
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
                case .replaceMovie: try files?.perform(0)
                case .replacePhoto, .addPhoto:
                    file = change.renamedPhoto ?? change.photo
                    try files?.perform(1)
                case .removeOldPhoto:
                    file = change.photo
                    try files?.perform(2)
                }
            }
            if change.newPhoto != .kept || change.movieEnd == nil { try folder.parent.synchronize() }
        } catch {
            throw LivePhotoError(writing: file, error)
        }
    }

    /// Makes the change final.
    ///
    /// - Throws: `LivePhotoError`; then the change is not committed.
    package func commit() throws(LivePhotoError) {
        do throws(Errno) {
            try files?.commit()
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
    }

    /// Restores both files. If that is impossible, adds that to the error.
    package func rolledBack(after error: LivePhotoError) -> LivePhotoError {
        guard !rollBack() else { return error }
        let photo = change.photo
        return LivePhotoError(
            error.code, error.file,
            error.reason
                + "; \(photo) and its movie are not yet what they were: livephoto undo \(shellWord(photo.folder.string))"
        )
    }

    private var fileChanges: [FileTransaction.Change] {
        get throws(Errno) {
            guard let photo = change.photo.lastComponent, let movie = change.movie.lastComponent else {
                throw .invalidArgument
            }
            let movieChange: FileTransaction.Change =
                switch record.movie {
                case .changed(let record): .changed(movie, record.inverse, record.times)
                case .replaced: .placed(movie, replacing: true)
                }
            switch change.newPhoto {
            case .kept: return [movieChange, .kept(photo)]
            case .file(_, let name) where name != photo:
                return [movieChange, .placed(name, replacing: false), .removed(photo)]
            case .contents, .file: return [movieChange, .placed(photo, replacing: true)]
            }
        }
    }

    /// Where the new file of a path is prepared.
    private func staged(_ file: FilePath) -> FilePath { folder.new.appending(file.components.suffix(1)) }

    /// Throws if the movie, which is changed in place, cannot keep its times.
    private func checkTimes() throws(LivePhotoError) {
        guard change.movieEnd != nil else { return }
        do throws(Errno) {
            // Only the owner of a file can set its times.
            try movieTimes.set(change.movie)
        } catch {
            throw LivePhotoError(
                .cannotCreateOutput, change.movie,
                "is another user's, so that its times cannot be kept (\(error)); make a copy with --output",
                cause: error)
        }
    }

    /// Reserves the space that the movie's changes need.
    private func reserve() throws(LivePhotoError) {
        guard let end = change.movieEnd else { return }
        do {
            try FileChange.reserve(upTo: end, in: change.movie)
            // Reserving space changes the file's times.
            try movieTimes.set(change.movie)
        } catch {
            throw LivePhotoError(writing: change.movie, error)
        }
    }

    private func writePhoto() throws {
        let newPhoto = staged(change.renamedPhoto ?? change.photo)
        switch change.newPhoto {
        case .kept: return
        case .contents(let bytes): try OutputFile.write(newPhoto) { try $0.write(bytes) }
        case .file(let staged, _): try FileSystem.move(staged, to: newPhoto)
        }
        try finish(newPhoto, replacing: change.photo)
    }

    private func stageMovie() throws {
        guard case .file(let movie) = change.newMovie else { return }
        let newMovie = staged(change.movie)
        do throws(Errno) {
            try FileSystem.move(movie, to: newMovie)
        } catch {
            throw LivePhotoError(writing: change.movie, error)
        }
        try finish(newMovie, replacing: change.movie)
    }

    private func finish(_ file: FilePath, replacing old: FilePath) throws {
        do throws(Errno) {
            try FileAttributes.copy(from: old, to: file)
        } catch {
            throw LivePhotoError(
                .cannotCreateOutput, old,
                "cannot be replaced by a file of the same owner, permissions and attributes (\(error)); make a copy with --output"
            )
        }
        try FileSystem.synchronize(file)
    }
}
