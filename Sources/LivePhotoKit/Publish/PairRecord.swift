import Bytes
import FoundationEssentials
import StillImage
import SystemPackage

/// What has to be known to bring a pair that was changed in place back to what it was.
struct PairRecord: Codable, Sendable {
    struct Digest: Codable, Sendable, Hashable {
        let size: Int
        let checksum: UInt32

        init(_ bytes: [UInt8]) {
            size = bytes.count
            checksum = CRC32.of(bytes)
        }
    }

    struct Times: Codable, Sendable {
        private let access: FileTimes.Time
        private let modification: FileTimes.Time

        init(_ times: FileTimes) {
            (access, modification) = (times.access, times.modification)
        }

        var times: FileTimes { FileTimes(access: access, modification: modification) }
    }

    struct Photo: Codable, Sendable {
        let path: PathText
        let old: Digest
        let new: Digest
        let times: Times
        // From a journal it is not needed.
        var inode: UInt64?
    }

    struct Movie: Codable, Sendable {
        let path: PathText
        let inverse: MovieInverse
        let times: Times
        var inode: UInt64?
    }

    var photo: Photo
    var movie: Movie
    /// Of the hidden folder that has the record. With the inodes of the files it proves that the record was made here: one
    /// that came with an archive must have no power over files.
    var folderInode: UInt64?

    /// - Parameter path: how a file is noted.
    /// - Throws: `Errno` of reading either file; what `path` throws.
    init(of change: PairChange, path: (FilePath) throws -> FilePath) throws {
        let old = try InputFile(change.photo)
        photo = Photo(
            path: PathText(try path(change.photo)), old: Digest(try old.contents(limit: PhotoEditor.fileSizeLimit)),
            new: Digest(change.newPhoto), times: Times(try FileTimes(of: change.photo)))
        movie = Movie(
            path: PathText(try path(change.movie)),
            inverse: try MovieInverse(of: change.movieChanges, in: InputFile(change.movie)),
            times: Times(try FileTimes(of: change.movie)))
    }
}

extension PairRecord.Photo {
    /// - Parameter path: as it is opened here.
    /// - Throws: `Errno` of opening and reading.
    func state(of path: FilePath) throws -> MovieInverse.State {
        let file = try InputFile(path)
        guard file.size == old.size || file.size == new.size else { return .changed }
        let digest = PairRecord.Digest(try file.contents(limit: PhotoEditor.fileSizeLimit))
        return digest == old ? .old : digest == new ? .new : .changed
    }
}

// In the hidden folder of a change that is under way, the record is `change.json`, and the photo's original `original`.
extension PairRecord {
    private static let name: FilePath.Component = "change.json"
    private static let originalName: FilePath.Component = "original"
    /// What a record is called that cannot be followed any more, since its files were changed by others.
    private static let refusedName: FilePath.Component = "refused.json"
    private static let sizeLimit = 1 << 30

    /// Whether a folder has a record that is to be followed.
    static func exists(in folder: FilePath) -> Bool { FileIdentity(folder.appending(name)) != nil }

    /// Whether a folder has one that cannot be. It stays, since the photo's original may be in it.
    static func isRefused(in folder: FilePath) -> Bool { FileIdentity(folder.appending(refusedName)) != nil }

    /// Whether a folder keeps a photo, as its original.
    static func keeps(_ photo: FileIdentity, in folder: FilePath) -> Bool {
        FileIdentity(folder.appending(originalName)) == photo
    }

    /// Keeps the photo's original and writes the record. Returns when the disk has both.
    ///
    /// - Throws: `Errno`.
    func write(in folder: FilePath, original photo: FilePath, newPhoto: FilePath, movie: FilePath) throws {
        try FileSystem.keep(photo, as: folder.appending(Self.originalName))
        var record = self
        record.folderInode = try Stat(folder).inodeNumber
        record.photo.inode = try Stat(newPhoto).inodeNumber
        record.movie.inode = try Stat(movie).inodeNumber
        // It gets its name when it is complete.
        let unfinished = folder.appending("unfinished.json")
        try OutputFile.write(unfinished) { try $0.write(JSONEncoder().encode(record)) }
        try FileSystem.synchronize(unfinished)
        try FileSystem.move(unfinished, to: folder.appending(Self.name))
        try FileSystem.synchronize(folder)
        try FileSystem.synchronize(folder.folder)
    }

    /// The photo and the movie of a change that is under way, or was when its process was killed; none of others.
    static func names(in folder: FilePath) -> [FilePath.Component] {
        guard let record = try? read(in: folder) else { return [] }
        return [record.photo.path, record.movie.path].compactMap(\.path.lastComponent)
    }

    /// - Throws: `Errno`; `DecodingError` for what this program has not written.
    private static func read(in folder: FilePath) throws -> PairRecord {
        let bytes = try InputFile(folder.appending(name)).contents(limit: sizeLimit)
        return try JSONDecoder().decode(PairRecord.self, from: Data(bytes))
    }

    /// Makes the change final: from now on it is not undone.
    static func forget(in folder: FilePath) throws(Errno) {
        try FileSystem.removeFile(folder.appending(name))
        // Otherwise a power failure could bring the record back.
        try? FileSystem.synchronize(folder)
    }

    /// Brings a pair back to what it was, if a folder has the record of a change that is not final.
    ///
    /// - Returns: false where that cannot be done now, or something else has changed the files since.
    static func undo(in folder: FilePath) -> Bool {
        guard exists(in: folder) else { return !isRefused(in: folder) }
        do {
            let record = try read(in: folder)
            guard record.folderInode == (try Stat(folder, followTargetSymlink: false)).inodeNumber,
                let photo = record.photo.path.path.lastComponent, let movie = record.movie.path.path.lastComponent
            else { return false }
            let undoing = try Undoing(
                record, photo: folder.folder.appending(photo), movie: folder.folder.appending(movie),
                original: folder.appending(originalName))
            guard undoing.isPossible else {
                try FileSystem.move(folder.appending(name), to: folder.appending(refusedName))
                return false
            }
            try undoing.run()
            try forget(in: folder)
            return true
        } catch {
            return false
        }
    }

    /// What undoing a change has to do. Nothing is done unless all of it can be.
    private struct Undoing {
        private let record: PairRecord
        private let (photo, movie): (FilePath, FilePath)
        private let original: FilePath
        /// Nil for a file that is not there any more.
        private let photoState: MovieInverse.State?
        private let movieState: MovieInverse.State?

        /// - Throws: `Errno` for what keeps the files from being looked at.
        init(_ record: PairRecord, photo: FilePath, movie: FilePath, original: FilePath) throws {
            (self.record, self.photo, self.movie, self.original) = (record, photo, movie, original)
            photoState =
                if let inode = try Self.inode(of: photo) {
                    try Self.state(of: photo, inode, record.photo, original)
                } else {
                    nil
                }
            movieState =
                switch try Self.inode(of: movie) {
                case nil: nil
                case record.movie.inode: try record.movie.inverse.state(of: movie)
                case .some: .changed
                }
        }

        private static func state(
            of photo: FilePath, _ inode: UInt64, _ record: PairRecord.Photo, _ original: FilePath
        ) throws -> MovieInverse.State {
            if inode == (try Stat(original).inodeNumber) { return .old }
            // The original is a copy where files cannot have two names.
            let state = try record.state(of: photo)
            return state == .new && inode != record.inode ? .changed : state
        }

        /// Of a file; nil where there is none.
        private static func inode(of path: FilePath) throws -> UInt64? {
            do throws(Errno) {
                let status = try Stat(path, followTargetSymlink: false)
                return status.type == .regular ? status.inodeNumber : 0
            } catch {
                guard error == .noSuchFileOrDirectory else { throw error }
                return nil
            }
        }

        var isPossible: Bool { photoState != .changed && movieState != .changed }

        func run() throws {
            if movieState != nil {
                // Also of the old one: it gives back what was reserved behind it.
                try FileChange.apply(record.movie.inverse.changes, to: movie)
                // Only its owner can; the bytes count.
                try? record.movie.times.times.set(movie)
            }
            // Where both are gone, their owner has removed them.
            guard photoState == .new || photoState == nil && movieState != nil else { return }
            try FileSystem.move(original, to: photo)
            try FileSystem.synchronize(photo.folder)
        }
    }
}

extension Stat {
    fileprivate var inodeNumber: UInt64 { UInt64(inode.rawValue) }
}
