import Bytes
import SystemPackage

extension LibraryImport {
    /// Makes the items, several at a time, and lets go of those that are made: the log grows by as much.
    ///
    /// - Throws: `CancellationError`; `LivePhotoError` if the disk is full; errors of `onOutcome`.
    func make(
        _ items: inout [ImportItem], _ work: ImportWork, _ progress: (Progress) -> Void,
        _ onOutcome: (Outcome) throws -> Void
    ) async throws {
        let total = items.count
        var done = 0
        items.reverse()
        try await OutputFolders.withRun {
            while !items.isEmpty {
                let part = Array(items.suffix(Self.itemsAtOnce).reversed())
                items.removeLast(part.count)
                try await concurrentForEach(part, width: width, work: { await work.finalOutcome(of: $0) }) { outcome in
                    if case .failed(let error) = outcome.status {
                        if error.code == .cancelled { throw CancellationError() }
                        if FullDisk.isCause(of: error, work.library) { throw FullDisk.error(work.library) }
                    }
                    done += 1
                    try onOutcome(outcome)
                    progress(Progress(stage: isDryRun ? .planning : .copying, done: done, total: total))
                }
                Heaps.giveBackFreed()
            }
        }
    }

    /// Few in comparison with those of a large library, and many in comparison with those that are made at a time: at the end of
    /// each part, some threads wait for the last one.
    private static let itemsAtOnce = 20_000
}
