import Bytes
import SystemPackage

/// The data needed to undo a change of a pair in place.
package struct PairRecord: Codable, Sendable {
    struct Digest: Codable, Sendable, Hashable {
        let size: Int
        let checksum: UInt32

        init(_ bytes: [UInt8]) {
            size = bytes.count
            checksum = CRC32.of(bytes)
        }

        /// - Throws: `Errno` of pread(2).
        init(_ file: InputFile) throws {
            var sum = CRC32()
            for offset in stride(from: 0, to: file.size, by: Self.readAtOnce) {
                sum.update(try file.bytes(at: offset, count: Self.readAtOnce))
            }
            (size, checksum) = (file.size, sum.value)
        }

        private static let readAtOnce = 1 << 20
    }

    /// A file that another one replaces, or that stays as it is.
    struct File: Codable, Sendable {
        var path: PathText
        /// The path of the new file; nil if it is the same.
        var newPath: PathText?
        let old: Digest
        /// Nil if the file stays as it is.
        let new: Digest?
        let times: FileTimes

        /// The path after the change.
        var currentPath: FilePath { (newPath ?? path).path }
    }

    /// A movie that is changed in place.
    struct ChangedMovie: Codable, Sendable {
        var path: PathText
        let inverse: ChangeInverse
        let times: FileTimes
        /// Only of a movie that has several names: writing to it changes what all of them name.
        let inode: UInt64?
    }

    enum Movie: Sendable {
        case changed(ChangedMovie)
        case replaced(File)
    }

    var photo: File
    var movie: Movie

    /// A record whose paths are the names of the files.
    ///
    /// - Throws: `Errno` of reading a file.
    package init(of change: PairChange) throws {
        func name(_ path: FilePath) -> PathText { PathText(FilePath(root: nil, path.components.suffix(1))) }
        let new: Digest? =
            switch change.newPhoto {
            case .kept: nil
            case .contents(let bytes): Digest(bytes)
            case .file(let path, _): try Digest(InputFile(path))
            }
        photo = File(
            path: name(change.photo), newPath: change.renamedPhoto.map(name), old: try Digest(InputFile(change.photo)),
            new: new, times: try FileTimes(of: change.photo))
        let (file, times) = (try InputFile(change.movie), try FileTimes(of: change.movie))
        switch change.newMovie {
        case .changes(let changes):
            let status = try file.status()
            movie = .changed(
                ChangedMovie(
                    path: name(change.movie), inverse: try ChangeInverse(of: changes, in: file), times: times,
                    inode: status.linkCount > 1 ? status.inodeNumber : nil))
        case .file(let path):
            movie = .replaced(
                File(path: name(change.movie), old: try Digest(file), new: try Digest(InputFile(path)), times: times))
        }
    }

    /// The record with other paths.
    func mappingPaths(_ transform: (FilePath) throws -> FilePath) rethrows -> PairRecord {
        func mapped(_ path: PathText) throws -> PathText { PathText(try transform(path.path)) }
        var record = self
        record.photo.path = try mapped(photo.path)
        record.photo.newPath = try photo.newPath.map(mapped)
        switch movie {
        case .changed(var file):
            file.path = try mapped(file.path)
            record.movie = .changed(file)
        case .replaced(var file):
            file.path = try mapped(file.path)
            record.movie = .replaced(file)
        }
        return record
    }
}

extension PairRecord.Movie {
    var path: PathText {
        switch self {
        case .changed(let movie): movie.path
        case .replaced(let file): file.path
        }
    }

    /// - Throws: `Errno` of pread(2).
    func state(of movie: InputFile) throws -> ChangeInverse.State {
        switch self {
        case .changed(let record): try record.inverse.state(of: movie)
        case .replaced(let record): try record.state(of: movie)
        }
    }
}

extension PairRecord.File {
    /// Whether a file has the old or the new content.
    ///
    /// - Throws: `Errno` of pread(2).
    func state(of file: InputFile) throws -> ChangeInverse.State {
        guard file.size == old.size || file.size == new?.size else { return .changed }
        let digest = try PairRecord.Digest(file)
        return digest == old ? .old : digest == new ? .new : .changed
    }
}

/// Both kinds have the properties of their movie; only one that is changed in place has an `inverse`.
extension PairRecord.Movie: Codable {
    private enum Key: CodingKey {
        case inverse
    }

    init(from decoder: any Decoder) throws {
        let isChanged = try decoder.container(keyedBy: Key.self).contains(.inverse)
        self =
            isChanged
            ? .changed(try PairRecord.ChangedMovie(from: decoder)) : .replaced(try PairRecord.File(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .changed(let movie): try movie.encode(to: encoder)
        case .replaced(let file): try file.encode(to: encoder)
        }
    }
}
