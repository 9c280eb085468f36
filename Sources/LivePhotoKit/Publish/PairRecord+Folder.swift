import Bytes
import SystemPackage

// While a change is in progress, its hidden folder contains the record, `change.json`, and the originals of the files that
// it replaces.
extension PairRecord {
    private static let name: FilePath.Component = "change.json"
    private static let originalPhotoName: FilePath.Component = "original"
    private static let originalMovieName: FilePath.Component = "original-movie"
    /// The name of a record that can no longer be applied because its files were changed by something else.
    private static let refusedName: FilePath.Component = "refused.json"
    private static let sizeLimit = 1 << 30

    /// Whether a folder has a record of an uncommitted change.
    static func exists(in folder: FilePath) -> Bool { FileSystem.exists(folder.appending(name)) }

    /// Whether a folder has a record that cannot be applied. It is kept because an original may be beside it.
    static func isRefused(in folder: FilePath) -> Bool { FileSystem.exists(folder.appending(refusedName)) }

    /// Whether a folder keeps a file as an original.
    static func keeps(_ file: FileIdentity, in folder: FilePath) -> Bool {
        [originalPhotoName, originalMovieName].contains { FileIdentity(folder.appending($0)) == file }
    }

    /// Keeps the originals and writes the record. Returns when everything is on the disk.
    ///
    /// - Parameters:
    ///   - newPhoto: The prepared file; the photo itself if that stays as it is.
    ///   - newMovie: The prepared file; the movie itself if that is changed in place.
    /// - Throws: `Errno`.
    func write(
        in folder: FilePath, of change: PairChange, newPhoto: FilePath, newMovie: FilePath
    ) throws {
        if photo.new != nil { try FileSystem.keep(change.photo, as: folder.appending(Self.originalPhotoName)) }
        if case .replaced = movie {
            try FileSystem.keep(change.movie, as: folder.appending(Self.originalMovieName))
        }
        var record = self
        record.folderInode = try Stat(folder).inodeNumber
        record.photo.inode = try Stat(newPhoto).inodeNumber
        record.movie.inode = try Stat(newMovie).inodeNumber
        // The record gets its name when it is complete.
        let unfinished = folder.appending("unfinished.json")
        try OutputFile.write(unfinished) { try $0.write(JSON.line(record)) }
        try FileSystem.synchronize(unfinished)
        try FileSystem.move(unfinished, to: folder.appending(Self.name))
        try FileSystem.synchronize(folder)
        try FileSystem.synchronize(folder.folder)
    }

    /// The names of the photo and the movie before an uncommitted change; empty without one.
    static func names(in folder: FilePath) -> [FilePath.Component] {
        guard let record = try? read(in: folder) else { return [] }
        return [record.photo.path, record.movie.path].compactMap(\.path.lastComponent)
    }

    /// - Throws: `Errno`; `DecodingError` for a file that this program did not write.
    private static func read(in folder: FilePath) throws -> PairRecord {
        try JSON.decode(from: InputFile(folder.appending(name)).contents(limit: sizeLimit))
    }

    /// Commits the change: it can no longer be undone.
    static func forget(in folder: FilePath) throws(Errno) {
        try FileSystem.removeFile(folder.appending(name))
        // Otherwise a power failure could bring the record back.
        try? FileSystem.synchronize(folder)
    }

    /// Undoes the uncommitted change recorded in a folder, if there is one. Either both files are restored or neither.
    ///
    /// - Returns: False if that is impossible now, or if something else has changed the files.
    static func undo(in folder: FilePath) -> Bool {
        guard exists(in: folder) else { return !isRefused(in: folder) }
        do {
            let record = try read(in: folder)
            guard record.folderInode == (try Stat(folder, followTargetSymlink: false)).inodeNumber,
                let photo = replaced(record.photo, folder, originalPhotoName)
            else { return false }
            var movie: ReplacedFile?
            let (photoState, movieState): (MovieInverse.State?, MovieInverse.State?)
            photoState = try photo.state()
            switch record.movie {
            case .changed(let changed): movieState = try changed.state(in: folder)
            case .replaced(let file):
                movie = replaced(file, folder, originalMovieName)
                guard let movie else { return false }
                movieState = try movie.state()
            }
            guard photoState != .changed, movieState != .changed else {
                try FileSystem.move(folder.appending(name), to: folder.appending(refusedName))
                return false
            }
            // If both files are gone, their owner has removed them.
            let isGone = photoState == nil && movieState == nil
            if case .changed(let changed) = record.movie, let movieState {
                try changed.undo(in: folder, from: movieState)
            }
            if let movie, !isGone, movieState != .old { try movie.restore() }
            if !isGone, photoState != .old { try photo.restore() }
            try forget(in: folder)
            return true
        } catch {
            return false
        }
    }

    /// - Returns: Nil for paths that this program does not record.
    private static func replaced(
        _ file: File, _ folder: FilePath, _ original: FilePath.Component
    ) -> ReplacedFile? {
        guard let name = file.path.path.lastComponent else { return nil }
        let newName = file.newPath?.path.lastComponent
        guard file.inode != nil, (newName == nil) == (file.newPath == nil) else { return nil }
        return ReplacedFile(
            record: file, path: folder.folder.appending(name),
            newPath: newName.map { folder.folder.appending($0) }, original: folder.appending(original))
    }
}

extension PairRecord.ChangedMovie {
    private func file(_ folder: FilePath) throws(Errno) -> FilePath {
        guard let name = path.path.lastComponent else { throw .invalidArgument }
        return folder.folder.appending(name)
    }

    /// - Parameter folder: The hidden folder with the record, in the movie's folder.
    /// - Returns: Nil if there is no such file.
    fileprivate func state(in folder: FilePath) throws -> MovieInverse.State? {
        let movie = try file(folder)
        do throws(Errno) {
            let status = try Stat(movie, followTargetSymlink: false)
            guard status.type == .regular, status.inodeNumber == inode else { return .changed }
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
        return try inverse.state(of: movie)
    }

    fileprivate func undo(in folder: FilePath, from state: MovieInverse.State) throws {
        let movie = try file(folder)
        try FileChange.apply(state == .old ? inverse.release : inverse.changes, to: movie)
        // Only the owner can set the times; restoring the contents matters more.
        try? times.set(movie)
    }
}

extension Stat {
    fileprivate var inodeNumber: UInt64 { UInt64(inode.rawValue) }
}
