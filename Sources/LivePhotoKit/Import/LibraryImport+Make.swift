import SystemPackage

extension LibraryImport {
    /// Makes the items, several at a time.
    ///
    /// - Throws: `CancellationError`; `LivePhotoError` if the disk is full; errors of `onOutcome`.
    func make(
        _ items: [ImportItem], _ work: ImportWork, _ progress: (Progress) -> Void,
        _ onOutcome: (Outcome) throws -> Void
    ) async throws {
        var done = 0
        try await OutputFolders.withRun {
            try await concurrentForEach(items, width: width, work: { await work.finalOutcome(of: $0) }) { outcome in
                if case .failed(let error) = outcome.status {
                    if error.code == .cancelled { throw CancellationError() }
                    if FullDisk.isCause(of: error, work.library) { throw FullDisk.error(work.library) }
                }
                done += 1
                try onOutcome(outcome)
                progress(Progress(stage: .copying, done: done, total: items.count))
            }
        }
    }
}
