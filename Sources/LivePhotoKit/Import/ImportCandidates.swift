import MediaModel
import SystemPackage

/// Files that may belong together.
enum ImportCandidate: Sendable {
    // The large cases are indirect, because most candidates of some libraries are single files.
    indirect case pair(NamedPairs.Pair)
    /// A photo with a movie in it, an archive or a bundle.
    case container(FilePath)
    case file(FilePath, [Doubt])
    /// Files of which it is uncertain which ones belong together.
    indirect case apart([FilePath], Doubt)

    var files: [FilePath] {
        switch self {
        case .pair(let pair): [pair.photo.path, pair.movie.path]
        case .container(let path), .file(let path, _): [path]
        case .apart(let files, _): files
        }
    }

    var firstFile: FilePath {
        switch self {
        case .pair(let pair): pair.photo.path
        case .container(let path), .file(let path, _): path
        case .apart(let files, _): files.first ?? ""
        }
    }
}

/// The candidates in some folders, in the order of their paths. Pairs are made when they are asked for, as in `FoundFiles`.
struct ImportCandidates: RandomAccessCollection, Sendable {
    private var found = FoundFiles(photos: [], movies: [], clips: [])
    private var others: [ImportCandidate] = []
    /// The numbers of what was found; for others they are below 0.
    private var order: [Int32] = []

    /// 0.
    var startIndex: Int { 0 }
    /// The number of candidates.
    var endIndex: Int { order.count }

    subscript(index: Int) -> ImportCandidate { candidate(order[index]) }

    private func candidate(_ number: Int32) -> ImportCandidate {
        guard number >= 0 else { return others[Int(~number)] }
        return switch found[Int(number)] {
        case .pair(let pair): .pair(pair)
        case .leftAlone(let files, let doubt): .apart(files, doubt)
        }
    }

    /// - Parameters:
    ///   - progress: Called with the number of files read, and of those found so far.
    ///   - onOutcome: Called with what cannot be read, and what is no photo or movie, as soon as that is known: no other file
    ///     changes it.
    /// - Throws: `CancellationError`; errors of `onOutcome`.
    init(
        _ sources: [FilePath], _ work: ImportWork, width: Int, progress: (Int, Int) -> Void,
        onOutcome: (LibraryImport.Outcome) throws -> Void
    ) async throws {
        var listing = ListedOutcomes()
        let tree = try await FileTree(
            below: sources, without: work.library, seeksContainers: true, listsOthers: true,
            movieKinds: FileTree.partnerExtensions,
            onFolder: {
                listing.tell($0, onOutcome)
                progress(0, $0.photos.count + $0.movies.count)
            },
            leavingOut: { ImportLog.exists(in: $0) })
        if let failure = listing.failure { throw failure }
        let total = tree.photos.count + tree.movies.count
        let items = try await TreeItems(tree, width: width, seeksMotionPhotos: true) {
            progress($0, total)
        } onUnreadable: {
            try onOutcome(.unreadable($0))
        }
        try addMedia(items, items.namedPairs())
        for path in tree.containers where !FileTree.photoExtensions.contains(path.extension?.lowercased() ?? "") {
            others.append(.container(path))
        }
        for path in tree.others where ListedOutcomes.isMedia(path) { others.append(.file(path, [])) }
        try sort()
    }

    private mutating func addMedia(_ items: TreeItems, _ pairs: NamedPairs) throws {
        found = pairs.found
        let photos = Self.identifiers(of: items.photos, wantedBy: pairs.single.movies)
        let movies = Self.identifiers(of: items.movies, wantedBy: pairs.single.photos)
        for item in pairs.single.photos {
            try Task.checkCancellation()
            others.append(
                item.isMotionPhoto
                    ? .container(item.path) : .file(item.path, Self.doubts(item, "photo", "movie", movies)))
        }
        for item in pairs.single.movies {
            try Task.checkCancellation()
            others.append(.file(item.path, Self.doubts(item, "movie", "photo", photos)))
        }
    }

    private static func identifiers(
        of items: [PairFinder.Item], wantedBy others: [PairFinder.Item]
    ) -> Set<StoredIdentifier> {
        let wanted = Set(others.compactMap(\.identifier))
        return wanted.isEmpty ? [] : Set(items.lazy.compactMap(\.identifier).filter(wanted.contains))
    }

    /// By paths. Most are in this order, so that the texts of paths are made as they are compared.
    private mutating func sort() throws {
        order = try (Array(0..<Int32(found.count)) + (0..<Int32(others.count)).map { ~$0 }).sorted {
            try Task.checkCancellation()
            return candidate($0).firstFile.string < candidate($1).firstFile.string
        }
    }

    private static func doubts(
        _ item: PairFinder.Item, _ kind: String, _ other: String, _ others: Set<StoredIdentifier>
    ) -> [Doubt] {
        guard let identifier = item.identifier, !others.contains(identifier) else { return [] }
        return [
            Doubt(
                "is the \(kind) of a Live Photo whose \(other) is not in these folders",
                advice: "if it is an export, unpack all its parts into one folder and import that again")
        ]
    }
}

/// Tells what a tree has that is not imported, while it is listed.
private struct ListedOutcomes {
    private var told = (unreadable: 0, leftOut: 0, others: 0)
    /// The first error of `onOutcome`.
    private(set) var failure: (any Error)?

    /// Photos that `FileTree` does not list as such, because they cannot be those of Live Photos.
    private static let otherPhotoExtensions = ImportItem.rawExtensions.union([
        "apng", "avif", "bmp", "gif", "jp2", "jxl", "png", "psd", "tif", "tiff", "webp",
    ])
    /// Files that programs write beside photos, and that are used or of no use.
    private static let companions: Set<String> = ["json", "ini", "db", "thm"]

    /// Whether one of the other files is a photo.
    static func isMedia(_ path: FilePath) -> Bool {
        otherPhotoExtensions.contains(path.extension?.lowercased() ?? "")
    }

    mutating func tell(_ tree: FileTree, _ onOutcome: (LibraryImport.Outcome) throws -> Void) {
        do {
            try tellNew(tree, onOutcome)
        } catch {
            failure = failure ?? error
        }
    }

    private mutating func tellNew(
        _ tree: FileTree, _ onOutcome: (LibraryImport.Outcome) throws -> Void
    ) throws {
        guard failure == nil else { return }
        for file in tree.unreadable[told.unreadable...] {
            try onOutcome(.unreadable(LivePhotoError(reading: file.path, file.reason)))
        }
        for library in tree.leftOut[told.leftOut...] {
            let doubt = Doubt(
                "is a library that import has made, and was left out", advice: "name it to import it too")
            try onOutcome(LibraryImport.Outcome(.leftOut, [library], doubts: [doubt]))
        }
        for path in tree.others[told.others...] where !Self.isMedia(path) {
            guard !Self.companions.contains(path.extension?.lowercased() ?? "") else { continue }
            try onOutcome(.noMedia(path))
        }
        told = (tree.unreadable.count, tree.leftOut.count, tree.others.count)
    }
}

extension LibraryImport.Outcome {
    fileprivate static func unreadable(_ error: LivePhotoError) -> Self {
        Self(.failed(error), [error.file].compactMap(\.self))
    }
}
