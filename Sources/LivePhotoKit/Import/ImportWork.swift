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

    /// The record of a source, which is read unless that was done.
    ///
    /// - Throws: `LivePhotoError`.
    func record(of path: FilePath) throws(LivePhotoError) -> ImportLog.Source {
        let (file, sha256) = try digests.read(path)
        return ImportLog.Source(
            path: PathText(file.absolutePath), size: RecordNumber(file.size), modified: file.modified, sha256: sha256)
    }
}
