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
        var folders = [folder]
        if !isDryRun || command == .edit {
            let tree: FileTree
            do {
                tree = try FileTree(listing: [folder])
            } catch {
                throw LivePhotoError.cancellation
            }
            let below = Set(tree.photos.map(\.folder)).subtracting([folder])
            folders += below.sorted { $0.string < $1.string }
        }
        var outcomes = isDryRun ? [] : recover(in: folders)
        let journals = command == .link ? [folder] : folders.filter { UndoJournal.exists(in: $0) }
        if !outcomes.isEmpty, !journals.contains(where: { UndoJournal.exists(in: $0) }) { return outcomes }
        guard journals.count > 1 else {
            let journal = try UndoJournal(openedIn: journals.first ?? folder, for: command)
            outcomes.removeAll { journal.names($0.path) }
            if !outcomes.isEmpty, !journal.entries.contains(where: { $0.undoneBy == command }) { return outcomes }
            return outcomes + (try undo(journal) { $0.undoneBy == command })
        }
        var isEmpty = outcomes.isEmpty
        for root in journals {
            do throws(LivePhotoError) {
                let journal = try UndoJournal(openedIn: root, for: command)
                guard journal.entries.contains(where: { $0.undoneBy == command }) else { continue }
                isEmpty = false
                outcomes.removeAll { journal.names($0.path) }
                outcomes += try undo(journal) { $0.undoneBy == command }
            } catch {
                guard error.code != .cancelled else { throw error }
                isEmpty = false
                outcomes.append(Outcome(path: root, status: .refused(error)))
            }
        }
        if isEmpty { throw command.nothingToUndo(in: folder) }
        return outcomes
    }

    /// Undoes all edits of the pair that a photo or movie belongs to, or an interrupted change of it.
    ///
    /// - Returns: One outcome for each file of the pair.
    /// - Throws: As `undo(below:)`; with the code `.noInput` if the file was not edited in place.
    public func undo(pairOf file: FilePath) throws(LivePhotoError) -> [Outcome] {
        let folder = file.folder
        let recovered = isDryRun ? [] : recover(in: [folder])
        func isOfPair(_ path: FilePath) -> Bool { path.lastComponent == file.lastComponent }
        guard UndoJournal.exists(in: folder) else {
            if recovered.contains(where: { isOfPair($0.path) }) { return recovered }
            throw command.nothingToUndo(of: file)
        }
        let journal = try UndoJournal(openedIn: folder, for: command)
        func isSelected(_ entry: JournalEntry) -> Bool {
            entry.undoneBy == command
                && [entry.photo.path.path, entry.movie.path.path].contains {
                    $0.components.count == 1 && isOfPair($0)
                }
        }
        guard journal.entries.contains(where: isSelected) else {
            if recovered.contains(where: { isOfPair($0.path) }) { return recovered }
            throw command.nothingToUndo(of: file)
        }
        return try undo(journal, isSelected)
    }

    private func recover(in folders: [FilePath]) -> [Outcome] {
        folders.flatMap { PairTransaction.recover(in: $0) }.map { Outcome(path: $0, status: .restored) }
    }

    /// Undoes some entries of a journal, the last one first.
    ///
    /// - Returns: One outcome for each of their files.
    private func undo(
        _ journal: UndoJournal, _ isSelected: (JournalEntry) -> Bool
    ) throws(LivePhotoError) -> [Outcome] {
        guard journal.entries.isEmpty || journal.entries.contains(where: isSelected) else {
            throw command.nothingToUndo(in: journal.folder.folder)
        }
        var outcomes: [Outcome] = []
        var indices: [FilePath: Int] = [:]
        var kept: [JournalEntry] = []
        /// Undoes an entry for one file, unless a newer entry for it could not be undone.
        func undo(_ path: FilePath, _ body: () throws(LivePhotoError) -> Outcome.Status) -> Bool {
            let previous = indices[path].map { outcomes[$0].status }
            if case .refused? = previous { return false }
            if isDryRun, previous != nil { return true }
            var status: Outcome.Status
            do throws(LivePhotoError) {
                status = try body()
            } catch {
                status = .refused(error)
            }
            if status == .unchanged, previous == .restored { status = .restored }
            let outcome = Outcome(path: journal.path(path) ?? path, status: status)
            if let index = indices[path] {
                outcomes[index] = outcome
            } else {
                indices[path] = outcomes.count
                outcomes.append(outcome)
            }
            if case .refused = status { return false }
            return true
        }
        var remaining = Dictionary(grouping: journal.entries, by: \.photo.path.path)
        for (index, entry) in journal.entries.enumerated().reversed() {
            if Task.isCancelled {
                if !isDryRun { try journal.keep(only: journal.entries[...index] + kept) }
                throw .cancellation
            }
            remaining[entry.photo.path.path]?.removeLast()
            guard isSelected(entry) else {
                kept.insert(entry, at: 0)
                continue
            }
            let older = remaining[entry.photo.path.path, default: []].filter { $0.movie.path == entry.movie.path }
            let later = journal.laterCommand(after: entry)
            let refusals = refusals(of: entry, in: journal, older)
            let movie = undo(entry.movie.path.path) { () throws(LivePhotoError) in
                if let later { throw later.isNewer(than: command, of: journal.path(entry.movie.path.path)) }
                if let refusal = refusals.movie { throw refusal }
                return try undoMovie(of: entry, in: journal, older)
            }
            let photo = undo(entry.photo.path.path) { () throws(LivePhotoError) in
                if let later { throw later.isNewer(than: command, of: journal.path(entry.photo.path.path)) }
                if let refusal = refusals.photo { throw refusal }
                return try undoPhoto(of: entry, in: journal, older)
            }
            if !movie || !photo { kept.insert(entry, at: 0) }
        }
        if !isDryRun { try journal.keep(only: kept) }
        return outcomes
    }

    /// Why neither file of an edited pair can be restored: with only one of them, it would be no pair any more.
    private func refusals(
        of entry: JournalEntry, in journal: UndoJournal, _ older: [JournalEntry]
    ) -> (movie: LivePhotoError?, photo: LivePhotoError?) {
        guard command == .edit else { return (nil, nil) }
        var checking = self
        checking.isDryRun = true
        func error(_ check: () throws(LivePhotoError) -> Outcome.Status) -> LivePhotoError? {
            do throws(LivePhotoError) {
                _ = try check()
                return nil
            } catch {
                return error
            }
        }
        func partner(_ recorded: FilePath, _ reason: LivePhotoError?) -> LivePhotoError? {
            reason.map {
                LivePhotoError(
                    $0.code, journal.path(recorded) ?? recorded,
                    "is left as it is, because the other file of the pair cannot be restored")
            }
        }
        let movie = error { () throws(LivePhotoError) in try checking.undoMovie(of: entry, in: journal, older) }
        let photo = error { () throws(LivePhotoError) in try checking.undoPhoto(of: entry, in: journal, older) }
        return (
            movie ?? partner(entry.movie.path.path, photo), photo ?? partner(entry.photo.path.path, movie)
        )
    }

    /// - Parameter older: The previous entries for the same pair. An interrupted undo may already have undone one of them.
    private func undoMovie(
        of entry: JournalEntry, in journal: UndoJournal, _ older: [JournalEntry]
    ) throws(LivePhotoError) -> Outcome.Status {
        let (inverse, times) = (entry.movie.inverse, entry.movie.times)
        let path = try existingPath(entry.movie.path.path, in: journal)
        let lock = try FileLock(path)
        defer { withExtendedLifetime(lock) {} }
        do {
            let state = try inverse.state(of: path)
            if try older.contains(where: { try $0.movie.inverse.state(of: path) == .old }) { return .unchanged }
            // The media data is too large to compare, so another modification time of a finished file counts as a change. A
            // state in between was left by an interrupted undo.
            let hasOtherTime =
                try state == .new && journal.done.contains(entry.number)
                && FileTimes(of: path).modification != times.modification
            guard state != .changed, !hasOtherTime else { throw Self.changed(path) }
            if !isDryRun {
                if state != .old { try FileChange.apply(inverse.changes, to: path) }
                try times.set(path)
            }
            return state == .old ? .unchanged : .restored
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: path, error)
        }
    }

    private func undoPhoto(
        of entry: JournalEntry, in journal: UndoJournal, _ older: [JournalEntry]
    ) throws(LivePhotoError) -> Outcome.Status {
        let path = try existingPath(entry.photo.path.path, in: journal)
        let original = journal.original(entry.number)
        do {
            let state = try entry.photo.state(of: path)
            guard state != .changed else {
                if try older.contains(where: { try $0.photo.state(of: path) == .old }) { return .unchanged }
                throw Self.changed(path)
            }
            if state == .new {
                guard try entry.photo.state(of: original) == .old else {
                    throw LivePhotoError(.unusableMedia, original, "is not the original of \(path) any more")
                }
            }
            if !isDryRun {
                if state == .new {
                    try FileSystem.move(original, to: path)
                    try FileSystem.synchronize(path.folder)
                }
                try entry.photo.times.set(path)
            }
            return state == .old ? .unchanged : .restored
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: path, error)
        }
    }

    private func existingPath(_ recorded: FilePath, in journal: UndoJournal) throws(LivePhotoError) -> FilePath {
        guard let path = journal.path(recorded) else {
            throw LivePhotoError(.unusableMedia, journal.folder, "names a file outside of its folder: \(recorded)")
        }
        guard FileIdentity(path, followingLink: true) != nil else {
            throw LivePhotoError(.noInput, path, "no longer exists; put it back and undo again")
        }
        return path
    }

    private static func changed(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.unusableMedia, path, "was changed since, and is left as it is")
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
    fileprivate func isNewer(than other: Self, of file: FilePath?) -> LivePhotoError {
        LivePhotoError(
            .unusableMedia, file,
            "was changed by 'livephoto \(rawValue)' after '\(other.rawValue)'; undo that first: "
                + "livephoto \(rawValue) --undo \(file?.folder ?? ".")")
    }
}
