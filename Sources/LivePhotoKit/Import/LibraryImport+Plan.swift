import MediaModel
import SystemPackage

extension LibraryImport {
    /// Decides what the items of the library are and where they go.
    ///
    /// - Returns: The items to make.
    /// - Throws: `CancellationError`; errors of `onOutcome`.
    func plan(
        _ sources: [FilePath], _ work: ImportWork, _ progress: (Progress) -> Void,
        _ onOutcome: (Outcome) throws -> Void
    ) async throws -> [ImportItem] {
        let found = try await ImportCandidates(sources, work, width: width) {
            progress(Progress(stage: .reading, done: $0, total: $1))
        }
        for outcome in found.outcomes { try onOutcome(outcome) }
        var decided: [ImportItem] = []
        var done = 0
        try await concurrentForEach(found.candidates, width: width, work: { await work.decide($0) }) { decision in
            done += 1
            progress(Progress(stage: .pairing, done: done, total: found.candidates.count))
            if case .success(let outcomes) = decision.outcomes { for outcome in outcomes { try onOutcome(outcome) } }
            if case .failure(let error) = decision.outcomes, error.code == .cancelled { throw CancellationError() }
            decided += decision.items
        }
        let unique = try await UniqueItems(decided, work) {
            progress(Progress(stage: .comparing, done: $0, total: $1))
        }
        for outcome in unique.copies { try onOutcome(outcome) }
        var items = unique.items
        let dates = try await concurrentMap(
            items, width: width,
            progress: { [count = items.count] in
                progress(Progress(stage: .dating, done: $0, total: count))
            }
        ) { $0.date() }
        var places = ImportPlaces(work)
        for index in places.order(of: items) {
            let folder = work.library.pushing(folders.folder(for: dates[index]))
            let place = places.place(of: items[index], in: folder)
            items[index].place = place
            if dates[index] == nil, place.folder == folder {
                items[index].doubts.append(
                    Doubt("has no date", advice: "look for it in the folder \(DateFolders.undated) of the library"))
            }
        }
        return items
    }
}
