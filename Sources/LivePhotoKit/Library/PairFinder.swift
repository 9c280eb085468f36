import SystemPackage

/// Finds what belongs together among photos and movies: first by the content identifiers that they carry, wherever
/// they stand, then by their names in one folder.
struct PairFinder {
    /// A photo or a movie, and the identifier it carries.
    struct Item: Sendable, Hashable {
        let path: FilePath
        let identifier: String?
        /// The path without its extension, as names are compared: `IMG_1.HEIC` and `img_1.MOV` are alike on a Mac, but
        /// not everywhere; only the extension's case is free.
        let name: String

        /// - Parameter path: one with an extension.
        init(path: FilePath, identifier: String?) {
            self.path = path
            self.identifier = identifier
            let text = path.string
            name = String(text[..<(text.utf8.lastIndex(of: UInt8(ascii: ".")) ?? text.endIndex)])
        }
    }

    /// What copies of a pair have in common when they stand beside each other.
    private struct Place: Hashable {
        let identifier: String
        let name: String
    }

    /// In the order of the photos.
    private(set) var pairs: [(photo: FilePath, movie: FilePath)] = []
    /// With an identifier that no file of the other kind carries, and without one of the same name.
    private(set) var photosAlone: [Item] = []
    private(set) var moviesAlone: [Item] = []
    /// Ordinary photos and movies, which nothing says to be part of a pair.
    private(set) var ordinary = 0
    /// Files that carry the identifier of others of their kind, by identifier.
    private(set) var sharedIdentifiers: [(identifier: String, files: [FilePath])] = []

    init(photos: [Item], movies: [Item]) {
        var movieOfPhoto = [Int?](repeating: nil, count: photos.count)
        var isTaken = [Bool](repeating: false, count: movies.count)
        /// Pairs the photos that have no movie yet with the first free movie of the same key.
        func pair<Key: Hashable>(by key: (Item) -> Key?) {
            var free: [Key: [Int]] = [:]
            for (movie, item) in movies.enumerated().reversed() where !isTaken[movie] {
                if let key = key(item) { free[key, default: []].append(movie) }
            }
            for (photo, item) in photos.enumerated() where movieOfPhoto[photo] == nil {
                guard let key = key(item), let movie = free[key]?.popLast() else { continue }
                movieOfPhoto[photo] = movie
                isTaken[movie] = true
            }
        }
        // Of several copies, those that stand beside each other belong together.
        pair { item in item.identifier.map { Place(identifier: $0, name: item.name) } }
        pair { $0.identifier }
        pair { $0.name }

        let identifiers = (photos: Set(photos.compactMap(\.identifier)), movies: Set(movies.compactMap(\.identifier)))
        for (photo, movie) in zip(photos, movieOfPhoto) {
            if let movie {
                pairs.append((photo.path, movies[movie].path))
            } else if let identifier = photo.identifier {
                if !identifiers.movies.contains(identifier) { photosAlone.append(photo) }
            } else {
                ordinary += 1
            }
        }
        for (movie, isTaken) in zip(movies, isTaken) where !isTaken {
            if let identifier = movie.identifier {
                if !identifiers.photos.contains(identifier) { moviesAlone.append(movie) }
            } else {
                ordinary += 1
            }
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
