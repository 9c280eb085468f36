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
    }

    struct Movie: Codable, Sendable {
        let path: PathText
        let inverse: MovieInverse
        let times: Times
    }

    let photo: Photo
    let movie: Movie

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
    private static let sizeLimit = 1 << 26

    static func exists(in folder: FilePath) -> Bool { FileIdentity(folder.appending(name)) != nil }

    /// Keeps the photo's original and writes the record. Returns when the disk has both.
    ///
    /// - Throws: `Errno`.
    func write(in folder: FilePath, original photo: FilePath) throws {
        try FileSystem.keep(photo, as: folder.appending(Self.originalName))
        // It gets its name when it is complete.
        let unfinished = folder.appending("unfinished.json")
        let file = try OutputFile(creating: unfinished)
        try file.write(JSONEncoder().encode(self))
        try file.synchronize()
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
        guard exists(in: folder) else { return true }
        do {
            let record = try read(in: folder)
            guard let photo = record.photo.path.path.lastComponent, let movie = record.movie.path.path.lastComponent,
                try record.movie.undo(at: folder.folder.appending(movie)),
                try record.photo.undo(at: folder.folder.appending(photo), original: folder.appending(originalName))
            else { return false }
            try forget(in: folder)
            return true
        } catch {
            return false
        }
    }
}

extension PairRecord.Movie {
    /// - Returns: whether it is the old one again, or is gone.
    fileprivate func undo(at path: FilePath) throws -> Bool {
        guard FileIdentity(path, followingLink: true) != nil else { return true }
        // The record may be a stranger's, out of an archive: it has power over movies only.
        guard try Self.isMovie(path), try inverse.state(of: path) != .changed else { return false }
        // Also of the old one: it gives back what was reserved behind it.
        try FileChange.apply(inverse.changes, to: path)
        try times.times.set(path)
        return true
    }

    /// By the type of its first box.
    private static func isMovie(_ path: FilePath) throws -> Bool {
        let type = try InputFile(path).bytes(at: 4, count: 4)
        return ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains { type.elementsEqual($0.utf8) }
    }
}

extension PairRecord.Photo {
    /// - Returns: whether it is the old one again.
    fileprivate func undo(at path: FilePath, original: FilePath) throws -> Bool {
        if FileIdentity(path) != nil {
            switch try state(of: path) {
            case .old: return true
            // As for movies.
            case .new where try PhotoMetadata.Format(of: InputFile(path).bytes(at: 0, count: 32)) != nil: break
            case .new, .changed, .between: return false
            }
        }
        try FileSystem.move(original, to: path)
        try FileSystem.synchronize(path.folder)
        return true
    }
}
