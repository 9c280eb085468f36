import SystemPackage

/// Finds what belongs together among photos and movies: first by the content identifiers that they carry, wherever
/// they stand, then by their names in one folder.
struct PairFinder {
    /// A photo or a movie, and the identifier it carries.
    struct Item: Sendable, Hashable {
        let path: FilePath
        let identifier: String?
    }

    private(set) var pairs: [(photo: FilePath, movie: FilePath)] = []
    /// With an identifier and without another half.
    private(set) var photosAlone: [Item] = []
    private(set) var moviesAlone: [Item] = []
    /// Ordinary photos and movies, which nothing says to be halves of a pair.
    private(set) var ordinary = 0
    /// Files that carry the identifier of others of their kind, by identifier.
    private(set) var sharedIdentifiers: [(identifier: String, files: [FilePath])] = []

    init(photos: [Item], movies: [Item]) {
        var unpaired = Dictionary(grouping: movies.indices) { movies[$0].identifier ?? "" }
        unpaired[""] = nil
        var isTaken = [Bool](repeating: false, count: movies.count)
        var rest: [Item] = []
        for photo in photos {
            guard let identifier = photo.identifier, var candidates = unpaired[identifier], !candidates.isEmpty else {
                rest.append(photo)
                continue
            }
            // Of several copies, the one beside the photo belongs to it.
            let place = candidates.firstIndex { movies[$0].path.isBeside(photo.path) } ?? candidates.startIndex
            let movie = candidates.remove(at: place)
            unpaired[identifier] = candidates
            isTaken[movie] = true
            pairs.append((photo.path, movies[movie].path))
        }
        var byName = Dictionary(movies.indices.filter { !isTaken[$0] }.map { (movies[$0].path.withoutExtension, $0) }) {
            first, _ in first
        }
        for photo in rest {
            if let movie = byName.removeValue(forKey: photo.path.withoutExtension) {
                isTaken[movie] = true
                pairs.append((photo.path, movies[movie].path))
            } else if photo.identifier != nil {
                photosAlone.append(photo)
            } else {
                ordinary += 1
            }
        }
        for (movie, isTaken) in zip(movies, isTaken) where !isTaken {
            if movie.identifier != nil { moviesAlone.append(movie) } else { ordinary += 1 }
        }
        sharedIdentifiers = Self.shared(photos) + Self.shared(movies)
    }

    private static func shared(_ items: [Item]) -> [(identifier: String, files: [FilePath])] {
        var files: [String: [FilePath]] = [:]
        for item in items {
            if let identifier = item.identifier { files[identifier, default: []].append(item.path) }
        }
        let shared = files.filter { $0.value.count > 1 }.map { (identifier: $0.key, files: $0.value) }
        return shared.sorted { $0.identifier < $1.identifier }
    }
}

extension FilePath {
    /// The path without its extension, as names are compared: `IMG_1.HEIC` and `img_1.MOV` are alike on a Mac, but not
    /// everywhere; only the extension's case is free.
    fileprivate var withoutExtension: FilePath { removingLastComponent().appending(stem ?? "") }

    fileprivate func isBeside(_ other: FilePath) -> Bool {
        removingLastComponent() == other.removingLastComponent() && stem == other.stem
    }
}
