import Bytes
public import SystemPackage

/// Undoes what `FolderLinker` or `LivePhotoEditor` has changed in place, and interrupted changes of pairs in the folder.
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
    }

    /// A command that changes pairs in place and records how to undo that.
    public enum Command: String, Sendable, Hashable, Codable {
        /// `FolderLinker`, with a journal in the folder whose pairs it links.
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

    /// Undoes the entries of the journal in a folder, the last one first, and removes those that are undone; for edits, also
    /// of the journals in the folders below. Can be repeated after an interruption. Cancelling the task ends it between two
    /// pairs.
    ///
    /// - Returns: One outcome for each file, in the order of processing. A journal of a folder below that cannot be used has
    ///   one for itself.
    /// - Throws: `LivePhotoError` if there is no journal, or it cannot be read; with the code `.temporary` while another run
    ///   uses it, `.cancelled` if the task was cancelled.
    public func undo(below folder: FilePath) throws(LivePhotoError) -> [Outcome] {
        let root = try Self.opened(folder)
        let folders = [""] + (isDryRun && command == .link ? [] : try folders(below: root))
        var outcomes = isDryRun ? [] : recover(in: folders, of: root)
        func hasJournal(_ path: FilePath) -> Bool {
            (try? root.folder(at: path)).map { UndoJournal.exists(in: $0) } ?? false
        }
        let journals = command == .link ? [""] : folders.filter(hasJournal)
        if !outcomes.isEmpty, !journals.contains(where: hasJournal) { return outcomes }
        guard journals.count > 1 else {
            let journal = try journal(in: journals.first ?? "", of: root)
            defer { if !isDryRun { journal.removeIfEmpty() } }
            outcomes.removeAll { journal.names($0.path) }
            if !outcomes.isEmpty, !journal.entries.contains(where: { $0.undoneBy == command }) { return outcomes }
            return outcomes + (try undo(journal) { $0.undoneBy == command })
        }
        var isEmpty = outcomes.isEmpty
        for path in journals {
            do throws(LivePhotoError) {
                let journal = try journal(in: path, of: root)
                defer { if !isDryRun { journal.removeIfEmpty() } }
                guard journal.entries.contains(where: { $0.undoneBy == command }) else { continue }
                isEmpty = false
                outcomes.removeAll { journal.names($0.path) }
                outcomes += try undo(journal) { $0.undoneBy == command }
            } catch {
                guard error.code != .cancelled else { throw error }
                isEmpty = false
                outcomes.append(Outcome(path: folder.pushing(path), status: .refused(error)))
            }
        }
        if isEmpty { throw command.nothingToUndo(in: folder) }
        return outcomes
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

    /// Undoes all edits of the pair that a photo or movie belongs to, or an interrupted change of it.
    ///
    /// - Returns: One outcome for each file of the pair.
    /// - Throws: As `undo(below:)`; with the code `.noInput` if the file was not edited in place.
    public func undo(pairOf file: FilePath) throws(LivePhotoError) -> [Outcome] {
        let folder = try Self.opened(file.folder)
        let recovered = isDryRun ? [] : recover(in: [""], of: folder)
        // It may be that of this pair.
        let ignored = recovered.compactMap { if case .refused(let error) = $0.status { error } else { nil } }.first
        func isOfPair(_ path: FilePath) -> Bool { path.lastComponent == file.lastComponent }
        guard UndoJournal.exists(in: folder) else {
            if recovered.contains(where: { isOfPair($0.path) }) { return recovered }
            throw ignored ?? command.nothingToUndo(of: file)
        }
        let journal = try UndoJournal(openedIn: folder, for: command)
        defer { if !isDryRun { journal.removeIfEmpty() } }
        // A photo may have had other names before.
        let movies = journal.entries.filter { $0.paths.contains { $0.components.count == 1 && isOfPair($0) } }
            .map(\.movie.path)
        func isSelected(_ entry: JournalEntry) -> Bool {
            entry.undoneBy == command && movies.contains(entry.movie.path)
        }
        guard journal.entries.contains(where: isSelected) else {
            if recovered.contains(where: { isOfPair($0.path) }) { return recovered }
            throw ignored ?? command.nothingToUndo(of: file)
        }
        return try undo(journal, isSelected)
    }

    /// Undoes some entries of a journal, the last one first.
    ///
    /// - Returns: One outcome for each of their files.
    private func undo(
        _ journal: UndoJournal, _ isSelected: (JournalEntry) -> Bool
    ) throws(LivePhotoError) -> [Outcome] {
        guard journal.entries.isEmpty || journal.entries.contains(where: isSelected) else {
            throw command.nothingToUndo(in: journal.root)
        }
        var undoing = JournalUndo(command: command, isDryRun: isDryRun, journal: journal)
        return try undoing.undo(isSelected)
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
        let reason =
            switch self {
            case .link: "no journal of 'link --by-name' is in it"
            case .edit: "no pair in it was edited in place"
            }
        return LivePhotoError(.noInput, folder, "there is nothing to undo: \(reason)")
    }

    fileprivate func nothingToUndo(of file: FilePath) -> LivePhotoError {
        guard FileIdentity(file, followingLink: true) != nil else {
            return LivePhotoError(reading: file, Errno.noSuchFileOrDirectory)
        }
        return LivePhotoError(.noInput, file, "there is nothing to undo: it was not edited in place, or that is undone")
    }

    /// An error for a file that this command has changed after `other`.
    func isNewer(than other: Self, of file: FilePath?) -> LivePhotoError {
        LivePhotoError(
            .unusableMedia, file,
            "was changed by 'livephoto \(rawValue)' after '\(other.rawValue)'; undo that first: "
                + "livephoto \(rawValue) --undo \(file?.folder ?? ".")")
    }
}
