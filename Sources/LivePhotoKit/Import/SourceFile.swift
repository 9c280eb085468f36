import Bytes
import Digests
import Files
import Synchronization
import SystemPackage

/// A file that is to be imported, as it is now.
struct SourceFile: Sendable, Hashable {
    let path: FilePath
    /// In bytes.
    let size: Int
    /// The time of the last change in nanoseconds since 1970, modulo 2^64.
    let modified: Int64

    /// The path by which the log knows the file, whatever the working directory.
    var absolutePath: FilePath { CurrentProcess.folder.pushing(path).lexicallyNormalized() }

    /// - Throws: `LivePhotoError` for a file that cannot be found.
    init(_ path: FilePath) throws(LivePhotoError) {
        do {
            let status = try path.stat()
            (self.path, size) = (path, Int(status.size))
            modified = FileTimes(status).modification.nanosecondsSince1970
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }
}

/// The contents of files, each of which is read once.
final class FileDigests: Sendable {
    /// A file when it was read.
    private struct Known {
        let size: Int
        let modified: Int64
        let sha256: ContentDigest
    }

    /// The files. A dictionary of them would take twice the memory, because much of it is empty.
    private struct Table {
        private var places: [FilePath: Int32] = [:]
        private var files: [Known] = []
        /// Places of files that were forgotten.
        private var free: [Int32] = []

        mutating func reserveCapacity(_ count: Int) {
            places.reserveCapacity(count)
            files.reserveCapacity(count)
        }

        subscript(path: FilePath) -> Known? { places[path].map { files[Int($0)] } }

        mutating func add(_ file: Known, _ path: FilePath) {
            if let place = places[path] ?? free.popLast() {
                files[Int(place)] = file
                places[path] = place
            } else {
                places[path] = Int32(files.count)
                files.append(file)
            }
        }

        mutating func remove(_ path: FilePath) {
            if let place = places.removeValue(forKey: path) { free.append(place) }
        }
    }

    private let known = Mutex(Table())

    /// Takes memory for so many files at once.
    func reserveCapacity(_ count: Int) { known.withLock { $0.reserveCapacity(count) } }

    /// A digest that was recorded earlier.
    func add(_ sha256: ContentDigest, of file: SourceFile) {
        known.withLock { $0.add(Known(size: file.size, modified: file.modified, sha256: sha256), file.path) }
    }

    /// SHA-256 of a file that was read or recorded.
    func known(_ path: FilePath) -> ContentDigest? { known.withLock { $0[path]?.sha256 } }

    /// Frees the memory for files that are not needed any more, for others.
    func forget(_ paths: [FilePath]) {
        known.withLock { known in
            for path in paths { known.remove(path) }
        }
    }

    /// SHA-256 of a file, and the file as it was when it was read.
    ///
    /// - Throws: `LivePhotoError`, also for a file that has changed since it was read.
    func read(_ path: FilePath) throws(LivePhotoError) -> (file: SourceFile, sha256: ContentDigest) {
        let file = try SourceFile(path)
        if let known = known.withLock({ $0[path] }) {
            guard (known.size, known.modified) == (file.size, file.modified) else { throw Self.changed(path) }
            return (file, known.sha256)
        }
        let digest = try Self.sha256(path)
        guard try SourceFile(path) == file else { throw Self.changed(path) }
        add(digest, of: file)
        return (file, digest)
    }

    private static func changed(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.temporary, path, "was changed while it was imported; run the same command again")
    }

    /// - Throws: `LivePhotoError`.
    static func sha256(_ path: FilePath) throws(LivePhotoError) -> ContentDigest {
        do {
            guard try path.stat().type == .directory else { return try sha256(InputFile(path)) }
            // A bundle.
            let names = try FileSystem.names(in: path).map { path.appending($0) }.sorted { $0.string < $1.string }
            let files = try names.filter { try $0.stat(followTargetSymlink: false).type == .regular }
            return try digest(
                Digest.sha256(
                    try files.map { "\($0.lastComponent?.string ?? "") \(try sha256($0))" }.joined(separator: " ")))
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }

    /// - Throws: `Errno`.
    static func sha256(_ file: InputFile) throws -> ContentDigest { try digest(Digest.sha256(file)) }

    private static func digest(_ text: String) throws(Errno) -> ContentDigest {
        guard let digest = ContentDigest(hexadecimal: text) else { throw .ioError }
        return digest
    }
}
