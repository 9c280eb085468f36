import Bytes
import QuickTime
import SystemPackage

/// New contents of both files of a pair, complete before anything is written.
struct PairUpdate {
    let source: SourcePair
    let photo: [UInt8]
    let movie: MovieEdit

    /// Changes both files in place, or neither. The movie must be locked.
    ///
    /// - Parameters:
    ///   - journal: Records the change before it is made; nil for that of the pair's folder.
    ///   - command: Undoes the change.
    ///   - check: Reads the changed files; an error undoes the change.
    /// - Throws: `LivePhotoError`; `MovieEditError`; `CancellationError`; `FileChanged`.
    func replace(
        noting journal: UndoJournal?, of command: InPlaceUndo.Command, check: () throws -> Void
    ) throws {
        try source.reader.file.checkUnchanged()
        let change = PairChange(
            photo: source.photo, source.hasPhoto(photo) ? .kept : .contents(photo), movie: source.movie,
            .changes(try movie.changesInPlace()))
        let own = try journal == nil ? UndoJournal(createdIn: source.photo.folder) : nil
        defer { own?.removeIfEmpty() }
        try change.perform(noting: journal ?? own, of: command, check: check)
    }

    /// Writes copies, which keep the times of the files.
    ///
    /// - Parameters:
    ///   - mayBeLinks: Whether files that are replaced may be hard links of the pair's.
    ///   - check: Reads the copies before they appear.
    /// - Throws: `LivePhotoError`; `MovieEditError`; `CancellationError`; errors of `check`.
    func copy(
        to target: PublishTarget, replacing: Bool, mayBeLinks: Bool = false,
        check: (FilePath, FilePath) throws -> Void
    ) throws {
        try target.check(inputs: mayBeLinks ? [] : [source.photo, source.movie], replacing: replacing)
        let publisher = try target.publisher()
        let (newPhoto, newMovie) = (publisher.stagedPath(target.photoName), publisher.stagedPath(target.movieName))
        try publisher.write(target.photoName) { try $0.write(photo) }
        try FileTimes(of: source.photo).set(newPhoto)
        try publisher.write(target.movieName) { try movie.write(to: $0) }
        try FileTimes(of: source.movie).set(newMovie)
        try check(newPhoto, newMovie)
        try publisher.publish(replacing: replacing, durability: .leftToSystem)
    }
}

extension PairChange {
    /// Changes both files, or neither. The movie must be locked.
    ///
    /// - Parameters:
    ///   - journal: Records the change before it is made.
    ///   - command: Undoes the change.
    ///   - check: Reads the changed files; an error undoes the change.
    /// - Throws: `LivePhotoError`; `CancellationError` before any change.
    package func perform(
        noting journal: UndoJournal?, of command: InPlaceUndo.Command, check: () throws -> Void = {}
    ) throws {
        try WorkInterruption.check()
        let transaction = try PairTransaction(self)
        var note: Int?
        do {
            note = try journal?.note(self, transaction.record, of: command)
            try transaction.perform(steps)
            // A pair that is changed is finished, also after a cancellation.
            try WorkInterruption.ignored(check)
            if let note { try journal?.markDone(note) }
            try transaction.commit()
        } catch {
            let error = LivePhotoLinker.explain(error, photo: photo, movie: movie, command)
            let final = transaction.rolledBack(after: error)
            // If the files are not restored yet, the entry is needed to do so.
            if let note, final == error { try? journal?.forget(note) }
            throw final
        }
    }
}
