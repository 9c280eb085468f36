import LivePhotoKit
import LivePhotoRequests
import Synchronization
public import SystemPackage

/// How a batch is run.
public struct BatchOptions: Sendable, Hashable {
    /// Clips at a time; nil takes as many as cores and memory allow. A clip that is alone because of a 1 here is encoded
    /// with all cores, which makes other bytes.
    public var slots: Int?
    /// How often a job is tried again whose failure may be a passing one.
    public var retries = 1
    /// After so many failed jobs no other is begun; nil goes on to the end.
    public var maxFailures: Int?
    /// Whether pairs that an earlier run made are made again.
    public var restarts = false
    /// Whether files that are not of this batch are replaced.
    public var replacesExisting = false
    /// Whether `BatchProgress.fraction` moves within jobs.
    public var showsProgress = false

    public init() {}
}

/// A batch's progress.
public struct BatchProgress: Sendable, Hashable {
    public let total: Int
    /// Finished pairs, those of earlier runs included.
    public fileprivate(set) var done = 0
    /// Those of `done` that earlier runs had made.
    public fileprivate(set) var wereThere = 0
    public fileprivate(set) var failed = 0
    /// Parts of jobs at work, 0.5 for one that is half done.
    public fileprivate(set) var underWay = 0.0
    /// The job that ended last.
    public fileprivate(set) var latest: JobRecord?

    /// From 0 to 1.
    public var fraction: Double { total > 0 ? min((Double(done + failed) + underWay) / Double(total), 1) : 1 }
}

/// The result of a batch.
public struct BatchResult: Sendable {
    /// One for each job, in their order; those that were not begun have the status `pending`.
    public let records: [JobRecord]
    public let progress: BatchProgress
    /// Whether jobs were not begun since `BatchOptions.maxFailures` others had failed.
    public let reachedFailureLimit: Bool
    /// Any other error that kept jobs from starting or finishing.
    public let stop: LivePhotoError?
}

/// Many pairs, made by processes of the worker, a few at a time. What one clip does to its process costs that clip; a
/// batch that is stopped goes on where it was when it is run again.
public struct Batch: Sendable {
    public let jobs: [Job]
    /// Where the pairs go.
    public let folder: FilePath
    /// The part of a larger batch that these jobs are; nil for a whole one.
    public let shard: Shard?
    public var options: BatchOptions
    /// Decodes and encodes. Where neither it nor a job's preset limits the memory, each job gets its share of the machine's.
    public let worker: MediaWorker

    /// - Parameter jobs: all of the batch, of which only the shard's are done.
    public init(
        _ jobs: [Job], folder: FilePath, shard: Shard? = nil, options: BatchOptions, worker: MediaWorker
    ) {
        self.jobs = shard.map { shard in jobs.filter(shard.contains) } ?? jobs
        self.folder = folder.orCurrentFolder
        (self.shard, self.options, self.worker) = (shard, options, worker)
    }

    /// Does all jobs. Cancelling the task ends the processes that are at work and leaves no incomplete pair.
    ///
    /// - Parameter progress: called on any thread, one call at a time.
    /// - Throws: `LivePhotoError` where another batch has the folder, it cannot be written to, or a library is missing.
    public func run(progress: @escaping @Sendable (BatchProgress) -> Void = { _ in }) async throws -> BatchResult {
        // Otherwise each job would fail for the same reason.
        _ = try await worker.environment()
        let state = try BatchFolder(folder, shard: shard)
        defer { withExtendedLifetime(state) {} }
        removeLeftovers()
        let machine = MachineResources()
        let slots = max(min(options.slots ?? machine.slots, jobs.count), 1)
        var worker = worker
        worker.memoryShare = machine.memoryShare(slots: slots)
        let run = JobRun(
            root: folder, shard: shard, options: options, version: ProgramVersion.current, worker: worker,
            threads: machine.threads(slots: slots),
            // All cores only if one clip at a time was asked for. Otherwise the bytes depend on the job alone, not on the
            // machine.
            encoderThreads: options.slots == 1 ? nil : 1, journal: state.journal)
        let board = ProgressBoard(total: jobs.count, show: progress)
        var records = [JobRecord?](repeating: nil, count: jobs.count)
        var stop: LivePhotoError?
        var reachedFailureLimit = false
        await withTaskGroup(of: Ended.self) { group in
            var next = 0
            func begin() {
                guard stop == nil, next < jobs.count, !Task.isCancelled else { return }
                reachedFailureLimit = options.maxFailures.map { board.failures >= $0 } ?? false
                guard !reachedFailureLimit else { return }
                let (index, job) = (next, jobs[next])
                next += 1
                group.addTask {
                    do {
                        let outcome = try await run.run(job) { board.move(index, to: $0) }
                        return Ended(index, .success(outcome))
                    } catch {
                        return Ended(index, .failure(error))
                    }
                }
            }
            for _ in 0..<slots { begin() }
            for await ended in group {
                switch ended.result {
                case .success(let outcome):
                    records[ended.index] = outcome.record
                    board.end(ended.index, outcome)
                    stop = stop ?? outcome.stop
                case .failure(let error):
                    stop =
                        stop ?? error as? LivePhotoError
                        ?? LivePhotoError(.internalFault, nil, "internal error: \(error)", cause: error)
                }
                begin()
            }
        }
        if Task.isCancelled { stop = LivePhotoError(.cancelled, nil, "the batch was stopped") }
        removeLeftovers()
        return BatchResult(
            records: zip(jobs, records).map { job, record in
                record ?? JobRecord(job.id, .pending)
            }, progress: board.progress, reachedFailureLimit: reachedFailureLimit, stop: stop)
    }

    /// What a job's task gives back. A reference, since values of this size came out of the task group damaged when Swift
    /// 6.3.1 had optimized it.
    private final class Ended: Sendable {
        /// Among `jobs`.
        let index: Int
        let result: Result<JobRun.Outcome, any Error>

        init(_ index: Int, _ result: Result<JobRun.Outcome, any Error>) {
            (self.index, self.result) = (index, result)
        }
    }

    /// Removes what processes that were killed have left, of this run and of one before.
    private func removeLeftovers() {
        for path in Set(jobs.map { folder.pushing($0.folder) }) { Publisher.removeLeftovers(in: path) }
    }
}

/// The sum of all jobs' progress.
private final class ProgressBoard: Sendable {
    private struct State {
        var progress: BatchProgress
        var underWay: [Int: Double] = [:]
    }

    private let state: Mutex<State>
    private let show: @Sendable (BatchProgress) -> Void

    init(total: Int, show: @escaping @Sendable (BatchProgress) -> Void) {
        state = Mutex(State(progress: BatchProgress(total: total)))
        self.show = show
    }

    var progress: BatchProgress { state.withLock { $0.progress } }
    var failures: Int { state.withLock { $0.progress.failed } }

    func move(_ job: Int, to fraction: Double) {
        update { $0.underWay[job] = fraction }
    }

    func end(_ job: Int, _ outcome: JobRun.Outcome) {
        update { state in
            state.underWay[job] = nil
            if outcome.record.status == .done { state.progress.done += 1 } else { state.progress.failed += 1 }
            if outcome.wasThere { state.progress.wereThere += 1 }
            state.progress.latest = outcome.record
        }
    }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.progress.underWay = state.underWay.values.reduce(0, +)
            // Within the lock, so that what is shown never goes back.
            show(state.progress)
        }
    }
}
