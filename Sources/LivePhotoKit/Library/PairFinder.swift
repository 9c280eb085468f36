package import Bytes
package import SystemPackage

/// Finds pairs among photos and movies: first by content identifier in any folder, then by name in one folder.
package struct PairFinder {
    /// A photo or a movie, and its content identifier.
    package struct Item: Sendable, Hashable {
        package let path: FilePath
        let identifier: StoredIdentifier?
        /// Whether it is a photo with a movie in it; always false unless the search asked for it.
        let isMotionPhoto: Bool
        /// At most one. An optional error would take its bytes in each of a million files.
        private let problems: [ParseError]

        package init(
            path: FilePath, identifier: StoredIdentifier?, isMotionPhoto: Bool = false, problem: ParseError? = nil
        ) {
            (self.path, self.identifier, self.isMotionPhoto) = (path, identifier, isMotionPhoto)
            problems = problem.map { [$0] } ?? []
        }

        /// The path without its extension, for comparing names. Case matters, as on most file systems.
        var name: ComparedName { ComparedName(withoutExtensionOf: path) }

        /// Why it cannot be read, although its name is that of a photo or movie.
        var problem: ParseError? { problems.first }
    }

    /// Files of one name and folder and one identifier, which are a pair whatever other files there are.
    struct CertainPair: Sendable {
        let photo: FilePath
        let movie: FilePath
        let identifier: StoredIdentifier
    }

    /// What copies of one pair in different folders have in common with no other.
    private struct Copy: Hashable {
        let identifier: StoredIdentifier
        let name: ComparedName
    }

    /// In the order of the photos, without those that were certain.
    private(set) var pairs: [(photo: FilePath, movie: FilePath)] = []
    /// The motion photos that are not part of a pair. They are in none of the lists of single files.
    private(set) var motionPhotos: [FilePath] = []
    /// Photos with an identifier that no movie has, and without a movie of the same name.
    private(set) var photosAlone: [Item] = []
    /// Movies with an identifier that no photo has, and without a photo of the same name.
    private(set) var moviesAlone: [Item] = []
    /// The number of ordinary photos and movies: those without identifier and partner.
    private(set) var ordinary = 0
    /// Why files in no pair cannot be read.
    private(set) var unreadable: [LivePhotoError] = []
    /// Photos with the same identifier and movies with the same identifier, by identifier.
    private(set) var sharedIdentifiers: [(identifier: StoredIdentifier, files: [FilePath])] = []

    /// - Parameters:
    ///   - certain: Pairs whose files are not in `photos` and `movies`.
    ///   - order: Sorts files that share an identifier.
    init(
        photos: [Item], movies: [Item], besides certain: some Collection<CertainPair> = [],
        order: ([FilePath]) -> [FilePath] = { $0 }
    ) {
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
        // Of several copies of a pair, files with the same name and folder belong together.
        pair { item in item.identifier.map { Copy(identifier: $0, name: item.name) } }
        pair { $0.identifier }
        pair { $0.name }

        let identifiers = (
            photos: IdentifierCounts(photos, certain), movies: IdentifierCounts(movies, certain)
        )
        for (photo, movie) in zip(photos, movieOfPhoto) {
            if let movie {
                pairs.append((photo.path, movies[movie].path))
            } else if photo.isMotionPhoto {
                motionPhotos.append(photo.path)
            } else if let identifier = photo.identifier {
                if identifiers.movies[identifier] == 0 { photosAlone.append(photo) }
            } else {
                addSingle(photo)
            }
        }
        for (movie, isTaken) in zip(movies, isTaken) where !isTaken {
            if let identifier = movie.identifier {
                if identifiers.photos[identifier] == 0 { moviesAlone.append(movie) }
            } else {
                addSingle(movie)
            }
        }
        sharedIdentifiers =
            identifiers.photos.shared(photos, certain.lazy.map { ($0.photo, $0.identifier) }, order)
            + identifiers.movies.shared(movies, certain.lazy.map { ($0.movie, $0.identifier) }, order)
    }

    private mutating func addSingle(_ item: Item) {
        if let problem = item.problem {
            unreadable.append(LivePhotoError(unreadable: item.path, problem))
        } else {
            ordinary += 1
        }
    }
}

/// How many files have each identifier.
private struct IdentifierCounts {
    private var counts: [StoredIdentifier: Int32] = [:]

    init(_ items: [PairFinder.Item], _ certain: some Collection<PairFinder.CertainPair>) {
        counts.reserveCapacity(certain.count)
        for pair in certain { counts[pair.identifier, default: 0] += 1 }
        for case let identifier? in items.lazy.map(\.identifier) { counts[identifier, default: 0] += 1 }
    }

    subscript(identifier: StoredIdentifier) -> Int32 { counts[identifier] ?? 0 }

    /// The files that share an identifier, by identifier.
    func shared(
        _ items: [PairFinder.Item], _ certain: some Sequence<(FilePath, StoredIdentifier)>,
        _ order: ([FilePath]) -> [FilePath]
    ) -> [(identifier: StoredIdentifier, files: [FilePath])] {
        var shared: [StoredIdentifier: [FilePath]] = [:]
        func add(_ path: FilePath, _ identifier: StoredIdentifier) {
            if self[identifier] > 1 { shared[identifier, default: []].append(path) }
        }
        for item in items { if let identifier = item.identifier { add(item.path, identifier) } }
        for (path, identifier) in certain { add(path, identifier) }
        return shared.map { ($0, order($1)) }.sorted { $0.identifier.text < $1.identifier.text }
    }
}
