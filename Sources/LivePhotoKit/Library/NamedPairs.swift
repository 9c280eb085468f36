package import SystemPackage

/// The photos and movies of a tree that belong together: first by their content identifiers, then by their names, in one
/// folder and then in different ones, such as the albums of an export.
package struct NamedPairs {
    package typealias Item = PairFinder.Item

    package struct Pair: Sendable, Hashable {
        package let photo: Item
        package let movie: Item
        /// Whether their names are equal except for extensions and case, also in numbers and versions, and they are in one
        /// folder.
        let hasWholeName: Bool
        /// Whether the movie is a clip in a format that has to be converted.
        var isClip = false

        /// Whether both have the same content identifier, which proves that they belong together.
        var sharesIdentifier: Bool { photo.identifier != nil && photo.identifier == movie.identifier }
        var isInOneFolder: Bool { photo.path.folder == movie.path.folder }
    }

    package enum Found: Sendable, Hashable {
        case pair(Pair)
        /// It is ambiguous which files belong together, or their identifiers link them to other files.
        case leftAlone([FilePath], Doubt)
    }

    /// A key of files in one folder.
    private struct InFolder<Key: Hashable>: Hashable {
        let folder: FilePath
        let key: Key

        /// - Returns: Nil without a key.
        init?(_ item: Item, _ key: Key?) {
            guard let key else { return nil }
            (folder, self.key) = (item.path.folder, key)
        }
    }

    /// A key of files with the same content identifier.
    private struct Identified<Key: Hashable>: Hashable {
        let identifier: StoredIdentifier
        let key: Key

        /// - Returns: Nil without an identifier or a key.
        init?(_ item: Item, _ key: Key?) {
            guard let identifier = item.identifier, let key else { return nil }
            (self.identifier, self.key) = (identifier, key)
        }
    }

    /// What the names of a photo and its movie have in common.
    private struct Common: Hashable {
        let base: String
        let number: Int?
        let version: Int?
        /// Nil if an edited photo may belong to the movie of the original.
        let isEdited: Bool?

        /// - Returns: Nil without a name.
        init?(_ name: ExportedName?, ignoringEdits: Bool = false) {
            guard let name else { return nil }
            (base, number, version) = (name.base, name.number, name.version)
            isEdited = ignoringEdits ? nil : name.isEdited
        }
    }

    /// In the order of the photos.
    package private(set) var found: [Found] = []
    private var photos: [Item]
    private var movies: [Item]
    private let partners: (photos: [StoredIdentifier: FilePath], movies: [StoredIdentifier: FilePath])
    private var taken: Set<FilePath> = []
    /// Whether `movies` are clips.
    private var areClips = false

    /// - Parameters:
    ///   - clips: Movies in other formats than MOV and MP4. They belong to the photos of their folder that have no movie.
    ///   - haveSameContent: Compares two files. It is asked only for files of one name in different folders.
    package init(
        photos: [Item], movies: [Item], clips: [Item] = [],
        haveSameContent: (FilePath, FilePath) -> Bool = { _, _ in false }
    ) {
        (self.photos, self.movies) = (photos, movies)
        partners = (Self.firstOfIdentifier(photos), Self.firstOfIdentifier(movies))
        let names = Dictionary(
            (photos + movies + clips).compactMap { item in ExportedName(item.path).map { (item.path, $0) } },
            uniquingKeysWith: { first, _ in first })
        func whole(_ item: Item) -> InFolder<Common>? { InFolder(item, Common(names[item.path])) }
        func edited(_ item: Item) -> InFolder<Common>? {
            InFolder(item, Common(names[item.path], ignoringEdits: true))
        }
        // Names of copies with one identifier tell which are of one pair.
        match(hasWholeName: true) { Identified($0, $0.name) }
        match(hasWholeName: true) { Identified($0, whole($0)) }
        match { InFolder($0, $0.identifier) }
        match { $0.identifier }
        match(hasWholeName: true) { $0.name }
        match(hasWholeName: true, by: whole)
        match(by: edited)
        matchCut(names)
        matchFolders(names, haveSameContent)
        removeTaken()
        (self.movies, areClips) = (clips, true)
        match(hasWholeName: true) { $0.name }
        match(hasWholeName: true, by: whole)
        match(by: edited)
        let order = Dictionary(
            photos.enumerated().map { ($0.element.path, $0.offset) }, uniquingKeysWith: { first, _ in first })
        found = found.map { (order[$0.photo ?? ""] ?? 0, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Pairs the remaining photos and movies that have a key in common.
    private mutating func match<Key: Hashable>(hasWholeName: Bool = false, by key: (Item) -> Key?) {
        removeTaken()
        let moviesOfKey = Self.groups(movies, by: key)
        let photosOfKey = Self.groups(photos, by: key)
        var seen: Set<Key> = []
        for photo in photos {
            guard let key = key(photo), seen.insert(key).inserted, let movies = moviesOfKey[key] else { continue }
            match(photosOfKey[key] ?? [], movies, hasWholeName)
        }
    }

    private mutating func match(_ photos: [Item], _ movies: [Item], _ hasWholeName: Bool) {
        var (photos, movies) = (photos, movies)
        for photo in photos {
            guard let identifier = photo.identifier,
                let place = movies.firstIndex(where: { $0.identifier == identifier })
            else { continue }
            add(photo, movies.remove(at: place), hasWholeName)
            photos.removeAll { $0 == photo }
        }
        guard let photo = photos.first, let movie = movies.first else { return }
        if let reason = Self.elsewhere(photos, partners.movies) ?? Self.elsewhere(movies, partners.photos) {
            leaveAlone(photos + movies, Doubt(reason))
        } else if photos.count > 1 || movies.count > 1 {
            let count = photos.count > 1 ? "\(photos.count) photos" : "\(movies.count) movies"
            leaveAlone(
                photos + movies, Doubt("\(count) of one name", advice: Self.namingAdvice))
        } else if photo.identifier != nil, movie.identifier != nil {
            leaveAlone(
                [photo, movie],
                Doubt(
                    "their content identifiers differ, so each may belong to another file",
                    advice: "link PHOTO MOVIE --force links them"))
        } else {
            add(photo, movie, hasWholeName)
        }
    }

    /// Pairs the remaining files of a folder of which one has the other's name, cut.
    private mutating func matchCut(_ names: [FilePath: ExportedName]) {
        removeTaken()
        let key = { (item: Item) in InFolder(item, names[item.path]?.cutHead) }
        let photosOfKey = Self.groups(photos, by: key)
        for (key, movies) in Self.groups(movies, by: key) {
            let photos = photosOfKey[key] ?? []
            func belong(_ photo: Item, _ movie: Item) -> Bool {
                guard let one = names[photo.path], let other = names[movie.path] else { return false }
                return photo.canBelong(to: movie) && one.isCut(of: other)
            }
            for photo in photos {
                let own = movies.filter { belong(photo, $0) }
                guard own.count == 1, let movie = own.first, photos.count(where: { belong($0, movie) }) == 1 else {
                    continue
                }
                add(photo, movie)
            }
        }
    }

    /// Pairs the remaining files of one name in different folders. Copies of one file count as one.
    private mutating func matchFolders(
        _ names: [FilePath: ExportedName], _ haveSameContent: (FilePath, FilePath) -> Bool
    ) {
        removeTaken()
        let key = { (item: Item) in Common(names[item.path], ignoringEdits: true) }
        let moviesOfKey = Self.groups(movies, by: key)
        func areCopies(_ items: [Item]) -> Bool {
            items.dropFirst().allSatisfy { haveSameContent(items[0].path, $0.path) }
        }
        for (key, photos) in Self.groups(photos, by: key) {
            guard let movies = moviesOfKey[key], let photo = photos.first, let movie = movies.first,
                photo.canBelong(to: movie)
            else { continue }
            let arePhotosCopies = areCopies(photos)
            if arePhotosCopies, areCopies(movies) {
                add(photo, movie)
            } else {
                let count = arePhotosCopies ? "\(movies.count) movies" : "\(photos.count) photos"
                leaveAlone(
                    photos + movies,
                    Doubt("\(count) of one name in different folders", advice: Self.namingAdvice))
            }
        }
    }

    private mutating func add(_ photo: Item, _ movie: Item, _ hasWholeName: Bool = false) {
        found.append(.pair(Pair(photo: photo, movie: movie, hasWholeName: hasWholeName, isClip: areClips)))
        taken.formUnion([photo.path, movie.path])
    }

    private static let namingAdvice = "link the two that belong together by naming both"

    private mutating func leaveAlone(_ items: [Item], _ doubt: Doubt) {
        found.append(.leftAlone(items.map(\.path), doubt))
        taken.formUnion(items.map(\.path))
    }

    private mutating func removeTaken() {
        photos.removeAll { taken.contains($0.path) }
        movies.removeAll { taken.contains($0.path) }
    }

    private static func groups<Key: Hashable>(_ items: [Item], by key: (Item) -> Key?) -> [Key: [Item]] {
        items.reduce(into: [:]) { groups, item in
            if let key = key(item) { groups[key, default: []].append(item) }
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

extension PairFinder.Item {
    /// Whether their identifiers do not link them to other files.
    fileprivate func canBelong(to other: Self) -> Bool {
        identifier == nil || other.identifier == nil || identifier == other.identifier
    }
}

extension NamedPairs.Found {
    /// For a pair, the photo and the movie.
    var files: [FilePath] {
        switch self {
        case .pair(let pair): [pair.photo.path, pair.movie.path]
        case .leftAlone(let files, _): files
        }
    }

    /// The first photo.
    fileprivate var photo: FilePath? { files.first }
}
