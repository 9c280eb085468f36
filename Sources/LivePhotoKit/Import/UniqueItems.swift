import MediaModel
import SystemPackage

/// The items of which each content is there once, and the others.
///
/// Only files of one size are read: with each other, and with what the library was made of.
struct UniqueItems: Sendable {
    /// The contents of an item's files, by their numbers.
    private struct Key: Hashable {
        let first, second: Int32
    }

    private var items: [ImportItem]
    private let work: ImportWork
    private let contents: FileContents
    /// What each item is equal to, unless it is kept.
    private var copyOf: [Int: FilePath] = [:]
    /// The last kept item that has a content, by the number of that; -1 for none.
    private var taken: [Int32]

    /// Leaves out what is there already.
    ///
    /// - Parameters:
    ///   - progress: Called with the number of files compared, and of all.
    ///   - onCopy: Called with the outcomes for what is left out.
    /// - Throws: `CancellationError`; errors of `onCopy`.
    static func unique(
        of decided: [ImportItem], _ work: ImportWork, progress: (Int, Int) -> Void,
        onCopy: (LibraryImport.Outcome) throws -> Void
    ) async throws -> [ImportItem] {
        var unique = UniqueItems(
            items: decided, work: work, contents: try await FileContents(decided, work, progress))
        // Live Photos first, because their photos may also be there alone, as in albums.
        for livePhotos in [true, false] { try await unique.find(livePhotos: livePhotos) }
        try unique.tell(onCopy)
        return unique.copyOf.isEmpty
            ? unique.items : unique.items.indices.filter { unique.copyOf[$0] == nil }.map { unique.items[$0] }
    }

    private init(items: [ImportItem], work: ImportWork, contents: FileContents) {
        (self.items, self.work, self.contents) = (items, work, contents)
        taken = Array(repeating: -1, count: contents.count)
    }

    private func key(_ index: Int) -> Key {
        let range = contents.files(of: index)
        return Key(
            first: contents[range.lowerBound], second: range.count > 1 ? contents[range.upperBound - 1] : -1)
    }

    private mutating func find(livePhotos: Bool) async throws {
        let indices = items.indices.filter { items[$0].isLivePhoto == livePhotos }
        var equal = EqualElements<Key>()
        for index in indices where contents.files(of: index).allSatisfy(contents.isKnown) {
            try Task.checkCancellation()
            equal.add(index, key: key(index))
        }
        let best = try await best(of: Array(equal.groups.values))
        for index in indices {
            try Task.checkCancellation()
            let key = key(index)
            let entries = entries(of: index)
            let first = equal.firsts[key].map(Int.init) ?? index
            let entry = wholeEntry(entries)
            let isBetterKnown = entry.map { work.isBetterKnown($0, items[best[first] ?? index]) } ?? false
            if let file = entry?.files.first, !isBetterKnown {
                copyOf[index] = work.log.path(of: file)
            } else if let best = best[first] ?? (equal.groups[Int32(first)] == nil ? nil : first), best != index {
                copyOf[index] = items[best].path
            } else if !livePhotos, key.first >= 0, taken[Int(key.first)] >= 0 {
                copyOf[index] = items[Int(taken[Int(key.first)])].path
            } else {
                let alone = livePhotos ? replaced(by: items[index], entries.compactMap(\.first)) : []
                let replaced = entry.map { [$0] } ?? alone
                // Changing one copies all, which the caller has too.
                if !replaced.isEmpty { items[index].replaced = replaced }
                for file in contents.files(of: index) where contents.isKnown(file) {
                    taken[Int(contents[file])] = Int32(index)
                }
            }
        }
    }

    /// The items of the library that have each file of an item.
    private func entries(of index: Int) -> [[ImportLog.Entry]] {
        guard !work.log.isEmpty else { return [] }
        return zip(contents.files(of: index), items[index].sources).map { file, path in
            contents.isKnown(file) ? work.digests.known(path).map(work.log.entries(ofContent:)) ?? [] : []
        }
    }

    /// The item of the library that has all files of an item.
    private func wholeEntry(_ entries: [[ImportLog.Entry]]) -> ImportLog.Entry? {
        entries.first?.first { entry in
            work.log.isPresent(entry)
                && entries.dropFirst().allSatisfy {
                    $0.contains { $0.files.first?.path == entry.files.first?.path }
                }
        }
    }

    private func tell(_ onCopy: (LibraryImport.Outcome) throws -> Void) throws {
        for (index, original) in copyOf.sorted(by: { $0.key < $1.key }) {
            try Task.checkCancellation()
            let item = items[index]
            if !work.options.isDryRun {
                for (file, path) in zip(contents.files(of: index), item.sources)
                where contents.isKnown(file) && (try? work.log.digest(of: SourceFile(path))) == nil {
                    try? work.log.append(copy: work.record(of: path))
                }
            }
            work.digests.forget(item.sources)
            try onCopy(
                present(item, as: original)
                    ?? LibraryImport.Outcome(
                        .copy(of: original), item.sources, doubts: item.doubts, related: item.related))
        }
    }

    /// The outcome for an item that was imported as a file of the library; nil if that is of another source.
    private func present(_ item: ImportItem, as file: FilePath) -> LibraryImport.Outcome? {
        guard let source = try? SourceFile(item.path), let entry = work.log.entry(of: source),
            entry.files.first.map(work.log.path(of:)) == file
        else { return nil }
        return work.present(item.sources, as: entry)
    }

    /// The files of the library that a Live Photo has besides, because its photo or movie was imported alone; unless they know
    /// more of dates and places.
    private func replaced(by item: ImportItem, _ entries: [ImportLog.Entry]) -> [ImportLog.Entry] {
        guard !entries.isEmpty else { return [] }
        func rank(_ paths: [FilePath]) -> Int {
            paths.map { OutsidePairMetadata.rank(photo: $0, movie: $0, areInOneFolder: false) }.max() ?? 0
        }
        let known = rank(item.sources)
        return entries.filter { entry in
            entry.kind == .file && !entry.wasFound && work.log.isUnchanged(entry)
                && rank(entry.sources.map(\.path)) <= known
        }
    }

    /// For the first of each group of equal items, the one about which most is known.
    ///
    /// - Throws: `CancellationError`.
    private func best(of groups: [[Int]]) async throws -> [Int: Int] {
        let best = try await concurrentMap(groups, width: work.options.width) { [items] group in
            let ranked = group.map { index in
                let item = items[index]
                return (
                    index: index,
                    rank: OutsidePairMetadata.rank(
                        photo: item.path, movie: item.sources.last ?? item.path, areInOneFolder: item.isInOneFolder)
                )
            }
            // Of equal ranks the first, so that the result does not depend on chance.
            let highest = ranked.map(\.rank).max() ?? 0
            return ranked.first { $0.rank == highest }?.index ?? group[0]
        }
        return Dictionary(zip(groups.map { $0[0] }, best), uniquingKeysWith: { first, _ in first })
    }
}
