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

    /// The record of a source, which is read unless that was done.
    ///
    /// - Throws: `LivePhotoError`.
    func record(of path: FilePath) throws(LivePhotoError) -> ImportLog.Source {
        let (file, sha256) = try digests.read(path)
        return ImportLog.Source(file: ImportLog.FileState(file), sha256: sha256)
    }
}
