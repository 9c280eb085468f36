import MediaModel
import SystemPackage

/// Files that may belong together.
enum ImportCandidate: Sendable {
    case pair(NamedPairs.Pair)
    /// A photo with a movie in it, an archive or a bundle.
    case container(FilePath)
    case file(FilePath, [Doubt])
    /// Files of which it is uncertain which ones belong together.
    case apart([FilePath], Doubt)

    var files: [FilePath] {
        switch self {
        case .pair(let pair): [pair.photo.path, pair.movie.path]
        case .container(let path), .file(let path, _): [path]
        case .apart(let files, _): files
        }
    }
}

/// The candidates in some folders, in the order of their paths.
struct ImportCandidates: Sendable {
    private(set) var candidates: [ImportCandidate] = []
    /// What cannot be read, and what is no photo or movie.
    private(set) var outcomes: [LibraryImport.Outcome] = []

    /// Photos that `FileTree` does not list as such, because they cannot be those of Live Photos.
    private static let otherPhotoExtensions = ImportItem.rawExtensions.union([
        "apng", "avif", "bmp", "gif", "jp2", "jxl", "png", "psd", "tif", "tiff", "webp",
    ])
    /// Files that programs write beside photos, and that are used or of no use.
    private static let companions: Set<String> = ["json", "ini", "db", "thm"]

    /// - Parameter progress: Called with the number of files read, and of all.
    /// - Throws: `CancellationError`.
    init(
        _ sources: [FilePath], _ work: ImportWork, width: Int, progress: (Int, Int) -> Void
    ) async throws {
        let tree = try await FileTree(
            below: sources, without: work.library, seeksContainers: true, listsOthers: true,
            movieKinds: FileTree.partnerExtensions, leavingOut: { ImportLog.exists(in: $0) })
        let total = tree.photos.count + tree.movies.count
        let items = try await TreeItems(tree, width: width, seeksMotionPhotos: true) { progress($0, total) }
        outcomes = items.unreadable.map { LibraryImport.Outcome(.failed($0), [$0.file].compactMap(\.self)) }
        outcomes += tree.leftOut.map { library in
            LibraryImport.Outcome(
                .leftOut, [library],
                doubts: [
                    Doubt("is a library that import has made, and was left out", advice: "name it to import it too")
                ])
        }
        let found = items.namedPairs.found
        var taken: Set<FilePath> = []
        for one in found {
            taken.formUnion(one.files)
            switch one {
            case .pair(let pair): candidates.append(.pair(pair))
            case .leftAlone(let files, let doubt): candidates.append(.apart(files, doubt))
            }
        }
        let photos = Set(items.photos.compactMap(\.identifier)), movies = Set(items.movies.compactMap(\.identifier))
        for item in items.photos where !taken.contains(item.path) {
            if item.isMotionPhoto {
                candidates.append(.container(item.path))
            } else {
                candidates.append(.file(item.path, Self.doubts(item, "photo", "movie", movies)))
            }
        }
        for item in items.movies where !taken.contains(item.path) {
            candidates.append(.file(item.path, Self.doubts(item, "movie", "photo", photos)))
        }
        let listed = Set(tree.photos)
        candidates += tree.containers.filter { !listed.contains($0) }.map { .container($0) }
        for path in tree.others {
            let kind = path.extension?.lowercased() ?? ""
            if Self.otherPhotoExtensions.contains(kind) {
                candidates.append(.file(path, []))
            } else if !Self.companions.contains(kind) {
                outcomes.append(.noMedia(path))
            }
        }
        candidates = candidates.map { (path: $0.files.first?.string ?? "", candidate: $0) }
            .sorted { $0.path < $1.path }.map(\.candidate)
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
