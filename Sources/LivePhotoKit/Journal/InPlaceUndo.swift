import Bytes
public import SystemPackage

/// Undoes what `LivePhotoLinker`, `FolderLinker` or `LivePhotoEditor` has changed in place, and interrupted changes of pairs.
public struct InPlaceUndo: Sendable {
    /// A file that the journal names, and its result.
    public struct Outcome: Sendable, Hashable {
        /// What was done with the file.
        public enum Status: Sendable, Hashable {
            /// The old file is restored, including its times; in a dry run, it would be.
            case restored
            /// The file was the old one already.
            case unchanged
            /// The file is left alone because something else has changed it, or it cannot be restored.
            case refused(LivePhotoError)
        }

        /// The file's current path.
        public let path: FilePath
        /// What was done with the file, or why it was left alone.
        public let status: Status

        fileprivate var isRefused: Bool { if case .refused = status { true } else { false } }
    }

    /// A command that changes pairs in place and records how to undo that.
    public enum Command: String, Sendable, Hashable, Codable, CaseIterable {
        /// `FolderLinker`, with a journal in the folder whose pairs it links, and `LivePhotoLinker`, with one in the folder of
        /// each pair.
        case link
        /// `LivePhotoEditor`, with a journal in the folder of each pair.
        case edit
    }

    /// The command whose changes are undone; those of others stay.
    public var command: Command
    /// Whether only to report what would be done.
    public var isDryRun: Bool

    /// An undo that changes files, unless it is a dry run.
    public init(of command: Command = .link, isDryRun: Bool = false) {
        (self.command, self.isDryRun) = (command, isDryRun)
    }

    /// Undoes the entries of the journals in a folder and the folders below, the last one of each pair first, and removes those
    /// that are undone. Can be repeated after an interruption. Cancelling the task ends it between two pairs.
    ///
    /// - Parameters:
    ///   - folder: The folder whose pairs were changed, or one that it is in.
    ///   - width: How many pairs at a time.
    /// - Returns: One outcome for each file. A journal of a folder below that cannot be used has one for itself.
    /// - Throws: `LivePhotoError` if there is no journal, or it cannot be read; with the code `.temporary` while another run
    ///   uses it, `.cancelled` if the task was cancelled.
    public func undo(below folder: FilePath, width: Int = 1) async throws(LivePhotoError) -> [Outcome] {
        try await withTaskExecutorPreference(BlockingExecutor.shared) { () async throws(LivePhotoError) in
            try await undoAll(below: folder, width)
        }
    }

    private func undoAll(below folder: FilePath, _ width: Int) async throws(LivePhotoError) -> [Outcome] {
        let root = try Self.opened(folder)
        // A pair's own folder may have a newer journal than the tree.
        let folders = try folders(below: root) + [""]
        let recovered = isDryRun ? [] : recover(in: folders, of: root)
        let journals = folders.filter { path in
            (try? root.folder(at: path)).map { UndoJournal.exists(in: $0) } ?? false
        }
        if !recovered.isEmpty, journals.isEmpty { return recovered }
        guard journals.count > 1 else {
            let journal = try journal(in: journals.first ?? "", of: root)
            defer { close(journal) }
            let outcomes = recovered.filter { !journal.names($0.path) }
            if !outcomes.isEmpty, !journal.entries.contains(where: { $0.undoneBy == command }) { return outcomes }
            return outcomes + (try await undo(journal, width) { $0.undoneBy == command })
        }
        var outcomes = recovered
        var rest = journals
        var refused: [Outcome] = []
        var hasRestored: Bool
        repeat {
            (rest, refused, hasRestored) = try await undo(rest, of: root, width, &outcomes)
            // What was refused may be older than what was restored after it.
        } while hasRestored && !rest.isEmpty && !isDryRun
        if outcomes.isEmpty, refused.isEmpty { throw command.nothingToUndo(in: folder) }
        return outcomes + refused
    }

    /// Undoes the entries of several journals.
    ///
    /// - Parameters:
    ///   - paths: Those of their folders, relative to `root`.
    ///   - outcomes: Gets the outcomes of the files that are not refused.
    /// - Returns: The journals with files that were refused, these, and whether any file was restored.
    private func undo(
        _ paths: [FilePath], of root: OpenFolder, _ width: Int, _ outcomes: inout [Outcome]
    ) async throws(LivePhotoError) -> (rest: [FilePath], refused: [Outcome], hasRestored: Bool) {
        var (rest, refused, hasRestored) = ([FilePath](), [Outcome](), false)
        for path in paths {
            do throws(LivePhotoError) {
                let journal = try journal(in: path, of: root)
                defer { close(journal) }
                guard journal.entries.contains(where: { $0.undoneBy == command }) else { continue }
                let found = try await undo(journal, width) { $0.undoneBy == command }
                let (kept, done) = (found.filter(\.isRefused), found.filter { !$0.isRefused })
                // Another journal may have had a change of the same file.
                let files = Set(done.map(\.path))
                outcomes.removeAll { files.contains($0.path) }
                outcomes += done
                refused += kept
                hasRestored = hasRestored || done.contains { $0.status == .restored }
                if !kept.isEmpty { rest.append(path) }
            } catch {
                guard error.code != .cancelled else { throw error }
                refused.append(Outcome(path: root.path.pushing(path), status: .refused(error)))
            }
        }
        return (rest, refused, hasRestored)
    }

    private static func opened(_ folder: FilePath) throws(LivePhotoError) -> OpenFolder {
        do throws(Errno) {
            return try OpenFolder(named: folder)
        } catch {
            throw LivePhotoError(reading: folder, error)
        }
    }

    /// The paths of the folders with photos below a folder, relative to it.
    private func folders(below root: OpenFolder) throws(LivePhotoError) -> [FilePath] {
        let tree: FileTree
        do {
            tree = try FileTree(listing: [root.path])
        } catch {
            throw LivePhotoError.cancellation
        }
        let paths = Set(tree.photos.map { $0.removingLastComponent().relative(to: root.path) }).subtracting([""])
        return paths.sorted { $0.string < $1.string }
    }

    /// - Parameter path: That of the folder with the journal, relative to `root`.
    private func journal(in path: FilePath, of root: OpenFolder) throws(LivePhotoError) -> UndoJournal {
        let folder: OpenFolder
        do throws(Errno) {
            folder = try root.folder(at: path)
        } catch {
            throw LivePhotoError(reading: root.path.pushing(path), error)
        }
        return try UndoJournal(openedIn: folder, for: command)
    }

    /// Undoes all changes of the pair that a photo or movie belongs to, or an interrupted change of it.
    ///
    /// - Returns: One outcome for each file of the pair.
    /// - Throws: As `undo(below:)`; with the code `.noInput` if the file was not changed in place.
    public func undo(pairOf file: FilePath) async throws(LivePhotoError) -> [Outcome] {
        try await withTaskExecutorPreference(BlockingExecutor.shared) { () async throws(LivePhotoError) in
            try await undoAll(ofPair: file)
        }
    }

    private func undoAll(ofPair file: FilePath) async throws(LivePhotoError) -> [Outcome] {
        let folder = try Self.opened(file.folder)
        let recovered = isDryRun ? [] : recover(in: [""], of: folder)
        func isOfPair(_ path: FilePath) -> Bool { path.lastComponent == file.lastComponent }
        let whole = CurrentProcess.folder.pushing(file).lexicallyNormalized()
        // The pair's folder may have a newer journal than a tree that it is in.
        let parents = [folder] + UndoJournal.folders(of: file).dropFirst()
        var outcomes: [Outcome] = []
        repeat {
            let previous = outcomes
            outcomes = []
            for parent in parents where UndoJournal.exists(in: parent) {
                let isOwn = parent === folder
                let path = isOwn ? FilePath(root: nil, whole.components.suffix(1)) : whole.relative(to: parent.path)
                do throws(LivePhotoError) {
                    outcomes += try await undo(pairOf: path, parent)
                } catch {
                    if isOwn || error.code == .cancelled { throw error }
                }
            }
            // What was refused may be older than what was restored after it.
            if outcomes.isEmpty { outcomes = previous }
            if isDryRun || outcomes == previous { break }
        } while outcomes.contains(where: \.isRefused) && outcomes.contains { $0.status == .restored }
        if !outcomes.isEmpty { return outcomes }
        if recovered.contains(where: { isOfPair($0.path) }) { return recovered }
        // It may be that of this pair.
        let ignored = recovered.compactMap { if case .refused(let error) = $0.status { error } else { nil } }.first
        throw ignored ?? command.nothingToUndo(of: file)
    }

    /// - Parameter file: The recorded path.
    /// - Returns: Nothing if no entry names the file.
    private func undo(pairOf file: FilePath, _ root: OpenFolder) async throws(LivePhotoError) -> [Outcome] {
        let journal = try UndoJournal(openedIn: root, for: command)
        defer { close(journal) }
        // A photo may have had other names before.
        let movies = Set(journal.entries.filter { $0.paths.contains(file) }.map(\.movie.path))
        let isSelected: @Sendable (JournalEntry) -> Bool = { [command] in
            $0.undoneBy == command && movies.contains($0.movie.path)
        }
        guard journal.entries.contains(where: isSelected) else { return [] }
        return try await undo(journal, 1, isSelected)
    }

    /// Undoes some entries of a journal.
    ///
    /// - Returns: One outcome for each of their files.
    private func undo(
        _ journal: UndoJournal, _ width: Int, _ isSelected: @escaping @Sendable (JournalEntry) -> Bool
    ) async throws(LivePhotoError) -> [Outcome] {
        guard journal.entries.isEmpty || journal.entries.contains(where: isSelected) else {
            throw command.nothingToUndo(in: journal.root)
        }
        return try await JournalUndo(command: command, isDryRun: isDryRun, journal: journal)
            .undo(width: width, isSelected)
    }

    private func close(_ journal: UndoJournal) {
        if !isDryRun { journal.removeIfEmpty() }
        journal.unlock()
    }

    /// - Parameter paths: Those of folders, relative to `root`.
    private func recover(in paths: [FilePath], of root: OpenFolder) -> [Outcome] {
        paths.flatMap { path -> [Outcome] in
            guard let folder = try? root.folder(at: path) else { return [] }
            let (restored, ignored) = PairTransaction.recover(in: folder)
            return restored.map { Outcome(path: $0, status: .restored) }
                + ignored.map { Outcome(path: $0.file ?? folder.path, status: .refused($0)) }
        }
    }
}

extension InPlaceUndo.Command {
    /// What the command does with a pair, for sentences: `linked`.
    var participle: String {
        switch self {
        case .link: "linked"
        case .edit: "edited"
        }
    }

    func nothingToUndo(in folder: FilePath) -> LivePhotoError {
        let changed = self == .edit ? "edited" : "linked or unlinked"
        return LivePhotoError(
            .nothingToUndo, folder, "there is nothing to undo: no pair in it was \(changed) in place")
    }

    fileprivate func nothingToUndo(of file: FilePath) -> LivePhotoError {
        guard FileIdentity(file, followingLink: true) != nil else {
            return LivePhotoError(reading: file, Errno.noSuchFileOrDirectory)
        }
        let changed = self == .edit ? "edited" : "linked or unlinked"
        return LivePhotoError(
            .nothingToUndo, file, "there is nothing to undo: it was not \(changed) in place, or that is undone")
    }

    /// An error for a file that this command has changed after `other`.
    func isNewer(than other: Self, of file: FilePath?) -> LivePhotoError {
        LivePhotoError(
            .changedLater, file,
            "was changed by 'livephoto \(rawValue)' after '\(other.rawValue)'; undo that first: "
                + "livephoto undo \(file?.folder ?? ".")")
    }
}

extension LivePhotoError.Code {
    /// The command has changed nothing there.
    package static let nothingToUndo = noInput.refined("undo")
    /// Another command has changed the file since, which has to be undone first.
    package static let changedLater = unusableMedia.refined("later")
}
