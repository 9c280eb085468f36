import MediaModel
import SystemPackage

extension LibraryImport {
    /// Decides what the items of the library are and where they go. Each step lets go of what the one before has found.
    ///
    /// - Returns: The items to make.
    /// - Throws: `CancellationError`; errors of `onOutcome`.
    func plan(
        _ sources: [FilePath], _ work: ImportWork, _ progress: (Progress) -> Void,
        _ onOutcome: (Outcome) throws -> Void
    ) async throws -> [ImportItem] {
        var items = try await UniqueItems.unique(
            of: decided(sources, work, progress, onOutcome), work
        ) {
            progress(Progress(stage: .comparing, done: $0, total: $1))
        } onCopy: {
            try onOutcome($0)
        }
        let folders = try await folders(of: items, work, progress)
        let undated = work.library.pushing(DateFolders.undated)
        var places = try ImportPlaces(work, items)
        for index in places.order(of: items) {
            try Task.checkCancellation()
            let place = places.place(of: items[index], in: folders[index])
            items[index].place = place
            if folders[index] == undated, place.folder == folders[index] {
                items[index].doubts.append(
                    Doubt("has no date", advice: "look for it in the folder \(DateFolders.undated) of the library"))
            }
        }
        return items
    }

    /// Finds the items in folders.
    private func decided(
        _ sources: [FilePath], _ work: ImportWork, _ progress: (Progress) -> Void,
        _ onOutcome: (Outcome) throws -> Void
    ) async throws -> [ImportItem] {
        let candidates = try await ImportCandidates(sources, work, width: width) {
            progress(Progress(stage: .reading, done: $0, total: $1))
        } onOutcome: {
            try onOutcome($0)
        }
        var decided: [ImportItem] = []
        decided.reserveCapacity(candidates.count)
        var done = 0
        try await concurrentForEach(candidates, width: width, work: { await work.decide($0) }) { decision in
            done += 1
            progress(Progress(stage: .pairing, done: done, total: candidates.count))
            if case .success(let outcomes) = decision.outcomes { for outcome in outcomes { try onOutcome(outcome) } }
            if case .failure(let error) = decision.outcomes, error.code == .cancelled { throw CancellationError() }
            decided += decision.items
        }
        return decided
    }

    /// The folders of items by their dates. Each folder is in memory once.
    private func folders(
        of items: [ImportItem], _ work: ImportWork, _ progress: (Progress) -> Void
    ) async throws -> [FilePath] {
        var known: Set<FilePath> = []
        var found: [FilePath] = []
        found.reserveCapacity(items.count)
        try await concurrentForEach(items, width: width) { [folders] item in
            work.library.pushing(folders.folder(for: item.date()))
        } body: { folder in
            found.append(known.insert(folder).memberAfterInsert)
            progress(Progress(stage: .dating, done: found.count, total: items.count))
        }
        return found
    }
}
