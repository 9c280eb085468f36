import Bytes
import SystemPackage

/// Undoes entries of a journal that have files in common.
struct ChainUndo {
    typealias Outcome = InPlaceUndo.Outcome

    /// Whether nothing is changed.
    let isDryRun: Bool
    let journal: UndoJournal
    let later: LaterChanges

    private(set) var outcomes: [Outcome] = []
    /// The numbers of the entries that are undone.
    private(set) var undone: Set<Int> = []
    /// The place of each file's outcome, by its recorded paths.
    private var indices: [FilePath: Int] = [:]

    init(isDryRun: Bool, journal: UndoJournal, later: LaterChanges) {
        (self.isDryRun, self.journal, self.later) = (isDryRun, journal, later)
    }

    /// Undoes the selected entries, the last one first, until the task is cancelled.
    mutating func undo(_ chain: [JournalEntry], _ isSelected: (JournalEntry) -> Bool) {
        for (index, entry) in chain.enumerated().reversed() where isSelected(entry) {
            if Task.isCancelled { return }
            let isUndone = WorkInterruption.ignored { undo(entry, entry.previous(among: chain[..<index])) }
            if isUndone { undone.insert(entry.number) }
        }
    }

    /// - Parameter older: The previous entries for the same pair. An interrupted undo may already have undone one of them.
    /// - Returns: Whether both files are undone.
    private mutating func undo(_ entry: JournalEntry, _ older: [JournalEntry]) -> Bool {
        let (lock, refusals): (FileLock?, Refusals)
        do throws(LivePhotoError) {
            lock = try lockMovie(of: entry)
            refusals = self.refusals(of: entry, older)
        } catch {
            // Another run is changing the pair.
            (lock, refusals) = (nil, Refusals(movie: error, photo: partner(entry.photo.currentPath, of: error)))
        }
        defer { withExtendedLifetime(lock) {} }
        let moviePath = entry.movie.path.path
        let movie = undo(from: moviePath, to: moviePath) { (job) throws(LivePhotoError) in
            if let refusal = refusals.movie { throw refusal }
            return try job.undoMovie(of: entry, older)
        }
        let photo = undo(from: entry.photo.currentPath, to: entry.photo.path.path) { (job) throws(LivePhotoError) in
            if let refusal = refusals.photo { throw refusal }
            return try job.undoPhoto(of: entry, older)
        }
        guard movie, photo, !isDryRun else { return movie && photo }
        do throws(LivePhotoError) {
            try journal.undoTexts(of: entry.number)
            return true
        } catch {
            outcomes.append(Outcome(path: error.file ?? moviePath, status: .refused(error)))
            return false
        }
    }

    /// Locks an entry's movie, and with it the pair, against runs that change it.
    ///
    /// - Returns: Nil for a movie that cannot be opened, which `undoMovie` explains.
    /// - Throws: `LivePhotoError` with the code `.temporary` while another run has the lock.
    private func lockMovie(of entry: JournalEntry) throws(LivePhotoError) -> FileLock? {
        do {
            return try FileLock(journal.entry(entry.movie.path.path))
        } catch let error as LivePhotoError where error.code == .temporary {
            throw error
        } catch {
            return nil
        }
    }

    /// Undoes an entry for one file, unless a newer entry for it could not be undone.
    ///
    /// - Parameters:
    ///   - path: The recorded path of the file as it is.
    ///   - restored: Its recorded path before the change.
    /// - Returns: Whether the entry is undone for the file.
    private mutating func undo(
        from path: FilePath, to restored: FilePath,
        _ body: (ChainUndo) throws(LivePhotoError) -> Outcome.Status
    ) -> Bool {
        let index = indices[path] ?? outcomes.count
        let previous = index < outcomes.count ? outcomes[index].status : nil
        indices[restored] = index
        if case .refused? = previous { return false }
        var status: Outcome.Status
        if isDryRun, isRestored(path) {
            status = .restored
        } else {
            do throws(LivePhotoError) {
                status = try body(self)
            } catch {
                status = .refused(error)
            }
        }
        if status == .unchanged, previous == .restored { status = .restored }
        let isRefused = if case .refused = status { true } else { false }
        let named = isRefused ? path : restored
        let outcome = Outcome(path: journal.path(named) ?? named, status: status)
        indices[path] = index
        if index < outcomes.count { outcomes[index] = outcome } else { outcomes.append(outcome) }
        return !isRefused
    }

    /// Whether a newer entry for a file is undone. In a dry run, the file is then not in the state that an older entry led to.
    private func isRestored(_ path: FilePath) -> Bool {
        indices[path].map { $0 < outcomes.count && outcomes[$0].status == .restored } ?? false
    }

    /// Why a file is left as it is.
    private struct Refusals {
        var movie: LivePhotoError?
        var photo: LivePhotoError?
    }

    /// Why neither file of a pair that was changed later, or of an edited pair, can be restored: with only one of them, an
    /// edited pair would be no pair any more.
    private func refusals(of entry: JournalEntry, _ older: [JournalEntry]) -> Refusals {
        let (moviePath, photoPath) = (entry.movie.path.path, entry.photo.currentPath)
        if let later = later.change(after: entry) {
            return Refusals(
                movie: later.error(of: journal.path(moviePath)), photo: later.error(of: journal.path(photoPath)))
        }
        guard entry.undoneBy == .edit else { return Refusals() }
        let checking = ChainUndo(isDryRun: true, journal: journal, later: later)
        func error(_ path: FilePath, _ check: () throws(LivePhotoError) -> Outcome.Status) -> LivePhotoError? {
            if isDryRun, isRestored(path) { return nil }
            do throws(LivePhotoError) {
                _ = try check()
                return nil
            } catch {
                return error
            }
        }
        let movie = error(moviePath) { () throws(LivePhotoError) in try checking.undoMovie(of: entry, older) }
        let photo = error(photoPath) { () throws(LivePhotoError) in try checking.undoPhoto(of: entry, older) }
        return Refusals(movie: movie ?? partner(moviePath, of: photo), photo: photo ?? partner(photoPath, of: movie))
    }

    /// The error of a file that is left as it is because of its partner's; nil if that has none.
    private func partner(_ recorded: FilePath, of error: LivePhotoError?) -> LivePhotoError? {
        error.map {
            LivePhotoError(
                $0.code, journal.path(recorded) ?? recorded,
                "is left as it is, because the other file of the pair cannot be restored")
        }
    }

    private func undoMovie(of entry: JournalEntry, _ older: [JournalEntry]) throws(LivePhotoError) -> Outcome.Status {
        let place = try journal.entry(entry.movie.path.path)
        do {
            switch entry.movie {
            case .changed(let record):
                // What is written goes to the file that is checked here.
                let movie = try opened(place, writing: !isDryRun)
                if try older.contains(where: { try $0.movie.state(of: movie) == .old }) { return .unchanged }
                return try undo(record, in: movie, isDone: journal.done.contains(entry.number))
            case .replaced(let record):
                let movie = try opened(place)
                return try undo(
                    ReplacedFile(
                        record: record, file: place, newFile: nil, original: journal.originalMovie(entry.number))
                ) { try older.contains { try $0.movie.state(of: movie) == .old } }
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: place.path, error)
        }
    }

    private func undo(_ record: PairRecord.ChangedMovie, in movie: InputFile, isDone: Bool) throws -> Outcome.Status {
        let state = try record.inverse.state(of: movie)
        // The media data is too large to compare, so another modification time of a finished file counts as a change. A
        // state in between was left by an interrupted undo.
        let hasOtherTime =
            try state == .new && isDone
            && FileTimes(of: movie).modification != record.times.modification
        guard state != .changed, !hasOtherTime else { throw Self.changed(movie.path) }
        guard try movie.hasOnlyOwnNames() || movie.status().inodeNumber == record.inode else {
            throw LivePhotoError(
                .unusableMedia, movie.path,
                "is left as it is, because it has another name (a hard link) that it did not have before")
        }
        if !isDryRun {
            if state != .old { try FileChange.apply(record.inverse.changes, to: movie) }
            try record.times.set(movie)
        }
        return state == .old ? .unchanged : .restored
    }

    private func undoPhoto(of entry: JournalEntry, _ older: [JournalEntry]) throws(LivePhotoError) -> Outcome.Status {
        let photo = try photo(of: entry)
        func wasUndone() throws -> Bool {
            try older.contains { try self.photo(of: $0).state() == .old }
        }
        do {
            guard photo.record.new == nil else { return try undo(photo, wasUndone) }
            // The change left it as it is.
            if !photo.file.exists, !(try wasUndone()) { throw Self.missing(photo.file.path) }
            return .unchanged
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: photo.file.path, error)
        }
    }

    private func photo(of entry: JournalEntry) throws(LivePhotoError) -> ReplacedFile {
        let newFile: FolderEntry? = if let path = entry.photo.newPath { try journal.entry(path.path) } else { nil }
        return ReplacedFile(
            record: entry.photo, file: try journal.entry(entry.photo.path.path), newFile: newFile,
            original: journal.originalPhoto(entry.number))
    }

    private func undo(_ file: ReplacedFile, _ wasUndone: () throws -> Bool) throws -> Outcome.Status {
        switch try file.state() {
        case nil where try wasUndone(), .changed where try wasUndone(): return .unchanged
        // The result of the change had the content that an older one began with.
        case .new where try !file.original.exists && wasUndone(): return .unchanged
        case nil: throw Self.missing(file.current.path)
        case .changed: throw Self.changed(file.current.path)
        case .old:
            if !isDryRun { try restoreTimes(of: file) }
            return .unchanged
        case .new, .between:
            if isDryRun {
                try file.checkRestorable()
            } else {
                try file.restore()
                try restoreTimes(of: file)
            }
            return .restored
        }
    }

    /// Restores the times of the old file, unless they are also those of a file elsewhere.
    private func restoreTimes(of file: ReplacedFile) throws {
        let opened = try file.file.open()
        if try opened.hasOnlyOwnNames() { try file.record.times.set(opened) }
    }

    /// - Throws: `LivePhotoError` for anything but a file; `Errno`.
    private func opened(_ place: FolderEntry, writing: Bool = false) throws -> InputFile {
        guard let status = try place.status() else { throw Self.missing(place.path) }
        guard status.type == .regular else { throw Self.changed(place.path) }
        return try place.open(writing: writing)
    }

    private static func missing(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.noInput, path, "no longer exists; put it back and undo again")
    }

    private static func changed(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(.unusableMedia, path, "was changed since, and is left as it is")
    }
}
