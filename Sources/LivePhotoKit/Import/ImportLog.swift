import Files
import Synchronization
import SystemPackage

/// What imports have put into a library, and of which files: signed lines in a hidden folder of the library. A line is
/// written before its files appear, so that whatever an interrupted import has left is known.
package final class ImportLog: Sendable {
    /// The library.
    let root: FilePath
    /// Nil if nothing is written: in a dry run.
    private let log: SignedLog?
    /// Nil if there is none: in the first dry run.
    private let file: FolderEntry?
    private let content: Mutex<ImportLogContent>
    /// Why a line could not be read again.
    private let failure = Mutex<LivePhotoError?>(nil)
    private let isRemoved = Mutex(false)

    private static let kind = SignedLog.Kind(
        .library, folder: ".livephoto-import", file: "log.jsonl",
        RecordSeal.Limits(line: 1 << 20, file: 1 << 31, lines: 1 << 24))

    /// Whether a folder has such a log.
    static func exists(in root: FilePath) -> Bool {
        (try? OpenFolder(named: root)).map { SignedLog.exists(kind, in: $0) } ?? false
    }

    /// Opens and locks the log of a library, which is created if it is missing.
    ///
    /// - Parameter isReadOnly: Whether only to read what is there.
    /// - Throws: `LivePhotoError`; with the code `.temporary` while another run writes to the library.
    init(_ root: FilePath, isReadOnly: Bool) throws(LivePhotoError) {
        self.root = root
        var content = ImportLogContent()
        func add(_ bytes: [UInt8], _ place: SignedLog.Place) throws {
            content.add(try JSON.decode(Line.self, from: bytes), at: place, isOwn: false)
        }
        if isReadOnly {
            let folder = try? OpenFolder(named: root)
            file = if let folder { try SignedLog.read(Self.kind, in: folder, add) } else { nil }
            log = nil
        } else {
            let isNew = !FileSystem.exists(root)
            try Self.create(root)
            let log = try SignedLog(Self.kind, createdIn: root, add)
            (self.log, file) = (log, log.file)
            if isNew {
                content.folders.append("")
                try log.append(Line(folder: PathText("")))
            }
        }
        self.content = Mutex(content)
    }

    private static func create(_ root: FilePath) throws(LivePhotoError) {
        do throws(Errno) {
            try OutputDirectory.create(root)
        } catch {
            throw LivePhotoError(writing: root, error)
        }
    }

    /// Whether it has no item and no copy, so that nothing needs to be looked up.
    var isEmpty: Bool { content.withLock { $0.list.isEmpty && $0.copies.isEmpty } }

    /// The item of a file that has not changed since it was imported.
    func entry(of file: SourceFile) -> Entry? {
        guard !isEmpty else { return nil }
        let state = FileState(file)
        guard let entry = content.withLock({ $0.item(of: state.path.path) }).flatMap(readEntry) else { return nil }
        return entry.sources.contains { $0.file == state } ? entry : nil
    }

    /// The items that have a source of this content, the last one first.
    func entries(ofContent sha256: ContentDigest) -> [Entry] {
        content.withLock { $0.items(ofContent: sha256) }.compactMap(readEntry).filter { entry in
            entry.sources.contains { $0.sha256 == sha256 }
        }
    }

    /// The content of a file that has not changed since it was imported, or found to be a copy.
    func digest(of file: SourceFile) -> ContentDigest? {
        guard !isEmpty else { return nil }
        let state = FileState(file)
        let (copy, item) = content.withLock { ($0.copy(of: state.path.path), $0.item(of: state.path.path)) }
        if let copy = copy.flatMap(readLine)?.copy, copy.file == state { return copy.sha256 }
        return item.flatMap(readEntry)?.sources.first { $0.file == state }?.sha256
    }

    private func readEntry(_ place: SignedLog.Place) -> Entry? { readLine(place)?.item }

    /// Reads a line again. Nil if that fails; nothing is appended then.
    private func readLine(_ place: SignedLog.Place) -> Line? {
        guard let file else { return nil }
        do {
            return try JSON.decode(Line.self, from: place.content(in: file))
        } catch {
            failure.withLock { $0 = error as? LivePhotoError ?? LivePhotoError(reading: file.path, error) }
            return nil
        }
    }

    /// Throws if a line could not be read again: another program has changed the log.
    func checkReadable() throws(LivePhotoError) {
        if let failure = failure.withLock(\.self) { throw failure }
    }

    /// Whether an imported file had this size.
    func hasSource(size: Int) -> Bool { content.withLock { $0.sizes.contains(size) } }

    /// How many items there are.
    var count: Int { content.withLock { $0.list.count } }

    /// An item, by its number.
    ///
    /// - Throws: `LivePhotoError` if its line was changed.
    func entry(at number: Int) throws(LivePhotoError) -> Entry {
        guard let entry = readEntry(content.withLock { $0.list[number] }) else {
            try checkReadable()
            throw LivePhotoError(.internalError, root, "internal error: its log has no item \(number)")
        }
        return entry
    }

    /// What the items are, in their order.
    var kinds: [LibraryImport.Kind] { content.withLock(\.kinds) }

    /// The folders in which imports have made files, below the library.
    var foldersOfFiles: Set<FilePath> { content.withLock(\.foldersOfFiles) }

    /// The folders that imports have created, the outermost first.
    var folders: [FilePath] { content.withLock(\.folders) }

    /// Whether the files of an item that are there are as they were made, or empty after a power failure.
    func isUnchanged(_ entry: Entry) -> Bool {
        entry.files.allSatisfy { file in
            let path = path(of: file)
            guard let status = try? Stat(path, followTargetSymlink: false) else { return !FileSystem.exists(path) }
            guard status.type == .regular else { return false }
            return status.size == 0 || (try? FileDigests.sha256(path)).map { isMade(file, sha256: $0) } ?? false
        }
    }

    /// Whether this is the content of a file as an import has made it.
    func isMade(_ file: Made, sha256: ContentDigest) -> Bool {
        content.withLock { $0.wasMade(file.path.path, sha256) }
    }

    /// Where a file of an item is.
    func path(of file: Made) -> FilePath { root.pushing(file.path.path) }

    /// Whether all files of an item are there. Nothing else is checked: they may have been changed since.
    func isPresent(_ entry: Entry) -> Bool {
        entry.files.allSatisfy { file in
            guard let status = try? path(of: file).stat() else { return false }
            // A power failure can leave empty files.
            return status.type == .regular && (status.size > 0 || file.size.value == 0)
        }
    }

    /// - Throws: `LivePhotoError`.
    func append(_ entry: Entry) throws(LivePhotoError) { try append(Line(item: entry)) }

    /// - Throws: `LivePhotoError`.
    func append(copy source: Source) throws(LivePhotoError) { try append(Line(copy: source)) }

    /// What was decided about two files that have not changed since.
    func verdict(on photo: FileState, _ movie: FileState) -> PairDecisions.Verdict? {
        content.withLock { $0.verdicts[[photo, movie]] }
    }

    /// - Throws: `LivePhotoError`.
    func append(_ verdict: Verdict) throws(LivePhotoError) { try append(Line(verdict: verdict)) }

    /// Records which folders of a path will be created.
    ///
    /// - Parameter folder: In the library.
    /// - Throws: `LivePhotoError`.
    func willCreate(_ folder: FilePath) throws(LivePhotoError) {
        let components = folder.relative(to: root).components
        for count in 1..<(components.count + 1) {
            let path = FilePath(root: nil, components.prefix(count))
            if FileSystem.exists(root.pushing(path)) { continue }
            try content.withLock { (content) throws(LivePhotoError) in
                guard !content.folders.contains(path) else { return }
                let line = Line(folder: PathText(path))
                content.add(line, at: try log?.append(line), isOwn: true)
            }
        }
    }

    private func append(_ line: Line) throws(LivePhotoError) {
        try checkReadable()
        try content.withLock { (content) throws(LivePhotoError) in
            content.add(line, at: try log?.append(line), isOwn: true)
        }
    }

    /// Keeps only some items, and removes the log if there is none of them.
    ///
    /// - Throws: `LivePhotoError`.
    func keep(only entries: [Entry]) throws(LivePhotoError) {
        guard entries.isEmpty else {
            let folders = folders.map { Line(folder: PathText($0)) }
            try log?.rewrite(folders + entries.map { Line(item: $0) })
            return
        }
        isRemoved.withLock { $0 = true }
        log?.remove()
    }

    /// Lets other runs use the library. Folders that imports have created go if nothing is in them, and so does a log that says
    /// nothing about files.
    func close() {
        // Another run may use the library since its log was removed.
        guard let log, !isRemoved.withLock(\.self) else { return }
        removeEmptyFolders()
        if content.withLock({ $0.list.isEmpty && $0.copies.isEmpty && $0.verdicts.isEmpty }) {
            log.remove()
            if folders.contains("") { try? FileSystem.removeDirectory(root) }
        }
        log.unlock()
    }

    func removeEmptyFolders() {
        let folders = folders.filter { !$0.isEmpty }
        for folder in folders.sorted(by: { $0.components.count > $1.components.count }) {
            // A folder that has something else is not removed by the system.
            try? FileSystem.removeDirectory(root.pushing(folder))
        }
    }
}
