import Bytes
public import SystemPackage

/// Undoes what `FolderLinker` has changed in place, and interrupted changes of pairs in the folder.
public struct LinkUndo: Sendable {
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

    /// Whether only to report what would be done.
    public var isDryRun: Bool

    /// An undo that changes files, unless it is a dry run.
    public init(isDryRun: Bool = false) {
        self.isDryRun = isDryRun
    }

    /// Undoes the entries of the journal in a folder, the last one first, and removes those that are undone. Can be repeated
    /// after an interruption. Cancelling the task ends it between two pairs.
    ///
    /// - Returns: One outcome for each file, in the order of processing.
    /// - Throws: `LivePhotoError` if there is no journal, or it cannot be read; with the code `.temporary` while another run
    ///   uses it, `.cancelled` if the task was cancelled.
    public func undo(below folder: FilePath) throws(LivePhotoError) -> [Outcome] {
        var outcomes: [Outcome] = []
        if !isDryRun {
            let tree: FileTree
            do {
                tree = try FileTree(listing: [folder])
            } catch {
                throw LivePhotoError.cancellation
            }
            let below = Set(tree.photos.map(\.folder)).subtracting([folder])
            let folders = [folder] + below.sorted { $0.string < $1.string }
            outcomes = folders.flatMap { PairTransaction.recover(in: $0) }.map { Outcome(path: $0, status: .restored) }
            if !outcomes.isEmpty, !LinkJournal.exists(in: folder) { return outcomes }
        }
        let journal = try LinkJournal(openedIn: folder)
        outcomes.removeAll { journal.names($0.path) }
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
            let older = remaining[entry.photo.path.path, default: []].filter { $0.movie.path == entry.movie.path }
            let movie = undo(entry.movie.path.path) { () throws(LivePhotoError) in
                try undoMovie(of: entry, in: journal, older)
            }
            let photo = undo(entry.photo.path.path) { () throws(LivePhotoError) in
                try undoPhoto(of: entry, in: journal, older)
            }
            if !movie || !photo { kept.insert(entry, at: 0) }
        }
        if !isDryRun { try journal.keep(only: kept) }
        return outcomes
    }

    /// - Parameter older: The previous entries for the same pair. An interrupted undo may already have undone one of them.
    private func undoMovie(
        of entry: JournalEntry, in journal: LinkJournal, _ older: [JournalEntry]
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
        of entry: JournalEntry, in journal: LinkJournal, _ older: [JournalEntry]
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

    private func existingPath(_ recorded: FilePath, in journal: LinkJournal) throws(LivePhotoError) -> FilePath {
        guard let path = journal.path(recorded) else {
            throw LivePhotoError(.unusableMedia, journal.folder, "names a file outside of its folder: \(recorded)")
        }
        guard FileIdentity(path, followingLink: true) != nil else {
            throw LivePhotoError(.noInput, path, "no longer exists; put it back and undo again")
        }
        return path
    }

    private static func changed(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.unusableMedia, path, "was changed since it was linked, and is left as it is")
    }
}
