import Bytes
import LivePhotoKit
import LivePhotoRequests
import Synchronization
public import SystemPackage

/// How a batch is run.
public struct BatchOptions: Sendable, Hashable {
    /// Number of jobs to run at a time; nil for as many as cores and memory allow. With 1, each clip is encoded with all
    /// cores, which changes the bytes.
    public var slots: Int?
    /// Number of retries after a failure that may be temporary.
    public var retries = 1
    /// Number of failed jobs after which no other is started; nil for no limit.
    public var maxFailures: Int?
    /// Whether pairs that an earlier run made are made again.
    public var restarts = false
    /// Whether existing files that do not belong to this batch are replaced.
    public var replacesExisting = false

    /// The options of `livephoto batch` without arguments.
    public init() {}
}

/// A batch's progress.
public struct BatchProgress: Sendable, Hashable {
    /// The number of jobs in this part of the batch.
    public let total: Int
    /// Finished pairs, including those of earlier runs.
    public fileprivate(set) var done = 0
    /// Those of `done` that were made by earlier runs.
    public fileprivate(set) var doneEarlier = 0
    /// Jobs that have ended without a pair.
    public fileprivate(set) var failed = 0
    /// Sum of the fractions of running jobs: 0.5 for one that is half done.
    public fileprivate(set) var running = 0.0
    /// The figures of this run.
    package fileprivate(set) var metrics: BatchMetrics
    /// The record of the job that ended last.
    public fileprivate(set) var latest: JobRecord?

    /// The finished part of the work, from 0 to 1.
    public var fraction: Double { total > 0 ? min((Double(done + failed) + running) / Double(total), 1) : 1 }
}

/// The result of a batch.
public struct BatchResult: Sendable {
    /// One for each job, in the order of the jobs; jobs that were not started have the status `pending`. They are read from the
    /// journal, which another run may extend meanwhile.
    public let records: JobRecords
    /// The counts at the end.
    public let progress: BatchProgress
    /// Whether jobs were not started because `BatchOptions.maxFailures` others had failed.
    public let reachedFailureLimit: Bool
    /// Any other error that prevented jobs from starting or finishing.
    public let stop: LivePhotoError?
}

/// A batch of jobs, each run in its own worker process, several at a time. A batch that was stopped continues when it is run
/// again.
public struct Batch: Sendable {
    /// The jobs to run: those of `shard`, or all.
    public let jobs: [Job]
    /// The output folder.
    public let folder: FilePath
    /// The part of a larger batch that `jobs` are; nil if they are all jobs.
    public let shard: Shard?
    /// How the jobs are run.
    public var options: BatchOptions
    /// Decodes and encodes. If neither it nor a job's preset limits memory, each job gets an equal share of the machine's.
    public let worker: MediaWorker

    /// A batch that runs the jobs of its shard.
    ///
    /// - Parameters:
    ///   - jobs: all jobs of the batch, including those of other shards.
    ///   - folder: the output folder, created if missing.
    ///   - shard: the part of the jobs to run; nil for all.
    ///   - options: how the jobs are run.
    ///   - worker: decodes and encodes.
    public init(
        _ jobs: [Job], folder: FilePath, shard: Shard? = nil, options: BatchOptions, worker: MediaWorker
    ) {
        self.jobs = shard.map { shard in jobs.filter { shard.contains(id: $0.id) } } ?? jobs
        self.folder = folder.orCurrentFolder
        (self.shard, self.options, self.worker) = (shard, options, worker)
    }

    /// The records of the jobs before any is run.
    public var pendingRecords: JobRecords { JobRecords(pending: jobs) }

    /// Runs all jobs. Cancelling the task ends the running processes and leaves no incomplete pair.
    ///
    /// - Parameters:
    ///   - progress: called on any thread, one call at a time.
    ///   - resuming: called before the first job with the number of records of earlier runs that have been read.
    /// - Throws: `LivePhotoError` if another batch uses the folder, it cannot be written to, or a library is missing.
    public func run(
        progress: @escaping @Sendable (BatchProgress) -> Void = { _ in },
        resuming: @escaping @Sendable (Int) -> Void = { _ in }
    ) async throws -> BatchResult {
        try await OutputFolders.withRun { try await SidecarFolders.withRun { try await runJobs(resuming, progress) } }
    }

    private func runJobs(
        _ resuming: (Int) -> Void, _ progress: @escaping @Sendable (BatchProgress) -> Void
    ) async throws -> BatchResult {
        // Otherwise each job would fail for the same reason.
        let environment = try await worker.engine.environment()
        let state = try BatchFolder(folder, shard: shard, onRecord: resuming)
        defer { withExtendedLifetime(state) {} }
        removeLeftovers()
        let machine = MachineResources()
        let slots = machine.slots(for: jobs.count, requested: options.slots)
        var worker = worker
        worker.memoryShare = machine.memoryShare(slots: slots)
        let run = JobRun(
            root: folder, shard: shard, options: options, version: ProgramVersion.current, engine: worker.engine,
            keepsHEIC: environment.canEncodeHEIC, threads: machine.threads(slots: slots), journal: state.journal,
            otherJournals: OtherJournals(in: folder, besides: state.journal.path))
        let board = ProgressBoard(total: jobs.count, show: progress)
        var places = [Int](repeating: -1, count: jobs.count)
        var others: [Int: JobRecord] = [:]
        var stop: LivePhotoError?
        var reachedFailureLimit = false
        try await concurrentForEachEnded(jobs, width: slots) { _ in
            reachedFailureLimit = options.maxFailures.map { board.failures >= $0 } ?? false
            return stop == nil && !reachedFailureLimit
        } work: { index, job in
            do {
                board.move(index, to: 0)
                return Result<JobRun.Outcome, any Error>.success(try await run.run(job) { board.move(index, to: $0) })
            } catch {
                return .failure(error)
            }
        } body: { index, result in
            switch result {
            case .success(let outcome):
                if let place = outcome.place { places[index] = place } else { others[index] = outcome.record }
                board.end(index, outcome)
                stop = stop ?? outcome.stop
            case .failure(let error):
                stop =
                    stop ?? error as? LivePhotoError
                    ?? LivePhotoError(.internalError, nil, "internal error: \(error)", cause: error)
            }
        }
        if Task.isCancelled { stop = LivePhotoError(.cancelled, nil, "the batch was stopped") }
        removeLeftovers()
        return BatchResult(
            records: JobRecords(of: jobs, at: places, in: state.journal.lines, others: others),
            progress: board.progress, reachedFailureLimit: reachedFailureLimit, stop: stop)
    }

    /// Removes temporary files left by killed processes of this run and earlier ones.
    private func removeLeftovers() {
        for path in Set(jobs.map { folder.pushing($0.folder) }) { Publisher.removeLeftovers(in: path) }
    }
}

/// Sums up the progress of all jobs.
private final class ProgressBoard: Sendable {
    private struct State {
        var progress: BatchProgress
        var running: [Int: Double] = [:]
    }

    private let state: Mutex<State>
    private let show: @Sendable (BatchProgress) -> Void

    init(total: Int, show: @escaping @Sendable (BatchProgress) -> Void) {
        state = Mutex(State(progress: BatchProgress(total: total, metrics: BatchMetrics(jobs: total))))
        self.show = show
    }

    var progress: BatchProgress { state.withLock { $0.progress } }
    var failures: Int { state.withLock { $0.progress.failed } }

    func move(_ job: Int, to fraction: Double) {
        update { $0.running[job] = fraction }
    }

    func end(_ job: Int, _ outcome: JobRun.Outcome) {
        update { state in
            state.running[job] = nil
            if outcome.record.status == .done { state.progress.done += 1 } else { state.progress.failed += 1 }
            if outcome.wasDoneEarlier { state.progress.doneEarlier += 1 }
            state.progress.latest = outcome.record
            state.progress.metrics.add(outcome.record, wasDoneEarlier: outcome.wasDoneEarlier)
        }
    }

    private func update(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.progress.running = state.running.values.reduce(0, +)
            state.progress.metrics.running = state.running.count
            // Within the lock, so that calls are in order.
            show(state.progress)
        }
    }
}
