import MediaModel
public import SystemPackage

extension LivePhotoVerifier {
    /// Finds the pairs and motion photos below some folders and verifies them, without reading pictures and sound.
    /// Motion photos that are part of a pair are verified only as that.
    ///
    /// - Parameters:
    ///   - folders: The folders to search, with all folders below them.
    ///   - compare: Compares pictures; nil skips the rule about them.
    ///   - width: How many files at a time.
    ///   - progress: Called with the number of steps done and their total, on any thread.
    ///   - onResult: Called with each result as soon as it is certain: first pairs whose files have one name and one content
    ///     identifier, then other pairs, motion photos, findings about files, and what cannot be read.
    /// - Throws: `CancellationError`; errors of `onResult`.
    public func verify(
        below folders: [FilePath], comparing compare: PictureComparison? = nil, width: Int,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        onResult: (LibraryReport.Result) throws -> Void = { _ in }
    ) async throws -> LibraryReport {
        let tree = try await FileTree(
            below: folders, movieKinds: FileTree.movieExtensions.union(ExportedName.motionExtensions))
        let total = 2 * (tree.photos.count + tree.movies.count)
        let names = NamedFiles(tree)
        var known = KnownItems()
        var reports: [FilePath: VerificationReport] = [:]
        var read = 0
        try await concurrentForEach(names.pairs, width: width) { pair in
            await self.read(pair, comparing: compare)
        } body: { result in
            read += 2
            switch result {
            case .verified(let report, let identifier):
                known.add(report, identifier)
                reports[report.photo] = report
                try onResult(.pair(report))
            case .apart(let photo, let movie):
                known.add(photo, movie)
            }
            progress(read + 2 * reports.count, total)
        }
        let singles = try await TreeItems(
            photos: names.photos, movies: names.movies, width: width, seeksMotionPhotos: true
        ) { [start = read + 2 * reports.count] in progress(start + $0, total) }
        known.add(singles)
        let found = PairFinder(photos: known.items(of: tree.photos), movies: known.items(of: tree.movies))
        var unreadable = tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) } + known.unreadable
        var done = tree.photos.count + tree.movies.count + 2 * reports.count
        let rest = found.pairs.filter { reports[$0.photo] == nil }
        try await concurrentForEach(rest, width: width) { pair in
            await Self.result { () throws(LivePhotoError) in
                try await verify(photo: pair.photo, movie: pair.movie, comparing: compare)
            }
        } body: { result in
            done += 2
            progress(done, total)
            switch result {
            case .success(let report):
                reports[report.photo] = report
                try onResult(.pair(report))
            case .failure(let error): unreadable.append(error)
            }
        }
        var motionPhotos: [MotionPhotoReport] = []
        try await concurrentForEach(found.motionPhotos, width: width) { path in
            Result { () throws(LivePhotoError) in try verify(motionPhoto: path) }
        } body: { result in
            done += 1
            progress(done, total)
            switch result {
            case .success(let report):
                motionPhotos.append(report)
                try onResult(.motionPhoto(report))
            case .failure(let error): unreadable.append(error)
            }
        }
        let files = fileFindings(found)
        for finding in files { try onResult(.files(finding)) }
        for error in unreadable { try onResult(.unreadable(error)) }
        return LibraryReport(
            pairs: found.pairs.compactMap { reports[$0.photo] }, motionPhotos: motionPhotos, files: files,
            ordinaryFiles: found.ordinary, unreadable: unreadable)
    }

    private enum ReadPair: Sendable {
        /// Both files have this identifier.
        case verified(VerificationReport, StoredIdentifier)
        case apart(photo: Result<PairFinder.Item, LivePhotoError>, movie: Result<PairFinder.Item, LivePhotoError>)
    }

    /// Reads two files of one name, once if they are a pair by their identifiers too.
    private func read(
        _ pair: (photo: FilePath, movie: FilePath), comparing compare: PictureComparison?
    ) async -> ReadPair {
        if let facts = try? facts(photo: pair.photo, movie: pair.movie), let photo = facts.photoIdentifier,
            let movie = facts.movieIdentifier, StoredIdentifier(photo) == StoredIdentifier(movie),
            let report = try? await report(facts, comparing: compare)
        {
            return .verified(report, StoredIdentifier(photo))
        }
        return .apart(
            photo: Result { () throws(LivePhotoError) in
                try PairFinder.Item(photo: pair.photo, seekingMovie: true)
            }, movie: Result { () throws(LivePhotoError) in try PairFinder.Item(movie: pair.movie) })
    }

    private static func result<Value>(
        _ body: () async throws(LivePhotoError) -> Value
    ) async -> Result<Value, LivePhotoError> {
        do throws(LivePhotoError) { return .success(try await body()) } catch { return .failure(error) }
    }

    private func fileFindings(_ found: PairFinder) -> [LibraryReport.FileFinding] {
        func finding(_ rule: Rule, _ files: [FilePath], _ identifier: StoredIdentifier?, _ message: String)
            -> LibraryReport.FileFinding?
        {
            guard rules.contains(rule) else { return nil }
            return LibraryReport.FileFinding(
                files: files, contentIdentifier: identifier?.text.string() ?? "", finding: Finding(rule, message))
        }
        return found.photosAlone.compactMap {
            finding(.photoAlone, [$0.path], $0.identifier, "no movie carries the photo's content identifier")
        }
            + found.moviesAlone.compactMap {
                finding(.movieAlone, [$0.path], $0.identifier, "no photo carries the movie's content identifier")
            }
            + found.sharedIdentifiers.compactMap {
                finding(
                    .identifierShared, $0.files, $0.identifier,
                    "\($0.files.count) files carry the content identifier \(quoted($0.identifier.text))")
            }
    }
}

/// The files of a tree by their names without extensions.
private struct NamedFiles {
    /// A photo and a movie whose name no other files have, in the order of the photos.
    private(set) var pairs: [(photo: FilePath, movie: FilePath)] = []
    /// The other files.
    private(set) var photos: [FilePath] = []
    private(set) var movies: [FilePath] = []

    init(_ tree: FileTree) {
        func name(_ path: FilePath) -> ComparedName {
            var name = path
            name.extension = nil
            return ComparedName(name)
        }
        let photosByName = Dictionary(grouping: tree.photos, by: name)
        let moviesByName = Dictionary(grouping: tree.movies, by: name)
        var paired: Set<FilePath> = []
        for photo in tree.photos {
            let name = name(photo)
            if photosByName[name]?.count == 1, let movies = moviesByName[name], movies.count == 1, movies[0] != photo {
                pairs.append((photo, movies[0]))
                paired.insert(movies[0])
            } else {
                photos.append(photo)
            }
        }
        movies = tree.movies.filter { !paired.contains($0) }
    }
}

/// What was read of the files of a tree.
private struct KnownItems {
    private var items: [FilePath: PairFinder.Item] = [:]
    private(set) var unreadable: [LivePhotoError] = []

    mutating func add(_ report: VerificationReport, _ identifier: StoredIdentifier) {
        for path in [report.photo, report.movie] {
            items[path] = PairFinder.Item(path: path, identifier: identifier)
        }
    }

    mutating func add(_ results: Result<PairFinder.Item, LivePhotoError>...) {
        for result in results {
            switch result {
            case .success(let item): items[item.path] = item
            case .failure(let error): unreadable.append(error)
            }
        }
    }

    mutating func add(_ singles: TreeItems) {
        for item in singles.photos + singles.movies { items[item.path] = item }
        unreadable += singles.unreadable
    }

    func items(of paths: [FilePath]) -> [PairFinder.Item] { paths.compactMap { items[$0] } }
}
