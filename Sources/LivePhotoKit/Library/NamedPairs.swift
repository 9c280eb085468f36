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

    /// In the order of the photos.
    package private(set) var found: FoundFiles
    /// What is left: files for which no other was found.
    private(set) var single: (photos: [Item], movies: [Item]) = ([], [])
    private var photos: RemainingItems
    private var movies: RemainingItems
    /// The first file of each identifier that remaining files of the other kind have.
    private var partners: (photos: [StoredIdentifier: FilePath], movies: [StoredIdentifier: FilePath]) = ([:], [:])
    /// Whether `movies` are clips.
    private var areClips = false

    /// The names of files, as exports write them.
    private typealias Names = [FilePath: ExportedName]

    /// - Parameters:
    ///   - clips: Movies in other formats than MOV and MP4. They belong to the photos of their folder that have no movie.
    ///   - haveSameContent: Compares two files. It is asked only for files of one name in different folders.
    /// - Throws: `CancellationError`.
    package init(
        photos: [Item], movies: [Item], clips: [Item] = [],
        haveSameContent: (FilePath, FilePath) -> Bool = { _, _ in false }
    ) throws {
        (self.photos, self.movies) = (RemainingItems(photos), RemainingItems(movies))
        found = FoundFiles(photos: photos, movies: movies, clips: clips)
        // Names of copies with one identifier tell which are of one pair. Most files need no more than this.
        try matchInFolders(.identified, hasWholeName: true) { BothKeys($0.identifier, $0.name) }
        try removeTaken()
        partners = (
            try Self.firsts(photos, ofIdentifiersIn: self.movies.items + clips),
            try Self.firsts(movies, ofIdentifiersIn: self.photos.items)
        )
        try matchIdentified()
        try matchInFolders(.all, hasWholeName: true) { $0.name }
        try removeTaken()
        var names = try Self.names(of: self.photos.items + self.movies.items)
        try matchInFolders(.all, hasWholeName: true) { NameKey(names[$0.path]) }
        try matchInFolders(.all) { NameKey(names[$0.path], ignoringEdits: true) }
        try matchCut(names)
        try matchFolders(names, haveSameContent)
        try removeTaken()
        single.movies = self.movies.items
        if !clips.isEmpty {
            (self.movies, areClips) = (RemainingItems(clips), true)
            names = try Self.names(of: self.photos.items + clips)
            try matchInFolders(.all, hasWholeName: true) { $0.name }
            try matchInFolders(.all, hasWholeName: true) { NameKey(names[$0.path]) }
            try matchInFolders(.all) { NameKey(names[$0.path], ignoringEdits: true) }
            try removeTaken()
            single.movies += self.movies.items
        }
        single.photos = self.photos.items
        try found.sort()
        (self.photos, self.movies) = (RemainingItems([]), RemainingItems([]))
    }

    private static func names(of items: [Item]) throws -> Names {
        var names: Names = [:]
        for item in items {
            try Task.checkCancellation()
            if let name = ExportedName(item.path) { names[item.path] = name }
        }
        return names
    }

    /// Pairs the remaining files with identifiers: those of one name, those of one folder, and then all others.
    private mutating func matchIdentified() throws {
        let names = try Self.names(of: (photos.items + movies.items).filter { $0.identifier != nil })
        try matchInFolders(.identified, hasWholeName: true) { BothKeys($0.identifier, NameKey(names[$0.path])) }
        try matchInFolders(.identified) { $0.identifier }
        try removeTaken()
        try match(photos.indices(.identified), movies.indices(.identified)) { $0.identifier }
    }

    /// Pairs the remaining photos and movies of each folder that have a key in common. One folder after the other, because
    /// keys take much memory.
    private mutating func matchInFolders<Key: Hashable>(
        _ part: RemainingItems.Part, hasWholeName: Bool = false, by key: (Item) -> Key?
    ) throws {
        try removeTaken()
        let moviesOfFolder = try movies.folders(part)
        guard !moviesOfFolder.isEmpty else { return }
        for (folder, photos) in try photos.folders(part) {
            if let movies = moviesOfFolder[folder] { try match(photos, movies, hasWholeName: hasWholeName, by: key) }
        }
    }

    /// Pairs some photos and movies that have a key in common.
    private mutating func match<Key: Hashable>(
        _ photos: [Int32], _ movies: [Int32], hasWholeName: Bool = false, by key: (Item) -> Key?
    ) throws {
        for (photos, movies) in try groups(photos, movies, by: key) where !movies.isEmpty {
            try Task.checkCancellation()
            match(photos, movies, hasWholeName)
        }
    }

    private func groups<Key: Hashable>(
        _ photos: [Int32], _ movies: [Int32], by key: (Item) -> Key?
    ) throws -> some Sequence<(photos: [Int32], movies: [Int32])> {
        var groups: [Key: (photos: [Int32], movies: [Int32])] = [:]
        for photo in photos {
            try Task.checkCancellation()
            if let key = key(self.photos[photo]) { groups[key, default: ([], [])].photos.append(photo) }
        }
        for movie in movies {
            try Task.checkCancellation()
            if let key = key(self.movies[movie]), let group = groups.index(forKey: key) {
                groups.values[group].movies.append(movie)
            }
        }
        return groups.values
    }

    private mutating func match(_ photos: [Int32], _ movies: [Int32], _ hasWholeName: Bool) {
        var (photos, movies) = (photos, movies)
        for photo in photos {
            guard let identifier = self.photos[photo].identifier,
                let place = movies.firstIndex(where: { self.movies[$0].identifier == identifier })
            else { continue }
            add(photo, movies.remove(at: place), hasWholeName)
            photos.removeAll { $0 == photo }
        }
        guard let photo = photos.first, let movie = movies.first else { return }
        if let reason = Self.elsewhere(photos.map { self.photos[$0] }, partners.movies)
            ?? Self.elsewhere(movies.map { self.movies[$0] }, partners.photos)
        {
            leaveAlone(photos, movies, Doubt(reason))
        } else if photos.count > 1 || movies.count > 1 {
            let count = photos.count > 1 ? "\(photos.count) photos" : "\(movies.count) movies"
            leaveAlone(photos, movies, Doubt("\(count) of one name", advice: Self.namingAdvice))
        } else if self.photos[photo].identifier != nil, self.movies[movie].identifier != nil {
            leaveAlone(
                [photo], [movie],
                Doubt(
                    "their content identifiers differ, so each may belong to another file",
                    advice: "link PHOTO MOVIE --force links them"))
        } else {
            add(photo, movie, hasWholeName)
        }
    }

    /// Pairs the remaining files of a folder of which one has the other's name, cut.
    private mutating func matchCut(_ names: Names) throws {
        try removeTaken()
        let moviesOfFolder = try movies.folders(.all)
        for (folder, photos) in try photos.folders(.all) {
            guard let movies = moviesOfFolder[folder] else { continue }
            for (photos, movies) in try groups(photos, movies, by: { names[$0.path]?.cutHead }) {
                try Task.checkCancellation()
                func belong(_ photo: Int32, _ movie: Int32) -> Bool {
                    let (photo, movie) = (self.photos[photo], self.movies[movie])
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
    }

    /// Pairs the remaining files of one name in different folders. Copies of one file count as one.
    private mutating func matchFolders(_ names: Names, _ haveSameContent: (FilePath, FilePath) -> Bool) throws {
        try removeTaken()
        func areCopies(_ items: [Item]) throws -> Bool {
            try items.dropFirst().allSatisfy {
                try Task.checkCancellation()
                return haveSameContent(items[0].path, $0.path)
            }
        }
        let all = (photos.indices(.all), movies.indices(.all))
        for (photos, movies) in try groups(all.0, all.1, by: { NameKey(names[$0.path], ignoringEdits: true) }) {
            guard let photo = photos.first, let movie = movies.first,
                self.photos[photo].canBelong(to: self.movies[movie])
            else { continue }
            let arePhotosCopies = try areCopies(photos.map { self.photos[$0] })
            if arePhotosCopies, try areCopies(movies.map { self.movies[$0] }) {
                add(photo, movie)
            } else {
                let count = arePhotosCopies ? "\(movies.count) movies" : "\(photos.count) photos"
                leaveAlone(
                    photos, movies,
                    Doubt("\(count) of one name in different folders", advice: Self.namingAdvice))
            }
        }
    }

    private mutating func add(_ photo: Int32, _ movie: Int32, _ hasWholeName: Bool = false) {
        found.addPair(
            photo: photos.place(of: photo), movie: movies.place(of: movie), hasWholeName: hasWholeName,
            isClip: areClips)
        photos.take(photo)
        movies.take(movie)
    }

    private static let namingAdvice = "link the two that belong together by naming both"

    private mutating func leaveAlone(_ photos: [Int32], _ movies: [Int32], _ doubt: Doubt) {
        guard let first = photos.first else { return }
        let files = photos.map { self.photos[$0].path } + movies.map { self.movies[$0].path }
        found.add(files, leftAlone: doubt, photo: self.photos.place(of: first))
        for photo in photos { self.photos.take(photo) }
        for movie in movies { self.movies.take(movie) }
    }

    private mutating func removeTaken() throws {
        try Task.checkCancellation()
        photos.removeTaken()
        movies.removeTaken()
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

    private static func firsts(
        _ items: [Item], ofIdentifiersIn others: [Item]
    ) throws -> [StoredIdentifier: FilePath] {
        let wanted = Set(others.compactMap(\.identifier))
        var firsts: [StoredIdentifier: FilePath] = [:]
        guard !wanted.isEmpty else { return firsts }
        for item in items {
            try Task.checkCancellation()
            guard let identifier = item.identifier, wanted.contains(identifier), firsts[identifier] == nil else {
                continue
            }
            firsts[identifier] = item.path
        }
        return firsts
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
}
