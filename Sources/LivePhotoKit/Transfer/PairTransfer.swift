public import SystemPackage

/// Extracts pairs from containers, or packs pairs into containers, several at a time. Existing results are kept, and an
/// error does not stop the other pairs.
///
/// ```swift
/// let transfer = PairTransfer(width: 4)
/// try await transfer.extract(["Phone"], to: "Live") { outcome in print(outcome) }
/// ```
public struct PairTransfer: Sendable {
    /// Whether different files at the targets are replaced.
    public var replacesExisting = false
    /// Whether only to report what would be done.
    public var isDryRun = false
    /// How many pairs are processed at a time.
    public var width: Int
    /// How pairs are packed as motion photos.
    public var motionPhoto = MotionPhotoOptions()
    /// Called with each complete container before it appears.
    var willPublish: @Sendable (FilePath) throws -> Void = { _ in }

    /// A transfer of at most `width` pairs at a time.
    public init(width: Int = 1) {
        self.width = width
    }

    /// The result for one pair.
    public struct Outcome: Sendable, Hashable {
        /// What was done with the pair.
        public enum State: Sendable, Hashable {
            /// The target was written.
            case made
            /// The target already has the same contents.
            case present
            /// In a dry run: would be made.
            case planned
            /// It could not be read or written.
            case failed(LivePhotoError)
            /// A file in a folder that is not a pair: an ordinary photo or archive.
            case passedOver
        }

        /// What was done with the pair.
        public let state: State
        /// The container that is read or written; nil if unknown, as for a pair that cannot be read.
        public let container: FilePath?
        /// The photo that is read or written; nil if unknown.
        public let photo: FilePath?
        /// The movie that is read or written; nil if unknown.
        public let movie: FilePath?
        /// The copies on a camera's card: the photo and the movie. Empty for other transfers.
        public internal(set) var outputs: [FilePath] = []
        /// What was left out of the pair: each one sentence.
        public internal(set) var notes: [String] = []

        static func failed(
            _ error: LivePhotoError, container: FilePath? = nil, photo: FilePath? = nil, movie: FilePath? = nil
        ) -> Self {
            Self(state: .failed(error), container: container, photo: photo, movie: movie)
        }
    }

    /// The two parts of a transfer, in this order.
    public enum Stage: Sendable, Hashable {
        /// Files are searched for pairs.
        case searching
        /// Pairs are extracted or packed.
        case transferring
    }

    /// How far a transfer is.
    public typealias Progress = StageProgress<Stage>
}

extension PairTransfer {
    /// The work for one pair; returns at once if its outcome is already known.
    typealias Job = @Sendable () async -> Outcome

    /// The targets of a run and their sources.
    package struct Claims {
        private var owners: [ComparedPlace: (source: FilePath, target: FilePath)] = [:]

        package init() {}

        /// Throws if another source has the same target, or one that differs only in case. Otherwise two equal pairs with
        /// one name would count as one, and different ones would replace each other.
        package mutating func claim(_ target: FilePath, for source: FilePath) throws(LivePhotoError) {
            let place = ComparedPlace(of: target)
            guard let owner = owners[place] else {
                owners[place] = (source, target)
                return
            }
            if owner.source == source { throw LivePhotoError(.invalidRequest, source, "is given twice") }
            if Publisher.areSame(owner.source, source) {
                throw LivePhotoError(.invalidRequest, source, "is given twice, the first time as \(owner.source)")
            }
            let taken =
                owner.target == target
                ? "" : " which differs \(target.difference(from: owner.target)) from \(owner.target),"
            throw LivePhotoError(
                .invalidRequest, source,
                "would go to \(target),\(taken) where the pair of \(owner.source) goes; use separate calls with different"
                    + " --output folders")
        }
    }

    /// Runs the jobs and reports their outcomes in order, except cancelled ones.
    ///
    /// - Throws: `CancellationError`; errors of `report`.
    func run(_ jobs: [Job], progress: (Progress) -> Void, report: (Outcome) throws -> Void) async throws {
        var done = 0
        var isCancelled = false
        try await OutputFolders.withRun {
            try await concurrentForEach(jobs, width: width, work: { await $0() }) { outcome in
                if case .failed(let error) = outcome.state, error.code == .cancelled { return isCancelled = true }
                done += 1
                try report(outcome)
                progress(Progress(stage: .transferring, done: done, total: jobs.count))
            }
        }
        if isCancelled { throw CancellationError() }
    }
}
