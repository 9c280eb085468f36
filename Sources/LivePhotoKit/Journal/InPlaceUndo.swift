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
    }

    /// A command that changes pairs in place and records how to undo that.
    public enum Command: String, Sendable, Hashable, Codable, CaseIterable {
        /// `FolderLinker`, with a journal in the folder whose pairs it links, and `LivePhotoLinker`, with one in the folder of
        /// each pair.
        case link
        /// `LivePhotoEditor`, with a journal in the folder of each pair.
        case edit
    }

    /// Those whose changes are undone; the changes of others stay.
    public var commands: Set<Command>
    /// Whether only to report what would be done.
    public var isDryRun: Bool

    /// An undo that changes files, unless it is a dry run.
    public init(of commands: Set<Command> = Set(Command.allCases), isDryRun: Bool = false) {
        (self.commands, self.isDryRun) = (commands, isDryRun)
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
        let paths = try folders(below: root) + [""]
        let recovered = isDryRun ? [] : recover(in: paths, of: root)
        let places = paths.filter { path in
            (try? root.folder(at: path)).map { UndoJournal.exists(in: $0) } ?? false
        }
        let outcomes = try await undo(places) { path async throws(LivePhotoError) in
            do throws(LivePhotoError) {
                guard let journal = try Self.journal(in: path, of: root) else { return nil }
                return try await undo(journal, width) { [commands] in commands.contains($0.undoneBy) }
            } catch {
                guard error.code != .cancelled, places.count > 1 else { throw error }
                let outcome = Outcome(path: root.path.pushing(path), status: .refused(error))
                return JournalUndo.Result(outcomes: [outcome], hasUndone: false)
            }
        }
        guard let outcomes else {
            if recovered.isEmpty { throw nothingToUndo(in: folder) }
            return recovered
        }
        let files = Set(outcomes.map(\.path))
        return recovered.filter { !files.contains($0.path) } + outcomes
    }

    /// Undoes entries of journals that may have changed the same files, until nothing more is undone: what is refused may be
    /// older than what another journal has changed.
    ///
    /// - Parameters:
    ///   - places: Where the journals are, those with the last changes first.
    ///   - body: Undoes the entries of one journal; returns nil if it has none of them.
    /// - Returns: One outcome for each file; nil if no journal has any of the entries.
    private func undo<Place>(
        _ places: [Place], _ body: (Place) async throws(LivePhotoError) -> JournalUndo.Result?
    ) async throws(LivePhotoError) -> [Outcome]? {
        var outcomes = FileOutcomes()
        var isFound = false
        var rest = places
        var hasUndone: Bool
        repeat {
            outcomes.forgetRefusals()
            hasUndone = false
            var refusing: [Place] = []
            for place in rest {
                guard let result = try await body(place) else { continue }
                isFound = true
                hasUndone = hasUndone || result.hasUndone
                if outcomes.add(result.outcomes) { refusing.append(place) }
            }
            rest = refusing
        } while hasUndone && !rest.isEmpty && !isDryRun
        return isFound ? outcomes.all(ofDryRun: isDryRun) : nil
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
    private static func journal(in path: FilePath, of root: OpenFolder) throws(LivePhotoError) -> UndoJournal? {
        let folder: OpenFolder
        do throws(Errno) {
            folder = try root.folder(at: path)
        } catch {
            throw LivePhotoError(reading: root.path.pushing(path), error)
        }
        return try journal(in: folder)
    }

    /// - Returns: Nil if another run has removed it since it was found.
    private static func journal(in folder: OpenFolder) throws(LivePhotoError) -> UndoJournal? {
        do throws(LivePhotoError) {
            return try UndoJournal(openedIn: folder)
        } catch {
            if UndoJournal.exists(in: folder) { throw error }
            return nil
        }
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
        let whole = CurrentProcess.folder.pushing(file).lexicallyNormalized()
        // The pair's folder may have a newer journal than a tree that it is in.
        let parents = [folder] + UndoJournal.folders(of: file).dropFirst()
        let outcomes = try await undo(parents.filter { UndoJournal.exists(in: $0) }) {
            parent async throws(LivePhotoError) in
            let isOwn = parent === folder
            let path = isOwn ? FilePath(root: nil, whole.components.suffix(1)) : whole.relative(to: parent.path)
            do throws(LivePhotoError) {
                return try await undo(pairOf: path, parent)
            } catch {
                if isOwn || error.code == .cancelled { throw error }
                return nil
            }
        }
        if let outcomes { return outcomes }
        if recovered.contains(where: { $0.path.lastComponent == file.lastComponent }) { return recovered }
        // It may be that of this pair.
        let ignored = recovered.compactMap { if case .refused(let error) = $0.status { error } else { nil } }.first
        throw ignored ?? nothingToUndo(of: file)
    }

    /// - Parameter file: The recorded path.
    /// - Returns: Nil if no entry names the file.
    private func undo(pairOf file: FilePath, _ root: OpenFolder) async throws(LivePhotoError) -> JournalUndo.Result? {
        guard let journal = try Self.journal(in: root) else { return nil }
        // A photo may have had other names before.
        let movies = Set(journal.entries.filter { $0.paths.contains(file) }.map(\.movie.path))
        return try await undo(journal, 1) { [commands] in
            commands.contains($0.undoneBy) && movies.contains($0.movie.path)
        }
    }

    /// Undoes some entries of a journal, and closes it.
    ///
    /// - Returns: Nil if the journal has entries, but none of these.
    private func undo(
        _ journal: UndoJournal, _ width: Int, _ isSelected: @escaping @Sendable (JournalEntry) -> Bool
    ) async throws(LivePhotoError) -> JournalUndo.Result? {
        defer {
            if !isDryRun { journal.removeIfEmpty() }
            journal.unlock()
        }
        guard journal.entries.isEmpty || journal.entries.contains(where: isSelected) else { return nil }
        return try await JournalUndo(commands: commands, isDryRun: isDryRun, journal: journal)
            .undo(width: width, isSelected)
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

extension InPlaceUndo {
    /// What the commands did with a pair: `edited`.
    private var participle: String {
        switch commands {
        case [.link]: "linked or unlinked"
        case [.edit]: "edited"
        default: "changed"
        }
    }

    private func nothingToUndo(in folder: FilePath) -> LivePhotoError {
        let whole = CurrentProcess.folder.pushing(folder).lexicallyNormalized()
        let parent = UndoJournal.folders(of: folder).first { parent in
            guard let journal = try? Self.journal(in: parent) else { return false }
            defer { journal.unlock() }
            let path = whole.relative(to: parent.path)
            return journal.entries.contains { entry in
                commands.contains(entry.undoneBy) && entry.paths.contains { $0.starts(with: path) }
            }
        }
        guard let parent else {
            return LivePhotoError(
                .noInput, folder, "there is nothing to undo: no pair in it was \(participle) in place")
        }
        return LivePhotoError(
            .noInput, folder,
            "its pairs were \(participle) together with others: livephoto undo \(shellWord(parent.path.string)) undoes all of "
                + "them, and livephoto undo FILE one pair")
    }

    private func nothingToUndo(of file: FilePath) -> LivePhotoError {
        guard FileIdentity(file, followingLink: true) != nil else {
            return LivePhotoError(reading: file, Errno.noSuchFileOrDirectory)
        }
        return LivePhotoError(
            .noInput, file, "there is nothing to undo: it was not \(participle) in place, or that is undone")
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
}

extension LivePhotoError.Code {
    /// Another change in place has followed, which has to be undone first.
    static let changedLater = unusableMedia.refined("later")
}
