import Bytes
import Synchronization
package import SystemPackage

/// The hidden folder in which commands record, before each change in place, how to undo it: `FolderLinker` in the folder
/// whose pairs it links, `LivePhotoEditor` in the folder of each pair.
///
/// `journal.jsonl` has one line for a pair that is about to be changed and one when it is done. Beside it are the originals
/// of files that were replaced, as hard links if the file system has them. A line is on the disk before its files are
/// changed; the files of an incomplete line were not changed. Lines are signed (`RecordSeal`).
package final class UndoJournal: Sendable {
    static let folderName: FilePath.Component = ".livephoto-undo"
    /// A line has about a kilobyte, and rarely the unfinished end of a movie (`ChangeInverse.tailLimit`) or a recipe.
    private static let kind = SignedLog.Kind(
        .journal, folder: folderName, file: "journal.jsonl",
        RecordSeal.Limits(line: 1 << 27, file: 1 << 30, lines: 1 << 22))

    /// The folder whose pairs are changed, for messages.
    let root: FilePath
    let log: SignedLog
    let content: Mutex<Content>

    struct Content {
        var entries: [JournalEntry] = []
        /// The numbers of the pairs whose changes are complete.
        var done: Set<Int> = []
        /// Files that were written beside changed pairs, by the numbers of these.
        var texts: [Int: [JournalText]] = [:]

        /// - Parameter bytes: The content of a line.
        mutating func add(_ bytes: [UInt8]) throws { add(try JSON.decode(JournalLine.self, from: bytes)) }

        mutating func add(_ line: JournalLine) {
            if let entry = line.pair { entries.append(entry) }
            if let number = line.done { done.insert(number.value) }
            if let text = line.text { texts[text.number, default: []].append(text) }
        }
    }

    var entries: [JournalEntry] { content.withLock { $0.entries } }
    /// The numbers of the pairs whose changes are complete.
    var done: Set<Int> { content.withLock { $0.done } }
    /// The hidden folder.
    var folder: OpenFolder { log.folder }
    private var file: FolderEntry { log.file }

    /// Opens the journal of a folder and locks it.
    ///
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has locked it, and for a journal that this
    ///   user's program did not write there.
    init(openedIn root: OpenFolder) throws(LivePhotoError) {
        self.root = root.path
        var content = Content()
        log = try SignedLog(Self.kind, openedIn: root) { line, _ in try content.add(line) }
        self.content = Mutex(content)
    }

    /// Opens the journal of a folder, or creates one, and locks it.
    ///
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run has locked it, and for a journal that this
    ///   user's program did not write there.
    package init(createdIn root: FilePath) throws(LivePhotoError) {
        self.root = root.orCurrentFolder
        var content = Content()
        log = try SignedLog(Self.kind, createdIn: root) { line, _ in try content.add(line) }
        self.content = Mutex(content)
    }

    /// Whether a folder has a journal, whoever wrote it.
    static func exists(in root: OpenFolder) -> Bool { SignedLog.exists(kind, in: root) }

    /// The entries of a journal that is not locked; none if there is no journal.
    ///
    /// - Throws: `LivePhotoError`.
    static func entries(in root: OpenFolder) throws(LivePhotoError) -> [JournalEntry] {
        var content = Content()
        try SignedLog.read(kind, in: root) { line, _ in try content.add(line) }
        return content.entries
    }

    /// The folder whose pairs are changed.
    func rootFolder() throws(LivePhotoError) -> OpenFolder { try log.rootFolder(named: root) }

    /// Where the original photo of an entry is kept.
    func originalPhoto(_ number: Int) -> FolderEntry { folder.entry("\(number).photo") }

    /// Where the original movie of an entry is kept if another file has replaced it.
    func originalMovie(_ number: Int) -> FolderEntry { folder.entry("\(number).movie") }

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
                guard number <= RecordNumber.limit else {
                    throw LivePhotoError(.cannotCreateOutput, folder.path, "has no numbers left; undo, or move it away")
                }
                let entry = JournalEntry(
                    number: number, command: command, photo: located.photo, movie: located.movie)
                if located.photo.new != nil { try keep(located.photo.path.path, at: originalPhoto(number)) }
                if case .replaced = located.movie { try keep(located.movie.path.path, at: originalMovie(number)) }
                try append(JournalLine(pair: entry), &content)
                return number
            }
            do {
                try log.synchronize()
                try folder.synchronize()
            } catch {
                try? forget(number)
                throw error
            }
            return number
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: file.path, error)
        }
    }

    /// Records that a change is complete: if a file differs from now on, something else has changed it.
    package func markDone(_ number: Int) throws(LivePhotoError) {
        do {
            try content.withLock { try append(JournalLine(done: RecordNumber(number)), &$0) }
            try log.synchronize()
        } catch {
            throw LivePhotoError(writing: file.path, error)
        }
    }

    private func keep(_ recorded: FilePath, at original: FolderEntry) throws {
        // A run that was killed before it wrote its line may have left one.
        try? original.remove()
        let file = try entry(recorded)
        do {
            try file.keep(as: original)
        } catch Errno.improperLink {
            throw LivePhotoError(
                .cannotCreateOutput, file.path,
                "is on another file system than \(root), where its original would be kept; name its folder alone")
        }
    }

    func append(_ line: JournalLine, _ content: inout Content) throws(LivePhotoError) {
        try log.append(line)
        content.add(line)
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

    /// Lets other runs use the journal, which this one must not use any more.
    func unlock() { log.unlock() }

    package func removeIfEmpty() {
        if entries.isEmpty { log.remove() }
    }

    /// Removes all other entries, and the journal if none is left.
    func keep(only kept: [JournalEntry]) throws(LivePhotoError) {
        try content.withLock { (content) throws(LivePhotoError) in
            let removed = Set(content.entries.map(\.number)).subtracting(kept.map(\.number))
            guard !kept.isEmpty else {
                content.entries = kept
                return
            }
            try rewrite(&content, with: kept)
            removeOriginals(of: removed)
        }
        removeIfEmpty()
    }

    /// Removes originals that undoing has not moved, as those of changes that were undone after a kill.
    private func removeOriginals(of numbers: some Sequence<Int>) {
        for number in numbers {
            for original in [originalPhoto(number), originalMovie(number)] { try? original.remove() }
        }
    }

    private func rewrite(_ content: inout Content, with kept: [JournalEntry]) throws(LivePhotoError) {
        content.entries = kept
        let numbers = Set(kept.map(\.number))
        content.texts = content.texts.filter { numbers.contains($0.key) }
        let entries = kept.map {
            JournalLine(pair: $0, done: content.done.contains($0.number) ? RecordNumber($0.number) : nil)
        }
        let texts = content.texts.sorted { $0.key < $1.key }.flatMap(\.value).map { JournalLine(text: $0) }
        try log.rewrite(entries + texts)
    }
}
