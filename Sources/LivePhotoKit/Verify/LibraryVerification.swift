import SystemPackage

/// Verifies the pairs and motion photos of a tree, step by step.
struct LibraryVerification {
    private let verifier: LivePhotoVerifier
    private let compare: LivePhotoVerifier.PictureComparison?
    private let width: Int
    private let progress: @Sendable (_ done: Int, _ of: Int) -> Void

    /// A pair whose files have one name and one identifier; without a report if it could not be verified.
    private struct Certain: Sendable {
        let pair: PairFinder.CertainPair
        let report: VerificationReport?
    }

    /// Most pairs of a library, and all that is kept of them, in the order of their photos.
    private var certain: [Certain] = []
    /// All photos, in the order of the tree.
    private var photos: [FilePath] = []
    /// The photos and movies that are in no such pair.
    private var others = (photos: [FilePath](), movies: [FilePath]())
    /// What was read of these.
    private var items: [FilePath: PairFinder.Item] = [:]
    /// Of the other pairs, by the path of the photo.
    private var reports: [FilePath: VerificationReport] = [:]
    private(set) var motionPhotos: [MotionPhotoReport] = []
    private(set) var unreadable: [LivePhotoError] = []
    private var steps = 0
    private let found = FileTree.FoundCount()

    init(
        _ verifier: LivePhotoVerifier, comparing compare: LivePhotoVerifier.PictureComparison?,
        width: Int, progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
    ) {
        (self.verifier, self.compare, self.width) = (verifier, compare, width)
        self.progress = progress
    }

    /// A photo and a movie of one name, which were read.
    private enum ReadFiles: Sendable {
        /// Both have this identifier, so that they are a pair whatever else is in the tree.
        case pair(PairFinder.CertainPair, Result<VerificationReport, LivePhotoError>)
        case apart(photo: Result<PairFinder.Item, LivePhotoError>, movie: Result<PairFinder.Item, LivePhotoError>)
    }

    /// Reads all files below some folders, and verifies the photos and movies of one name that have the same identifier, once
    /// they are listed and while others still are. Those are read once.
    ///
    /// - Returns: The pairs among the others, and what has no partner.
    mutating func read(
        below folders: [FilePath], onPair: (VerificationReport) throws -> Void
    ) async throws -> PairFinder {
        let tree = try await FileTree.listing(
            folders, movieKinds: FileTree.movieExtensions.union(ExportedName.motionExtensions), found: found
        ) { try await self.read($0, onPair) }
        try Task.checkCancellation()
        photos = tree.photos
        unreadable.insert(contentsOf: tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) }, at: 0)
        let read = try await TreeItems(
            photos: others.photos, movies: others.movies, width: width, seeksMotionPhotos: true
        ) { [progress, total, steps] in progress(steps + $0, total) }
        unreadable += read.unreadable
        steps += others.photos.count + others.movies.count
        for item in read.photos + read.movies { items[item.path] = item }
        return PairFinder(
            photos: tree.photos.compactMap { items[$0] }, movies: tree.movies.compactMap { items[$0] },
            besides: certain.lazy.map(\.pair)
        ) { files in
            let files = Set(files)
            return tree.photos.filter(files.contains) + tree.movies.filter(files.contains)
        }
    }

    /// Reads the photos and movies of one name, and leaves other files until all are listed.
    private mutating func read(
        _ files: FileTree.Files, _ onPair: (VerificationReport) throws -> Void
    ) async throws {
        let names = SameNamedFiles(files)
        others.photos += names.photos
        others.movies += names.movies
        try await concurrentForEach(names.pairs, width: width) { [verifier, compare] pair in
            await Self.read(pair, verifier, comparing: compare)
        } body: { files in
            switch files {
            case .pair(let pair, let result):
                certain.append(Certain(pair: pair, report: try? result.get()))
                if let report = add(result) { try onPair(report) }
                show(4)
            case .apart(let photo, let movie):
                add(photo)
                add(movie)
                show(2)
            }
        }
    }

    private static func read(
        _ pair: (photo: FilePath, movie: FilePath), _ verifier: LivePhotoVerifier,
        comparing compare: LivePhotoVerifier.PictureComparison?
    ) async -> ReadFiles {
        guard let facts = try? verifier.facts(photo: pair.photo, movie: pair.movie),
            let photo = facts.photoIdentifier.map(StoredIdentifier.init),
            photo == facts.movieIdentifier.map(StoredIdentifier.init)
        else {
            return .apart(
                photo: Result { () throws(LivePhotoError) in
                    try PairFinder.Item(photo: pair.photo, seekingMovie: true)
                }, movie: Result { () throws(LivePhotoError) in try PairFinder.Item(movie: pair.movie) })
        }
        let certain = PairFinder.CertainPair(photo: pair.photo, movie: pair.movie, identifier: photo)
        do throws(LivePhotoError) {
            return .pair(certain, .success(try await verifier.report(facts, comparing: compare)))
        } catch {
            return .pair(certain, .failure(error))
        }
    }

    /// Verifies pairs that were not certain.
    mutating func verify(
        _ pairs: [(photo: FilePath, movie: FilePath)], onPair: (VerificationReport) throws -> Void
    ) async throws {
        try await concurrentForEach(pairs, width: width) { [verifier, compare] pair in
            do throws(LivePhotoError) {
                return Result<VerificationReport, LivePhotoError>.success(
                    try await verifier.verify(photo: pair.photo, movie: pair.movie, comparing: compare))
            } catch {
                return .failure(error)
            }
        } body: { result in
            if let report = add(result) {
                reports[report.photo] = report
                try onPair(report)
            }
            show(2)
        }
    }

    /// Verifies motion photos.
    mutating func verify(
        motionPhotos paths: [FilePath], onMotionPhoto: (MotionPhotoReport) throws -> Void
    ) async throws {
        try await concurrentForEach(paths, width: width) { [verifier] path in
            Result { () throws(LivePhotoError) in try verifier.verify(motionPhoto: path) }
        } body: { result in
            switch result {
            case .success(let report):
                motionPhotos.append(report)
                try onMotionPhoto(report)
            case .failure(let error): unreadable.append(error)
            }
            show(1)
        }
    }

    /// Those of all pairs, in the order of their photos.
    var pairs: [VerificationReport] {
        var rest = certain[...]
        return photos.compactMap { photo in
            guard rest.first?.pair.photo == photo else { return reports[photo] }
            return rest.removeFirst().report
        }
    }

    private var total: Int { 2 * found.value }

    private mutating func show(_ more: Int) {
        steps += more
        progress(steps, total)
    }

    private mutating func add(_ item: Result<PairFinder.Item, LivePhotoError>) {
        switch item {
        case .success(let item): items[item.path] = item
        case .failure(let error): unreadable.append(error)
        }
    }

    private mutating func add(_ result: Result<VerificationReport, LivePhotoError>) -> VerificationReport? {
        switch result {
        case .success(let report): return report
        case .failure(let error):
            unreadable.append(error)
            return nil
        }
    }
}
