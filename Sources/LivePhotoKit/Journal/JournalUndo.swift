import SystemPackage

/// Undoes entries of a journal, several pairs at a time: each waits for the disk, and the file system writes what several
/// have changed at once.
struct JournalUndo {
    /// What was done with the entries of a journal.
    struct Result {
        /// One for each file.
        let outcomes: [InPlaceUndo.Outcome]
        /// Whether at least one entry was undone.
        let hasUndone: Bool
    }

    /// Those whose changes are undone.
    let commands: Set<InPlaceUndo.Command>
    let isDryRun: Bool
    let journal: UndoJournal

    /// Undoes the selected entries, the last one of each pair first, and removes them from the journal.
    ///
    /// - Parameter width: How many pairs at a time.
    /// - Returns: The outcomes of the pair that was changed last come first.
    /// - Throws: `LivePhotoError` if the journal cannot be written; with the code `.cancelled` if the task was cancelled.
    func undo(
        width: Int, _ isSelected: @escaping @Sendable (JournalEntry) -> Bool
    ) async throws(LivePhotoError) -> Result {
        let entries = journal.entries
        let chains = Self.chains(of: entries).filter { $0.contains(where: isSelected) }
        let later = LaterChanges(than: journal, undoing: commands)
        var outcomes: [InPlaceUndo.Outcome] = []
        var undone: Set<Int> = []
        var isCancelled = false
        do {
            try await concurrentForEach(chains, width: width) { [isDryRun, journal] chain in
                var undo = ChainUndo(isDryRun: isDryRun, journal: journal, later: later)
                undo.undo(chain, isSelected)
                return undo
            } body: { (undo: ChainUndo) in
                outcomes += undo.outcomes
                undone.formUnion(undo.undone)
            }
        } catch {
            isCancelled = true
        }
        if !isDryRun { try journal.keep(only: entries.filter { !undone.contains($0.number) }) }
        if isCancelled || Task.isCancelled { throw .cancellation }
        return Result(outcomes: outcomes, hasUndone: !undone.isEmpty)
    }

    /// The entries that have files in common, directly or through others; each chain in the order of the entries, the chain
    /// with the last entry first.
    private static func chains(of entries: [JournalEntry]) -> [[JournalEntry]] {
        // A forest of indices: each leads to another one of its chain, or to itself.
        var parents = Array(entries.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        var seen: [FilePath: Int] = [:]
        for (index, entry) in entries.enumerated() {
            for path in entry.paths {
                if let other = seen[path] { parents[root(index)] = root(other) } else { seen[path] = index }
            }
        }
        let chains = Dictionary(grouping: entries.indices, by: root)
        return chains.values.sorted { ($0.last ?? 0) > ($1.last ?? 0) }.map { $0.map { entries[$0] } }
    }
}
