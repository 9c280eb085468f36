import Bytes
public import SystemPackage

/// Takes back what `FolderLinker` has changed in place, and any change of a pair in the folder that was broken off.
public struct LinkUndo: Sendable {
    /// A file that the journal names, and what becomes of it.
    public struct Outcome: Sendable, Hashable {
        public enum Status: Sendable, Hashable {
            /// It is the old one again, byte for byte and with its times; in a dry run, it would be.
            case restored
            /// It was the old one already.
            case unchanged
            /// It stays as it is, since it is not as it was left.
            case refused(LivePhotoError)
        }

        public let path: FilePath
        public let status: Status
    }

    /// Looks at all, and changes nothing.
    public var isDryRun: Bool

    public init(isDryRun: Bool = false) {
        self.isDryRun = isDryRun
    }

    /// Goes through the journal in a folder from its end to its start, and removes it when all is back. What is refused
    /// stays in it. Broken off, it can be done again; cancelling the task ends it between two pairs.
    ///
    /// - Returns: one outcome a file, the files in the order in which they are looked at.
    /// - Throws: `LivePhotoError` where there is no journal, or it cannot be read; with the code `.temporary` while
    ///   another run is at work, `.cancelled` where the task was.
    public func undo(below folder: FilePath) throws(LivePhotoError) -> [Outcome] {
        var outcomes: [Outcome] = []
        if !isDryRun {
            let folders =
                [folder]
                + Set(FileTree(below: [folder]).photos.map(\.folder)).subtracting([folder]).sorted {
                    $0.string < $1.string
                }
            outcomes = folders.flatMap { PairTransaction.recover(in: $0) }.map { Outcome(path: $0, status: .restored) }
            if !outcomes.isEmpty, !LinkJournal.exists(in: folder) { return outcomes }
        }
        let journal = try LinkJournal(openedIn: folder)
        outcomes.removeAll { outcome in journal.entries.contains { journal.names(outcome.path, in: $0) } }
        var places: [FilePath: Int] = [:]
        var kept: [JournalEntry] = []
        /// An older note on a file counts only when the newer one is undone.
        func undo(_ path: FilePath, _ body: () throws(LivePhotoError) -> Outcome.Status) -> Bool {
            let former = places[path].map { outcomes[$0].status }
            if case .refused? = former { return false }
            if isDryRun, former != nil { return true }
            var status: Outcome.Status
            do throws(LivePhotoError) {
                status = try body()
            } catch {
                status = .refused(error)
            }
            if status == .unchanged, former == .restored { status = .restored }
            let outcome = Outcome(path: journal.path(path) ?? path, status: status)
            if let place = places[path] {
                outcomes[place] = outcome
            } else {
                places[path] = outcomes.count
                outcomes.append(outcome)
            }
            if case .refused = status { return false }
            return true
        }
        var notes = Dictionary(grouping: journal.entries, by: \.photo.path.path)
        for (index, entry) in journal.entries.enumerated().reversed() {
            if Task.isCancelled {
                if !isDryRun { try journal.keep(only: journal.entries[...index] + kept) }
                throw .cancellation
            }
            notes[entry.photo.path.path]?.removeLast()
            let older = notes[entry.photo.path.path, default: []].filter { $0.movie.path == entry.movie.path }
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

    /// - Parameter older: the notes on the same pair that come before. An undoing that was broken off may have brought it
    ///   back to what they begin with.
    private func undoMovie(
        of entry: JournalEntry, in journal: LinkJournal, _ older: [JournalEntry]
    ) throws(LivePhotoError) -> Outcome.Status {
        let (inverse, times) = (entry.movie.inverse, entry.movie.times.times)
        let path = try place(entry.movie.path.path, in: journal)
        let lock = try FileLock(path)
        defer { withExtendedLifetime(lock) {} }
        do {
            let state = try inverse.state(of: path)
            if try older.contains(where: { try $0.movie.inverse.state(of: path) == .old }) { return .unchanged }
            // The media are too large to be looked at: a file that was done and has another time was changed. What is
            // between the two was left by an undoing that was broken off.
            let isTouched =
                try state == .new && journal.done.contains(entry.number)
                && FileTimes(of: path).modification != times.modification
            guard state != .changed, !isTouched else { throw Self.changed(path) }
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
        let path = try place(entry.photo.path.path, in: journal)
        let original = journal.original(of: entry)
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
                try entry.photo.times.times.set(path)
            }
            return state == .old ? .unchanged : .restored
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: path, error)
        }
    }

    private func place(_ noted: FilePath, in journal: LinkJournal) throws(LivePhotoError) -> FilePath {
        guard let path = journal.path(noted) else {
            throw LivePhotoError(.unusableMedia, journal.folder, "names a file outside of its folder: \(noted)")
        }
        guard FileIdentity(path, followingLink: true) != nil else {
            throw LivePhotoError(.noInput, path, "is no longer there; put it back, and undo again")
        }
        return path
    }

    private static func changed(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.unusableMedia, path, "was changed since it was linked, and is left as it is")
    }
}
