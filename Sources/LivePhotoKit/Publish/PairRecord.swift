import Bytes
import StillImage
import SystemPackage

/// The data needed to undo a change of a pair in place.
struct PairRecord: Codable, Sendable {
    struct Digest: Codable, Sendable, Hashable {
        let size: Int
        let checksum: UInt32

        init(_ bytes: [UInt8]) {
            size = bytes.count
            checksum = CRC32.of(bytes)
        }
    }

    struct Photo: Codable, Sendable {
        let path: PathText
        let old: Digest
        let new: Digest
        let times: FileTimes
        /// Of the new photo; nil in a journal.
        var inode: UInt64?
    }

    struct Movie: Codable, Sendable {
        let path: PathText
        let inverse: MovieInverse
        let times: FileTimes
        /// Nil in a journal.
        var inode: UInt64?
    }

    var photo: Photo
    var movie: Movie
    /// The inode of the hidden folder with the record. Together with the inodes of the files it proves that the record was
    /// made here: a record from an archive must not change files.
    var folderInode: UInt64?

    /// - Parameter path: Returns the path to record for a file.
    /// - Throws: `Errno` of reading either file; errors of `path`.
    init(of change: PairChange, path: (FilePath) throws -> FilePath) throws {
        let old = try InputFile(change.photo)
        photo = Photo(
            path: PathText(try path(change.photo)), old: Digest(try old.contents(limit: PhotoEditor.fileSizeLimit)),
            new: Digest(change.newPhoto), times: try FileTimes(of: change.photo))
        movie = Movie(
            path: PathText(try path(change.movie)),
            inverse: try MovieInverse(of: change.movieChanges, in: InputFile(change.movie)),
            times: try FileTimes(of: change.movie))
    }
}

extension PairRecord.Photo {
    /// - Throws: `Errno` of opening and reading.
    func state(of path: FilePath) throws -> MovieInverse.State {
        let file = try InputFile(path)
        guard file.size == old.size || file.size == new.size else { return .changed }
        let digest = PairRecord.Digest(try file.contents(limit: PhotoEditor.fileSizeLimit))
        return digest == old ? .old : digest == new ? .new : .changed
    }
}

// While a change is in progress, its hidden folder contains the record, `change.json`, and the photo's `original`.
extension PairRecord {
    private static let name: FilePath.Component = "change.json"
    private static let originalName: FilePath.Component = "original"
    /// The name of a record that can no longer be applied because its files were changed by something else.
    private static let refusedName: FilePath.Component = "refused.json"
    private static let sizeLimit = 1 << 30

    /// Whether a folder has a record of an uncommitted change.
    static func exists(in folder: FilePath) -> Bool { FileSystem.exists(folder.appending(name)) }

    /// Whether a folder has a record that cannot be applied. It is kept because the original photo may be beside it.
    static func isRefused(in folder: FilePath) -> Bool { FileSystem.exists(folder.appending(refusedName)) }

    /// Whether a folder keeps a photo as its original.
    static func keeps(_ photo: FileIdentity, in folder: FilePath) -> Bool {
        FileIdentity(folder.appending(originalName)) == photo
    }

    /// Keeps the photo's original and writes the record. Returns when both are on the disk.
    ///
    /// - Throws: `Errno`.
    func write(in folder: FilePath, original photo: FilePath, newPhoto: FilePath, movie: FilePath) throws {
        try FileSystem.keep(photo, as: folder.appending(Self.originalName))
        var record = self
        record.folderInode = try Stat(folder).inodeNumber
        record.photo.inode = try Stat(newPhoto).inodeNumber
        record.movie.inode = try Stat(movie).inodeNumber
        // The record gets its name when it is complete.
        let unfinished = folder.appending("unfinished.json")
        try OutputFile.write(unfinished) { try $0.write(JSON.line(record)) }
        try FileSystem.synchronize(unfinished)
        try FileSystem.move(unfinished, to: folder.appending(Self.name))
        try FileSystem.synchronize(folder)
        try FileSystem.synchronize(folder.folder)
    }

    /// The names of the photo and the movie of an uncommitted change; empty without one.
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
                let photoName = record.photo.path.path.lastComponent,
                let movieName = record.movie.path.path.lastComponent
            else { return false }
            let (photo, movie) = (folder.folder.appending(photoName), folder.folder.appending(movieName))
            let original = folder.appending(originalName)
            let photoState = try record.state(ofPhoto: photo, original: original)
            let movieState = try record.state(ofMovie: movie)
            guard photoState != .changed, movieState != .changed else {
                try FileSystem.move(folder.appending(name), to: folder.appending(refusedName))
                return false
            }
            if movieState != nil {
                // For an old movie too, because this releases the space reserved after it.
                try FileChange.apply(record.movie.inverse.changes, to: movie)
                // Only the owner can set the times; restoring the contents matters more.
                try? record.movie.times.set(movie)
            }
            // If both files are gone, their owner has removed them.
            if photoState == .new || photoState == nil && movieState != nil {
                try FileSystem.move(original, to: photo)
                try FileSystem.synchronize(photo.folder)
            }
            try forget(in: folder)
            return true
        } catch {
            return false
        }
    }

    /// - Returns: Nil if there is no such file.
    private func state(ofPhoto path: FilePath, original: FilePath) throws -> MovieInverse.State? {
        guard let inode = try Self.inode(of: path) else { return nil }
        guard inode != Self.noRegularFile else { return .changed }
        if inode == (try Stat(original).inodeNumber) { return .old }
        // The original is a copy if the file system has no hard links.
        let state = try photo.state(of: path)
        return state == .new && inode != photo.inode ? .changed : state
    }

    /// - Returns: Nil if there is no such file.
    private func state(ofMovie path: FilePath) throws -> MovieInverse.State? {
        guard let inode = try Self.inode(of: path) else { return nil }
        return inode == movie.inode && inode != Self.noRegularFile ? try movie.inverse.state(of: path) : .changed
    }

    /// Used as the inode of a link or a folder, which a forged record must not match.
    private static let noRegularFile: UInt64 = 0

    /// - Returns: The inode of a regular file, `noRegularFile` for anything else, nil if there is nothing.
    private static func inode(of path: FilePath) throws -> UInt64? {
        do throws(Errno) {
            let status = try Stat(path, followTargetSymlink: false)
            return status.type == .regular ? status.inodeNumber : noRegularFile
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
    }
}

extension Stat {
    fileprivate var inodeNumber: UInt64 { UInt64(inode.rawValue) }
}
