import SystemPackage

/// What the steps of an import share.
struct ImportWork: Sendable {
    let options: LibraryImport
    let log: ImportLog
    let digests = FileDigests()
    let decisions: PairDecisions

    var library: FilePath { log.root }

    init(_ options: LibraryImport, _ log: ImportLog) {
        (self.options, self.log) = (options, log)
        decisions = PairDecisions(chooseStill: options.chooseStill)
    }

    /// Whether an item may take the place of what an earlier import made: it has all contents of that, or nothing of it is
    /// left. So a source that was damaged since does not replace what the library has.
    func mayReplace(_ entry: ImportLog.Entry, with item: ImportItem) -> Bool {
        if entry.files.allSatisfy({ !FileSystem.exists(log.path(of: $0)) }) { return true }
        let contents = Set(item.sources.compactMap { try? digests.read($0).sha256 })
        return entry.sources.allSatisfy { contents.contains($0.sha256) }
    }

    /// Whether sidecars and names tell more than when an item was imported.
    ///
    /// - Parameter knowledge: What is known now.
    func mayBeBetterKnown(_ entry: ImportLog.Entry, _ knowledge: Int) -> Bool {
        entry.knowledge.map { !entry.wasFound && knowledge > $0 } ?? false
    }

    /// Whether what is known now makes another item of the same files, which is as it was imported: one of another folder, or
    /// with a date or place that it did not have.
    func isBetterKnown(_ entry: ImportLog.Entry, _ item: ImportItem) -> Bool {
        guard mayBeBetterKnown(entry, item.knowledge), log.isUnchanged(entry),
            let file = entry.files.first.map(log.path(of:)), let name = file.lastComponent?.base
        else { return false }
        let place = ImportPlace(folder: file.removingLastComponent(), name: name)
        return library.pushing(options.folders.folder(for: item.date())) != place.folder
            || !ImportMaker(self).isPresent(item, at: place)
    }

    /// The outcome for files of which the library has an item.
    func present(_ sources: [FilePath], as entry: ImportLog.Entry) -> LibraryImport.Outcome {
        LibraryImport.Outcome(
            .present(entry.kind), sources, files: entry.files.map(log.path(of:)), doubts: entry.doubts,
            related: entry.related.map(\.path))
    }

    /// The record of a source, which is read unless that was done.
    ///
    /// - Throws: `LivePhotoError`.
    func record(of path: FilePath) throws(LivePhotoError) -> ImportLog.Source {
        let (file, sha256) = try digests.read(path)
        return ImportLog.Source(file: ImportLog.FileState(file), sha256: sha256)
    }
}
