import Bytes
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

/// Runs the jobs of a batch: each is skipped if its pair exists, otherwise run, and retried after a temporary failure.
struct JobRun: Sendable {
    /// The batch's folder.
    let root: FilePath
    let shard: Shard?
    let options: BatchOptions
    /// Part of every job's key, because another version may make other bytes.
    let version: String
    let host = CurrentProcess.hostName
    let engine: MediaEngine
    /// Whether a HEIC that is edited stays one.
    let keepsHEIC: Bool
    let threads: Int
    let journal: Journal
    let otherJournals: OtherJournals

    /// The job's result.
    struct Outcome: Sendable {
        var record: JobRecord
        /// Where it is in the journal; nil if it is not there.
        var place: Int?
        /// Whether an earlier run had made the pair.
        var wasDoneEarlier = false
        /// Why no other job should be started.
        var stop: LivePhotoError?
    }

    /// - Throws: `CancellationError`; `LivePhotoError` if the journal cannot be written.
    func run(_ job: Job, progress: @escaping @Sendable (Double) -> Void) async throws -> Outcome {
        let latest = journal.latest(of: job.id)
        let earlier = latest?.record
        if let earlier, earlier.status == .done, !options.restarts, await isDone(job, earlier) {
            return Outcome(record: earlier, place: latest?.place, wasDoneEarlier: true)
        }
        var outcome = Outcome(record: JobRecord(job.id, .failed))
        if let problem = job.problem {
            outcome.record.fail(problem)
            return Outcome(record: signed(outcome.record))
        }
        for attempt in 1...(options.retries + 1) {
            do {
                outcome = try await WorkInterruption.attempt {
                    try await self.attempt(job, earlier: earlier, isRetry: attempt > 1, progress)
                }
            } catch let error as JournalError {
                throw error.error
            }
            outcome.record.attempts = attempt
            let record = outcome.record
            guard record.status == .failed, record.retryable == true, attempt <= options.retries else { break }
            try await Task.sleep(for: .milliseconds(500) * (1 << min(attempt - 1, 6)))
        }
        do throws(LivePhotoError) {
            outcome.place = try journal.append(outcome.record)
            if outcome.record.exitCode == 74, FullDisk.isFull(root) { outcome.stop = FullDisk.error(root) }
        } catch {
            outcome.stop = error
        }
        return outcome
    }

    /// The record with the host, shard and version of this run.
    func signed(_ record: JobRecord) -> JobRecord {
        var record = record
        (record.host, record.shard, record.version) = (host, shard?.description, version)
        return record
    }

    /// Whether the pair that `earlier` records is this job's, and is complete.
    private func isDone(_ job: Job, _ earlier: JobRecord) async -> Bool {
        let isDone = try? await BlockingWork.run { _ in
            // Changed inputs need not be read here: they mean that the pair is not the same.
            for input in earlier.inputs {
                let path = FilePath(input.path)
                guard try FileTimes(of: path).modification.nanosecondsSince1970 == input.modified,
                    try path.stat().size == input.bytes
                else { return false }
            }
            let pair = try JobPair(
                JobTask(job, root: root), version: version, keepsHEIC: keepsHEIC, known: earlier.inputs)
            return pair.key == earlier.key && known(job, pair).existing != nil
        }
        return isDone ?? false
    }

    /// A job's pair, if it exists and is not made again anyway, and the pairs that runs of this batch have started for the job.
    /// Other journals are read only if the own one does not explain the files at the target.
    func known(_ job: Job, _ pair: JobPair) -> (existing: LivePhoto?, started: Set<StartedPair>) {
        let own = journal.pairsStarted(for: job.id)
        if !options.restarts, let existing = pair.existing(started: own) { return (existing, own) }
        guard pair.targetExists else { return (nil, own) }
        let started = own.union(otherJournals.pairsStarted(for: job.id))
        return (options.restarts || started == own ? nil : pair.existing(started: started), started)
    }
}
