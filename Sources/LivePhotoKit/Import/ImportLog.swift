import Files
import Synchronization
import SystemPackage

/// What imports have put into a library, and of which files: signed lines in a hidden folder of the library. A line is
/// written before its files appear, so that whatever an interrupted import has left is known.
package final class ImportLog: Sendable {
    /// A file to import as it was at some time. It has not changed as long as this is equal.
    struct FileState: Codable, Sendable, Hashable {
        let path: PathText
        let size: RecordNumber
        /// Modulo 2^64.
        let modified: Int64

        init(_ file: SourceFile) {
            (path, size) = (PathText(file.absolutePath), RecordNumber(file.size))
            modified = file.modified
        }
    }

    /// A file that was imported.
    struct Source: Codable, Sendable {
        let file: FileState
        let sha256: ContentDigest

        var path: FilePath { file.path.path }
    }

    /// A file in the library.
    struct Made: Codable, Sendable {
        /// Relative to the library.
        let path: PathText
        let size: RecordNumber
        let sha256: ContentDigest
    }

    /// An item of the library.
    struct Entry: Codable, Sendable {
        let kind: LibraryImport.Kind
        /// All of these have become the item.
        let sources: [Source]
        let files: [Made]
        let doubts: [Doubt]
        /// Other files that the doubts are about.
        let related: [PathText]
        /// Whether the files were there before, so that undoing leaves them.
        let wasFound: Bool

        /// A line has not more of them.
        static let relatedLimit = 500
    }

    package struct Line: Codable {
        var item: Entry?
        /// A file with the same content as the source of an item.
        var copy: Source?
        /// A folder that is created in the library, which is the empty path.
        var folder: PathText?
        var verdict: Verdict?
    }

    /// The library.
    let root: FilePath
    /// Nil if nothing is written: in a dry run.
    private let log: SignedLog?
    private let content: Mutex<ImportLogContent>

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
        func add(_ bytes: [UInt8]) throws { content.add(try JSON.decode(Line.self, from: bytes)) }
        if isReadOnly {
            if let opened = try? OpenFolder(named: root) { try SignedLog.read(Self.kind, in: opened, add) }
            log = nil
        } else {
            let isNew = !FileSystem.exists(root)
            try Self.create(root)
            let log = try SignedLog(Self.kind, createdIn: root, add)
            self.log = log
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
        return content.withLock { content in
            guard let entry = content.item(of: state.path.path) else { return nil }
            return entry.sources.contains { $0.file == state } ? entry : nil
        }
    }

    /// The items that have a source of this content, the last one first.
    func entries(ofContent sha256: ContentDigest) -> [Entry] {
        content.withLock { $0.items(ofContent: sha256) }
    }

    /// The content of a file that has not changed since it was imported, or found to be a copy.
    func digest(of file: SourceFile) -> ContentDigest? {
        guard !isEmpty else { return nil }
        let state = FileState(file)
        return content.withLock { content in
            let copy = content.copies[state.path.path]
            let entry = content.item(of: state.path.path)
            return ((copy.map { [$0] } ?? []) + (entry?.sources ?? [])).first { $0.file == state }?.sha256
        }
    }

    /// Whether an imported file had this size.
    func hasSource(size: Int) -> Bool { content.withLock { $0.sizes.contains(size) } }

    /// The items, in their order.
    var entries: [Entry] { content.withLock(\.list) }

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
                try log?.append(line)
                content.add(line)
            }
        }
    }

    private func append(_ line: Line) throws(LivePhotoError) {
        try content.withLock { (content) throws(LivePhotoError) in
            try log?.append(line)
            content.add(line)
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
        log?.remove()
    }

    /// Lets other runs use the library. A log without a line is removed.
    func close() {
        if content.withLock({ $0.list.isEmpty && $0.folders.isEmpty && $0.verdicts.isEmpty }) { log?.remove() }
        log?.unlock()
    }
}
