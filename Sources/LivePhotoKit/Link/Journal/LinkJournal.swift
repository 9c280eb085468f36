import Bytes
import FoundationEssentials
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The hidden folder in which runs that link the pairs of a folder in place note, before each change, how to undo it.
///
/// `journal.jsonl` has one line for a pair that is about to be changed and one when it is done. Beside it stands each
/// photo's original, as a second name of the same file where the file system has such. A line is on the disk before its
/// files are touched; one that is cut off is of a pair that was not.
package final class LinkJournal {
    static let folderName: FilePath.Component = ".livephoto-undo"
    /// No journal of ours is larger: a line has about a kilobyte.
    private static let sizeLimit = 1 << 30

    /// The folder whose pairs are linked.
    private let root: FilePath
    let folder: FilePath
    private let lock: FileLock
    private(set) var entries: [JournalEntry] = []
    /// Numbers of the pairs whose changes are complete.
    private(set) var done: Set<Int> = []
    /// Bytes of the lines that are whole.
    private var size = 0

    private var file: FilePath { folder.appending("journal.jsonl") }

    /// Opens the journal of a folder and locks it.
    ///
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has it.
    convenience init(openedIn root: FilePath) throws(LivePhotoError) {
        guard Self.exists(in: root) else {
            throw LivePhotoError(.noInput, root, "there is nothing to undo: no journal of 'link --by-name' is in it")
        }
        try self.init(root)
    }

    /// Opens the journal of a folder, or makes one, and locks it.
    ///
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has it.
    package convenience init(createdIn root: FilePath) throws(LivePhotoError) {
        let folder = root.appending(Self.folderName)
        do throws(Errno) {
            try FileSystem.createDirectory(folder, .ownerReadWriteExecute)
            try FileSystem.synchronize(root)
        } catch {
            if error != .fileExists { throw LivePhotoError(writing: folder, error) }
        }
        try self.init(root)
    }

    private init(_ root: FilePath) throws(LivePhotoError) {
        self.root = root
        folder = root.appending(Self.folderName)
        do {
            let status = try Stat(folder, followTargetSymlink: false)
            // Another user's journal could have us change what its owner could not.
            guard status.type == .directory, status.userID.rawValue == geteuid() else {
                throw LivePhotoError(
                    .cannotCreateOutput, folder, "is no journal of yours; look at it, and move it away")
            }
            // Not the folder itself, which publishing locks.
            lock = try FileLock(folder.appending("lock"), creating: true)
            if FileIdentity(file) != nil { try read(InputFile(file).contents(limit: Self.sizeLimit)) }
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(reading: folder, error)
        }
    }

    private func read(_ bytes: [UInt8]) throws(LivePhotoError) {
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard let line = try? JSONDecoder().decode(JournalLine.self, from: Data(line)) else {
                throw LivePhotoError(.unusableMedia, file, "is damaged at byte \(size); nothing was undone or changed")
            }
            if let entry = line.pair { entries.append(entry) }
            if let number = line.done { done.insert(number) }
            size = (bytes[size...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count - 1) + 1
        }
    }

    static func exists(in root: FilePath) -> Bool { FileIdentity(root.appending(folderName)) != nil }

    /// Whether an entry is of a file.
    func names(_ file: FilePath, in entry: JournalEntry) -> Bool {
        [entry.photo.path.path, entry.movie.path.path].contains { path($0) == file }
    }

    func original(of entry: JournalEntry) -> FilePath { folder.appending("\(entry.number).photo") }

    /// Where a file of an entry is; nil for a path that no run of ours has noted.
    func path(_ noted: FilePath) -> FilePath? {
        let path = noted
        guard !path.isEmpty, path.isRelative, path.isLexicallyNormal,
            path.components.allSatisfy({ $0.kind == .regular })
        else {
            return nil
        }
        return root == "." ? path : root.appending(path.components)
    }

    /// Notes how to undo a change and keeps the photo's original. Returns when the disk has both.
    ///
    /// - Returns: the number for `markDone`.
    /// - Throws: `LivePhotoError`.
    package func note(_ change: PairChange) throws(LivePhotoError) -> Int {
        let entry: JournalEntry
        do {
            let record = try PairRecord(of: change) { try notedPath($0) }
            entry = JournalEntry(number: (entries.last?.number ?? 0) + 1, photo: record.photo, movie: record.movie)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: change.photo, error)
        }
        do {
            try keep(change.photo, at: original(of: entry))
            try append(JournalLine(pair: entry))
            try FileSystem.synchronize(folder)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: file, error)
        }
        entries.append(entry)
        return entry.number
    }

    /// Notes that a change is complete, so that a file that differs was changed by another.
    package func markDone(_ number: Int) throws(LivePhotoError) {
        do {
            try append(JournalLine(done: number))
        } catch {
            throw LivePhotoError(writing: file, error)
        }
        done.insert(number)
    }

    private func notedPath(_ path: FilePath) throws -> FilePath {
        let path = path.relative(to: root)
        guard self.path(path) != nil else {
            throw LivePhotoError(.internalFault, path, "internal error: it is not below \(root)")
        }
        return path
    }

    private func keep(_ photo: FilePath, at original: FilePath) throws {
        // Of a run that ended before it could write its line.
        try? FileSystem.removeFile(original)
        do {
            try FileSystem.keep(photo, as: original)
        } catch Errno.improperLink {
            throw LivePhotoError(
                .cannotCreateOutput, photo,
                "is on another file system than \(root), where its original would be kept; link its folder alone")
        }
    }

    private func append(_ line: JournalLine) throws {
        let bytes = try Array(JSONEncoder().encode(line)) + [UInt8(ascii: "\n")]
        if FileIdentity(file) == nil { try FileSystem.createFile(file) }
        // A line that was cut off goes away.
        try FileChange.apply([.truncate(to: size), .write(bytes, at: size), .synchronize], to: file)
        size += bytes.count
    }

    /// Forgets the pair noted last, which was not changed after all.
    ///
    /// - Throws: `LivePhotoError`.
    func forget(_ number: Int) throws(LivePhotoError) {
        let forgotten = entries.filter { $0.number == number }
        try rewrite(with: entries.filter { $0.number != number })
        for entry in forgotten { try? FileSystem.removeFile(original(of: entry)) }
    }

    /// How many names the journals in a photo's folder and in those above it have given the photo.
    static func names(of photo: FilePath) -> Int {
        guard let identity = FileIdentity(photo) else { return 0 }
        var count = 0
        var folder = CurrentProcess.folder.pushing(photo).lexicallyNormalized()
        while folder.removeLastComponent() {
            let kept = folder.appending(folderName)
            count += ((try? FileSystem.names(in: kept)) ?? []).count { FileIdentity(kept.appending($0)) == identity }
        }
        return count
    }

    /// A run that has changed nothing leaves no journal.
    func removeIfEmpty() {
        if entries.isEmpty { FileSystem.removeTree(folder) }
    }

    /// Keeps only these entries; without any, the journal goes away.
    func keep(only kept: [JournalEntry]) throws(LivePhotoError) {
        guard !kept.isEmpty else {
            entries = []
            return FileSystem.removeTree(folder)
        }
        try rewrite(with: kept)
    }

    private func rewrite(with kept: [JournalEntry]) throws(LivePhotoError) {
        entries = kept
        do {
            let lines = kept.map { JournalLine(pair: $0, done: done.contains($0.number) ? $0.number : nil) }
            let bytes = try lines.flatMap { try Array(JSONEncoder().encode($0)) + [UInt8(ascii: "\n")] }
            let replacement = try StagedFile(file, replacesExisting: true, inheritsAttributes: true)
            try replacement.write(bytes)
            try replacement.publish()
            size = bytes.count
        } catch {
            throw LivePhotoError(writing: file, error)
        }
    }
}
