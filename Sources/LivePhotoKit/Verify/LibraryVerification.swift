import SystemPackage

/// Verifies the pairs and motion photos of a tree, step by step.
struct LibraryVerification {
    private let tree: FileTree
    private let verifier: LivePhotoVerifier
    private let compare: LivePhotoVerifier.PictureComparison?
    private let width: Int
    private let progress: @Sendable (_ done: Int, _ of: Int) -> Void

    /// What was read of each file.
    private var items: [FilePath: PairFinder.Item] = [:]
    /// The photos of pairs that were verified, or could not be.
    private var done: Set<FilePath> = []
    /// By the path of the photo.
    private(set) var reports: [FilePath: VerificationReport] = [:]
    private(set) var motionPhotos: [MotionPhotoReport] = []
    private(set) var unreadable: [LivePhotoError]
    private var steps = 0

    init(
        _ tree: FileTree, _ verifier: LivePhotoVerifier, comparing compare: LivePhotoVerifier.PictureComparison?,
        width: Int, progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void
    ) {
        (self.tree, self.verifier, self.compare, self.width) = (tree, verifier, compare, width)
        self.progress = progress
        unreadable = tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) }
    }

    /// A photo and a movie of one name, which were read.
    private enum ReadFiles: Sendable {
        /// Both have this identifier, so that they are a pair whatever else is in the tree.
        case pair(photo: FilePath, movie: FilePath, StoredIdentifier, Result<VerificationReport, LivePhotoError>)
        case apart(photo: Result<PairFinder.Item, LivePhotoError>, movie: Result<PairFinder.Item, LivePhotoError>)
    }

    /// Reads all files, and verifies the photos and movies of one name that have the same identifier. Those are read once.
    mutating func read(onPair: (VerificationReport) throws -> Void) async throws {
        let names = SameNamedFiles(tree)
        try await concurrentForEach(names.pairs, width: width) { [verifier, compare] pair in
            await Self.read(pair, verifier, comparing: compare)
        } body: { files in
            switch files {
            case .pair(let photo, let movie, let identifier, let result):
                done.insert(photo)
                for path in [photo, movie] { items[path] = PairFinder.Item(path: path, identifier: identifier) }
                try add(result, onPair)
                show(4)
            case .apart(let photo, let movie):
                add(photo)
                add(movie)
                show(2)
            }
        }
        let others = try await TreeItems(
            photos: names.photos, movies: names.movies, width: width, seeksMotionPhotos: true
        ) { [progress, total, steps] in progress(steps + $0, total) }
        for item in others.photos + others.movies { items[item.path] = item }
        unreadable += others.unreadable
        steps += names.photos.count + names.movies.count
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
        do throws(LivePhotoError) {
            let report = try await verifier.report(facts, comparing: compare)
            return .pair(photo: pair.photo, movie: pair.movie, photo, .success(report))
        } catch {
            return .pair(photo: pair.photo, movie: pair.movie, photo, .failure(error))
        }
    }

    /// The pairs among the files that were read, and what has no partner.
    var found: PairFinder {
        PairFinder(photos: tree.photos.compactMap { items[$0] }, movies: tree.movies.compactMap { items[$0] })
    }

    /// Verifies pairs, except those that were verified when they were read.
    mutating func verify(
        _ pairs: [(photo: FilePath, movie: FilePath)], onPair: (VerificationReport) throws -> Void
    ) async throws {
        let rest = pairs.filter { !done.contains($0.photo) }
        try await concurrentForEach(rest, width: width) { [verifier, compare] pair in
            do throws(LivePhotoError) {
                return Result<VerificationReport, LivePhotoError>.success(
                    try await verifier.verify(photo: pair.photo, movie: pair.movie, comparing: compare))
            } catch {
                return .failure(error)
            }
        } body: { result in
            try add(result, onPair)
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

    private var total: Int { 2 * (tree.photos.count + tree.movies.count) }

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

    private mutating func add(
        _ result: Result<VerificationReport, LivePhotoError>, _ onPair: (VerificationReport) throws -> Void
    ) throws {
        switch result {
        case .success(let report):
            reports[report.photo] = report
            try onPair(report)
        case .failure(let error): unreadable.append(error)
        }
    }
}
