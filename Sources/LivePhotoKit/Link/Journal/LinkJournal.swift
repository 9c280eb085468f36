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

/// A pair that `FolderLinker` has changed in place, or was about to, and how to undo that.
struct JournalEntry: Codable, Sendable {
    /// Increasing numbers; also in the name of the photo's original.
    let number: Int
    /// Its path is relative to the folder with the journal.
    let photo: PairRecord.Photo
    /// Its path is relative to the folder with the journal.
    let movie: PairRecord.Movie
}

/// One line of a journal: a pair that is about to be changed, the number of one that has been, or both.
private struct JournalLine: Codable {
    var pair: JournalEntry?
    var done: Int?
}

/// The hidden folder in which `FolderLinker` records, before each change in place, how to undo it.
///
/// `journal.jsonl` has one line for a pair that is about to be changed and one when it is done. Beside it are the original
/// photos, as hard links if the file system has them. A line is on the disk before its files are changed; the files of an
/// incomplete line were not changed.
package final class LinkJournal {
    static let folderName: FilePath.Component = ".livephoto-undo"
    /// A line has about a kilobyte.
    private static let sizeLimit = 1 << 30

    /// The folder whose pairs are linked.
    private let root: FilePath
    let folder: FilePath
    private let lock: FileLock
    private(set) var entries: [JournalEntry] = []
    /// The numbers of the pairs whose changes are complete.
    private(set) var done: Set<Int> = []
    /// The size of the complete lines in bytes.
    private var size = 0

    private static let fileName: FilePath.Component = "journal.jsonl"
    private var file: FilePath { folder.appending(Self.fileName) }

    /// Opens the journal of a folder and locks it.
    ///
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has locked it.
    convenience init(openedIn root: FilePath) throws(LivePhotoError) {
        guard Self.exists(in: root) else {
            throw LivePhotoError(.noInput, root, "there is nothing to undo: no journal of 'link --by-name' is in it")
        }
        try self.init(root)
    }

    /// Opens the journal of a folder, or creates one, and locks it.
    ///
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has locked it.
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
            // The journal of another user could make this process change files that its owner cannot change.
            guard status.type == .directory, status.userID.rawValue == geteuid() else {
                throw LivePhotoError(
                    .cannotCreateOutput, folder, "is not your journal; check it and move it away")
            }
            // A file, because publishing locks the folder itself.
            lock = try Self.lock(folder)
            if FileIdentity(file) != nil { try read(InputFile(file).contents(limit: Self.sizeLimit)) }
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(reading: folder, error)
        }
    }

    private static func lock(_ folder: FilePath) throws(LivePhotoError) -> FileLock {
        do throws(LivePhotoError) {
            return try FileLock(folder.appending("lock"), creating: true)
        } catch {
            guard error.code != .temporary else { throw error }
            // On a read-only or full file system. Not the folder, which publishing waits for.
            return try FileLock(folder.appending(fileName))
        }
    }

    private func read(_ bytes: [UInt8]) throws(LivePhotoError) {
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard let content = try? JSON.decode(JournalLine.self, from: line) else {
                throw LivePhotoError(.unusableMedia, file, "is damaged at byte \(size); nothing was undone or changed")
            }
            if let entry = content.pair { entries.append(entry) }
            if let number = content.done { done.insert(number) }
            size = line.endIndex + 1
        }
    }

    static func exists(in root: FilePath) -> Bool { FileIdentity(root.appending(folderName)) != nil }

    /// Whether any entry names a file.
    func names(_ file: FilePath) -> Bool {
        entries.contains { path($0.photo.path.path) == file || path($0.movie.path.path) == file }
    }

    /// Where the original of the photo of an entry is kept.
    func original(_ number: Int) -> FilePath { folder.appending("\(number).photo") }

    /// Returns where a file of an entry is; nil for a path that this program does not write.
    func path(_ recorded: FilePath) -> FilePath? {
        guard !recorded.isEmpty, recorded.isRelative, recorded.isLexicallyNormal,
            recorded.components.allSatisfy({ $0.kind == .regular })
        else { return nil }
        return root == "." ? recorded : root.appending(recorded.components)
    }

    /// Records how to undo a change and keeps the original photo. Returns when both are on the disk.
    ///
    /// - Returns: The number for `markDone`.
    /// - Throws: `LivePhotoError`.
    package func note(_ change: PairChange) throws(LivePhotoError) -> Int {
        let entry: JournalEntry
        do {
            let record = try PairRecord(of: change) { try recordedPath($0) }
            entry = JournalEntry(number: (entries.last?.number ?? 0) + 1, photo: record.photo, movie: record.movie)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: change.photo, error)
        }
        do {
            try keep(change.photo, at: original(entry.number))
            try append(JournalLine(pair: entry))
            try FileSystem.synchronize(folder)
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: file, error)
        }
        entries.append(entry)
        return entry.number
    }

    /// Records that a change is complete: if a file differs from now on, something else has changed it.
    package func markDone(_ number: Int) throws(LivePhotoError) {
        do {
            try append(JournalLine(done: number))
        } catch {
            throw LivePhotoError(writing: file, error)
        }
        done.insert(number)
    }

    private func recordedPath(_ path: FilePath) throws -> FilePath {
        let path = path.relative(to: root)
        guard self.path(path) != nil else {
            throw LivePhotoError(.internalError, path, "internal error: it is not below \(root)")
        }
        return path
    }

    private func keep(_ photo: FilePath, at original: FilePath) throws {
        // A run that was killed before it wrote its line may have left one.
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
        let bytes = try JSON.line(line)
        if !FileSystem.exists(file) { try FileSystem.createFile(file) }
        // This overwrites an incomplete line.
        try FileChange.apply([.truncate(to: size), .write(bytes, at: size), .synchronize], to: file)
        size += bytes.count
    }

    /// Removes the entry of a pair that was not changed after all.
    ///
    /// - Throws: `LivePhotoError`.
    func forget(_ number: Int) throws(LivePhotoError) {
        try rewrite(with: entries.filter { $0.number != number })
        try? FileSystem.removeFile(original(number))
    }

    /// The number of hard links that the journals in a photo's folder and its parents have made of the photo.
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

    func removeIfEmpty() {
        if entries.isEmpty { WorkFolder.discard(folder) }
    }

    /// Removes all other entries, and the journal if none is left.
    func keep(only kept: [JournalEntry]) throws(LivePhotoError) {
        if !kept.isEmpty { return try rewrite(with: kept) }
        entries = []
        removeIfEmpty()
    }

    private func rewrite(with kept: [JournalEntry]) throws(LivePhotoError) {
        entries = kept
        do {
            let lines = kept.map { JournalLine(pair: $0, done: done.contains($0.number) ? $0.number : nil) }
            let bytes = try lines.flatMap { try JSON.line($0) }
            let replacement = try StagedFile(file, replacesExisting: true, inheritsAttributes: true)
            try replacement.write(bytes)
            try replacement.publish()
            size = bytes.count
        } catch {
            throw LivePhotoError(writing: file, error)
        }
    }
}
