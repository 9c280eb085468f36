import SystemPackage

/// Photos and movies with the same name and folder, which may belong together.
struct NamedPairs {
    enum Found: Sendable, Hashable {
        /// - Parameter sharesIdentifier: Whether both have the same content identifier.
        case pair(photo: FilePath, movie: FilePath, sharesIdentifier: Bool)
        /// It is ambiguous which files belong together, or their identifiers link them to other files.
        case leftAlone([FilePath], reason: String)
    }

    typealias Item = PairFinder.Item

    /// In the order of the photos.
    private(set) var found: [Found] = []

    init(photos: [Item], movies: [Item]) {
        let moviesOfName = Dictionary(grouping: movies, by: \.name)
        let photosOfName = Dictionary(grouping: photos, by: \.name)
        let partners = (photos: Self.firstOfIdentifier(photos), movies: Self.firstOfIdentifier(movies))
        var seen: Set<ComparedName> = []
        for photo in photos where seen.insert(photo.name).inserted {
            var (photos, movies) = (photosOfName[photo.name] ?? [], moviesOfName[photo.name] ?? [])
            guard !movies.isEmpty else { continue }
            for photo in photos {
                guard let identifier = photo.identifier,
                    let place = movies.firstIndex(where: { $0.identifier == identifier })
                else { continue }
                found.append(.pair(photo: photo.path, movie: movies[place].path, sharesIdentifier: true))
                movies.remove(at: place)
                photos.removeAll { $0 == photo }
            }
            guard let photo = photos.first, let movie = movies.first else { continue }
            if let reason = Self.elsewhere(photos, partners.movies) ?? Self.elsewhere(movies, partners.photos) {
                found.append(.leftAlone((photos + movies).map(\.path), reason: reason))
            } else if photos.count > 1 || movies.count > 1 {
                let count = photos.count > 1 ? "\(photos.count) photos" : "\(movies.count) movies"
                found.append(
                    .leftAlone(
                        (photos + movies).map(\.path),
                        reason: "\(count) of one name; link the two that belong together by naming both"))
            } else if let one = photo.identifier, let other = movie.identifier, one != other {
                found.append(
                    .leftAlone(
                        [photo.path, movie.path],
                        reason: "their content identifiers differ, so each may belong to another file; "
                            + "link PHOTO MOVIE --force links them"))
            } else {
                found.append(.pair(photo: photo.path, movie: movie.path, sharesIdentifier: false))
            }
        }
    }

    /// Describes the first file whose identifier links it to another file.
    private static func elsewhere(_ items: [Item], _ partners: [StoredIdentifier: FilePath]) -> String? {
        for item in items {
            guard let partner = item.identifier.flatMap({ partners[$0] }) else { continue }
            let name = item.path.lastComponent?.string ?? ""
            return "\(name) belongs to \(partner) by its content identifier"
        }
        return nil
    }

    private static func firstOfIdentifier(_ items: [Item]) -> [StoredIdentifier: FilePath] {
        let paths = items.compactMap { item in item.identifier.map { ($0, item.path) } }
        return Dictionary(paths, uniquingKeysWith: { first, _ in first })
    }
}
