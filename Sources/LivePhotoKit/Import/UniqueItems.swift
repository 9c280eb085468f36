import MediaModel
import SystemPackage

/// The items of which each content is there once, and the others.
///
/// Only files of one size are read: with each other, and with what the library was made of.
struct UniqueItems: Sendable {
    /// What makes files equal.
    private enum Content: Hashable {
        case sha256(String)
        /// No other file has its size.
        case only(FilePath)
    }

    private(set) var items: [ImportItem] = []
    private(set) var copies: [LibraryImport.Outcome] = []

    /// - Parameter progress: Called with the number of files compared, and of all.
    /// - Throws: `CancellationError`.
    init(_ decided: [ImportItem], _ work: ImportWork, progress: (Int, Int) -> Void) async throws {
        let contents = try await Self.contents(of: decided, work, progress)
        func content(_ path: FilePath) -> Content { contents[path].map { .sha256($0) } ?? .only(path) }
        var taken: [Content: FilePath] = [:]
        var copyOf: [Int: FilePath] = [:]
        var kept: [Int: ImportItem] = [:]
        // Live Photos first, because their photos may also be there alone, as in albums.
        for livePhotos in [true, false] {
            let indices = decided.indices.filter { decided[$0].isLivePhoto == livePhotos }
            let groups = Dictionary(grouping: indices) { decided[$0].sources.map(content) }
            let best = try await Self.best(of: groups.values.filter { $0.count > 1 }, decided, work)
            for index in indices {
                let item = decided[index]
                let keys = item.sources.map(content)
                let entries = item.sources.map { contents[$0].map(work.log.entries(ofContent:)) ?? [] }
                let whole = entries.first?.first { entry in
                    work.log.isPresent(entry)
                        && entries.dropFirst().allSatisfy {
                            $0.contains { $0.files.first?.path == entry.files.first?.path }
                        }
                }
                if let file = whole?.files.first {
                    copyOf[index] = work.log.path(of: file)
                } else if let first = groups[keys]?.first, (best[first] ?? first) != index {
                    copyOf[index] = decided[best[first] ?? first].path
                } else if !livePhotos, let other = keys.first.flatMap({ taken[$0] }) {
                    copyOf[index] = other
                } else {
                    var item = item
                    item.replaced = Self.replaced(by: item, entries.compactMap(\.first), work)
                    kept[index] = item
                    for key in keys { taken[key] = item.path }
                }
            }
        }
        items = decided.indices.compactMap { kept[$0] }
        for index in decided.indices {
            guard let original = copyOf[index] else { continue }
            let item = decided[index]
            copies.append(
                LibraryImport.Outcome(
                    .copy(of: original), item.sources, doubts: item.doubts, related: item.related))
            guard !work.options.isDryRun else { continue }
            for path in item.sources where contents[path] != nil && (try? work.log.digest(of: SourceFile(path))) == nil
            {
                try? work.log.append(copy: work.record(of: path))
            }
        }
    }

    /// The files of the library that a Live Photo has besides, because its photo or movie was imported alone; unless they know
    /// more of dates and places.
    private static func replaced(
        by item: ImportItem, _ entries: [ImportLog.Entry], _ work: ImportWork
    ) -> [ImportLog.Entry] {
        guard item.isLivePhoto else { return [] }
        func rank(_ paths: [FilePath]) -> Int {
            paths.map { OutsidePairMetadata.rank(photo: $0, movie: $0, areInOneFolder: false) }.max() ?? 0
        }
        let known = rank(item.sources)
        return entries.filter { entry in
            entry.kind == .file && !entry.wasFound && work.log.isUnchanged(entry)
                && rank(entry.sources.map(\.path)) <= known
        }
    }

    /// SHA-256 of the files that others may be equal to.
    ///
    /// - Throws: `CancellationError`.
    private static func contents(
        of items: [ImportItem], _ work: ImportWork, _ progress: (Int, Int) -> Void
    ) async throws -> [FilePath: String] {
        let paths = Array(Set(items.flatMap(\.sources)))
        let files = try await concurrentMap(paths, width: work.options.width) { try? SourceFile($0) }.compactMap(\.self)
        let counts = Dictionary(files.map { ($0.size, 1) }, uniquingKeysWith: +)
        let several = files.filter { counts[$0.size] ?? 0 > 1 || work.log.hasSource(size: $0.size) }
        let digests = try await concurrentMap(
            several, width: work.options.width, progress: { progress($0, several.count) }
        ) { file in
            if let known = work.log.digest(of: file) { work.digests.add(known, of: file) }
            return try? work.digests.read(file.path).sha256
        }
        return Dictionary(
            zip(several, digests).compactMap { file, digest in digest.map { (file.path, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// For the first of each group of equal items, the one about which most is known.
    ///
    /// - Throws: `CancellationError`.
    private static func best(
        of groups: [[Int]], _ items: [ImportItem], _ work: ImportWork
    ) async throws -> [Int: Int] {
        let best = try await concurrentMap(groups, width: work.options.width) { group in
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
