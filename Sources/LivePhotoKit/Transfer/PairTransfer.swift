public import SystemPackage

/// Takes many pairs out of containers, or puts them into some, a few at a time. What is done already is only looked at,
/// and one that fails does not stop the others.
///
/// ```swift
/// let transfer = PairTransfer(width: 4)
/// try await transfer.extract(["Phone"], to: "Live") { outcome in print(outcome) }
/// ```
public struct PairTransfer: Sendable {
    /// Whether other files at the targets are replaced.
    public var replacesExisting = false
    /// Whether all is only looked at, and nothing written.
    public var isDryRun = false
    /// How many pairs at a time.
    public var width: Int

    public init(width: Int = 1) {
        self.width = width
    }

    /// What became of one pair.
    public struct Outcome: Sendable, Hashable {
        public enum State: Sendable, Hashable {
            case made
            /// The very pair stood there already.
            case present
            /// It would be made, were this no dry run.
            case planned
            case failed(LivePhotoError)
            /// A file in a folder that holds no pair: an ordinary photo or archive.
            case passedOver
        }

        public let state: State
        /// What holds the pair, or is to hold it; nil where that is not known, as of a pair that cannot be read.
        public let container: FilePath?
        public let photo: FilePath?
        public let movie: FilePath?
    }

    /// How far the work is.
    public struct Progress: Sendable, Hashable {
        public enum Stage: Sendable, Hashable {
            /// Files are looked at, for pairs.
            case searching
            case transferring
        }

        public let stage: Stage
        public let done: Int
        public let total: Int
    }
}

extension PairTransfer {
    /// One place that something goes to in this run, and what goes there.
    struct Claims {
        private var owners: [FilePath: FilePath] = [:]

        /// Two names that clash would else pass for one pair that is done, or replace each other.
        mutating func claim(_ target: FilePath, for source: FilePath) throws(LivePhotoError) {
            guard let owner = owners.updateValue(source, forKey: target) else { return }
            owners[target] = owner
            throw LivePhotoError(
                .invalidRequest, source,
                "would go to \(target), where the pair of \(owner) goes; give it another folder")
        }
    }

    /// Does the work on each, and tells the outcomes in order. What is cancelled before it is whole is none.
    ///
    /// - Throws: `CancellationError`; what `report` throws.
    func transfer<Job: Sendable>(
        _ jobs: [Job], progress: (Progress) -> Void, report: (Outcome) throws -> Void,
        work: @escaping @Sendable (Job) -> Outcome
    ) async throws {
        var done = 0
        var isCutShort = false
        try await concurrentForEach(jobs, width: width, work: work) { outcome in
            if case .failed(let error) = outcome.state, error.code == .cancelled { return isCutShort = true }
            done += 1
            try report(outcome)
            progress(Progress(stage: .transferring, done: done, total: jobs.count))
        }
        if isCutShort { throw CancellationError() }
    }
}
