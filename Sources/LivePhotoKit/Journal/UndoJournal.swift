import Bytes
import FoundationEssentials
import Synchronization
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The hidden folder in which commands record, before each change in place, how to undo it: `FolderLinker` in the folder
/// whose pairs it links, `LivePhotoEditor` in the folder of each pair.
///
/// `journal.jsonl` has one line for a pair that is about to be changed and one when it is done. Beside it are the originals
/// of files that were replaced, as hard links if the file system has them. A line is on the disk before its files are
/// changed; the files of an incomplete line were not changed.
package final class UndoJournal: Sendable {
    static let folderName: FilePath.Component = ".livephoto-undo"
    /// A line has about a kilobyte.
    private static let sizeLimit = 1 << 30

    /// The folder whose pairs are changed.
    let root: FilePath
    let folder: FilePath
    private let lock: FileLock
    let content = Mutex(Content())

    struct Content {
        var entries: [JournalEntry] = []
        /// The numbers of the pairs whose changes are complete.
        var done: Set<Int> = []
        /// Files that were written beside changed pairs.
        var texts: [JournalText] = []
        /// The size of the complete lines in bytes.
        var size = 0
    }

    var entries: [JournalEntry] { content.withLock { $0.entries } }
    /// The numbers of the pairs whose changes are complete.
    var done: Set<Int> { content.withLock { $0.done } }

    private static let fileName: FilePath.Component = "journal.jsonl"
    var file: FilePath { folder.appending(Self.fileName) }

    /// Opens the journal of a folder and locks it.
    ///
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has locked it.
    convenience init(openedIn root: FilePath, for command: InPlaceUndo.Command) throws(LivePhotoError) {
        guard Self.exists(in: root) else { throw command.nothingToUndo(in: root) }
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
            if FileIdentity(file) != nil {
                let read = try Self.read(InputFile(file).contents(limit: Self.sizeLimit), of: file)
                content.withLock { $0 = read }
            }
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
            guard error.code != .temporary else {
                throw LivePhotoError(
                    .temporary, folder.folder,
                    "another run of livephoto is changing pairs in this folder; try again when that has ended")
            }
            // On a read-only or full file system. Not the folder, which publishing waits for.
            return try FileLock(folder.appending(fileName))
        }
    }

    private static func read(_ bytes: [UInt8], of file: FilePath) throws(LivePhotoError) -> Content {
        var read = Content()
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
            guard let content = try? JSON.decode(JournalLine.self, from: line) else {
                throw LivePhotoError(
                    .unusableMedia, file, "is damaged at byte \(read.size); nothing was undone or changed")
            }
            if let entry = content.pair { read.entries.append(entry) }
            if let number = content.done { read.done.insert(number) }
            if let text = content.text { read.texts.append(text) }
            read.size = line.endIndex + 1
        }
        return read
    }

    /// The entries of a journal that is not locked; none if it cannot be read.
    static func entries(in root: FilePath) throws -> [JournalEntry] {
        let file = root.appending(folderName).appending(fileName)
        guard FileIdentity(file) != nil else { return [] }
        return try read(InputFile(file).contents(limit: sizeLimit), of: file).entries
    }

    static func exists(in root: FilePath) -> Bool { FileIdentity(root.appending(folderName)) != nil }

    /// Whether any entry names a file.
    func names(_ file: FilePath) -> Bool {
        entries.contains { $0.paths.contains { path($0) == file } }
    }

    /// Where the original photo of an entry is kept.
    func originalPhoto(_ number: Int) -> FilePath { folder.appending("\(number).photo") }

    /// Where the original movie of an entry is kept if another file has replaced it.
    func originalMovie(_ number: Int) -> FilePath { folder.appending("\(number).movie") }

    /// Returns where a file of an entry is; nil for a path that this program does not write.
    func path(_ recorded: FilePath) -> FilePath? {
        guard !recorded.isEmpty, recorded.isRelative, recorded.isLexicallyNormal,
            recorded.components.allSatisfy({ $0.kind == .regular })
        else { return nil }
        return root == "." ? recorded : root.appending(recorded.components)
    }

    /// Records how to undo a change and keeps the originals of the files that it replaces. Returns when everything is on the
    /// disk; the waits of several pairs at a time may be one for the file system.
    ///
    /// - Parameter record: The change's record with the names of the files; nil makes one.
    /// - Returns: The number for `markDone`.
    /// - Throws: `LivePhotoError`.
    package func note(
        _ change: PairChange, _ record: PairRecord? = nil, of command: InPlaceUndo.Command = .link
    ) throws(LivePhotoError) -> Int {
        let located: PairRecord
        do {
            located = try (record ?? PairRecord(of: change)).mappingPaths {
                try recordedPath($0.lastComponent.map { change.photo.folder.file($0) } ?? $0)
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: change.photo, error)
        }
        do {
            let number = try content.withLock { content in
                let number = (content.entries.last?.number ?? 0) + 1
                let entry = JournalEntry(
                    number: number, command: command, photo: located.photo, movie: located.movie)
                if located.photo.new != nil { try keep(change.photo, at: originalPhoto(number)) }
                if case .replaced = located.movie { try keep(change.movie, at: originalMovie(number)) }
                try append(JournalLine(pair: entry), &content)
                content.entries.append(entry)
                return number
            }
            do {
                try FileSystem.synchronize(file)
                try FileSystem.synchronize(folder)
            } catch {
                try? forget(number)
                throw error
            }
            return number
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: file, error)
        }
    }

    /// Records that a change is complete: if a file differs from now on, something else has changed it.
    package func markDone(_ number: Int) throws(LivePhotoError) {
        do {
            try content.withLock { content in
                try append(JournalLine(done: number), &content)
                content.done.insert(number)
            }
            try FileSystem.synchronize(file)
        } catch {
            throw LivePhotoError(writing: file, error)
        }
    }

    func recordedPath(_ path: FilePath) throws -> FilePath {
        let path = path.relative(to: root)
        guard self.path(path) != nil else {
            throw LivePhotoError(.internalError, path, "internal error: it is not below \(root)")
        }
        return path
    }

    private func keep(_ path: FilePath, at original: FilePath) throws {
        // A run that was killed before it wrote its line may have left one.
        try? FileSystem.removeFile(original)
        do {
            try FileSystem.keep(path, as: original)
        } catch Errno.improperLink {
            throw LivePhotoError(
                .cannotCreateOutput, path,
                "is on another file system than \(root), where its original would be kept; name its folder alone")
        }
    }

    func append(_ line: JournalLine, _ content: inout Content) throws {
        let bytes = try JSON.line(line)
        if !FileSystem.exists(file) { try FileSystem.createFile(file) }
        // This overwrites an incomplete line.
        try FileChange.apply([.truncate(to: content.size), .write(bytes, at: content.size)], to: file)
        content.size += bytes.count
    }

    /// Removes the entry of a pair that was not changed after all.
    ///
    /// - Throws: `LivePhotoError`.
    func forget(_ number: Int) throws(LivePhotoError) {
        try content.withLock { (content) throws(LivePhotoError) in
            try rewrite(&content, with: content.entries.filter { $0.number != number })
            // Before another pair can get the number.
            removeOriginals(of: [number])
        }
    }

    func removeIfEmpty() {
        if entries.isEmpty { WorkFolder.discard(folder) }
    }

    /// Removes all other entries, and the journal if none is left.
    func keep(only kept: [JournalEntry]) throws(LivePhotoError) {
        try content.withLock { (content) throws(LivePhotoError) in
            let removed = Set(content.entries.map(\.number)).subtracting(kept.map(\.number))
            content.entries = kept
            guard !kept.isEmpty else { return }
            try rewrite(&content, with: kept)
            removeOriginals(of: removed)
        }
        removeIfEmpty()
    }

    /// Removes originals that undoing has not moved, as those of changes that were undone after a kill.
    private func removeOriginals(of numbers: some Sequence<Int>) {
        for number in numbers {
            for original in [originalPhoto(number), originalMovie(number)] { try? FileSystem.removeFile(original) }
        }
    }

    private func rewrite(_ content: inout Content, with kept: [JournalEntry]) throws(LivePhotoError) {
        content.entries = kept
        do {
            let numbers = Set(kept.map(\.number))
            content.texts.removeAll { !numbers.contains($0.number) }
            let lines =
                kept.map { JournalLine(pair: $0, done: content.done.contains($0.number) ? $0.number : nil) }
                + content.texts.map { JournalLine(text: $0) }
            let bytes = try lines.flatMap { try JSON.line($0) }
            let replacement = try StagedFile(file, replacesExisting: true, inheritsAttributes: true)
            try replacement.write(bytes)
            try replacement.publish()
            content.size = bytes.count
        } catch {
            throw LivePhotoError(writing: file, error)
        }
    }
}
