import Bytes
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One job of a batch: skipped if its pair exists, otherwise made, and retried after a temporary failure.
struct JobRun: Sendable {
    let root: FilePath
    let shard: Shard?
    let options: BatchOptions
    let version: String
    let host = ProcessInfo.processInfo.hostName
    let worker: MediaWorker
    let threads: Int
    let encoderThreads: Int?
    let journal: Journal

    /// The job's result.
    struct Outcome: Sendable {
        var record: JobRecord
        /// Whether an earlier run had made the pair.
        var wasThere = false
        /// Why no other job should be begun.
        var stop: LivePhotoError?
    }

    /// - Throws: `CancellationError`; `LivePhotoError` where the journal cannot be written.
    func run(_ job: Job, progress: @escaping @Sendable (Double) -> Void) async throws -> Outcome {
        let earlier = journal.records[job.id]
        if let earlier, earlier.status == .done, !options.restarts, await isDone(job, earlier) {
            return Outcome(record: earlier, wasThere: true)
        }
        var record = JobRecord(job.id, .failed)
        if let problem = job.problem {
            record.fail(problem)
            return Outcome(record: signed(record))
        }
        for attempt in 1...(options.retries + 1) {
            do {
                record = try await self.attempt(job, known: earlier?.inputs ?? [], progress)
            } catch let error as JournalError {
                throw error.error
            }
            record.attempts = attempt
            guard record.status == .failed, record.retryable == true, attempt <= options.retries else { break }
            try await Task.sleep(for: .milliseconds(500) * (1 << min(attempt - 1, 6)))
        }
        do throws(LivePhotoError) {
            try journal.append(record)
        } catch {
            return Outcome(record: record, stop: error)
        }
        return Outcome(record: record, stop: record.exitCode == 74 ? fullDisk() : nil)
    }

    private func attempt(
        _ job: Job, known inputs: [JobRecord.Input], _ progress: @escaping @Sendable (Double) -> Void
    ) async throws -> JobRecord {
        let begin = ContinuousClock.now
        let attempt = JobAttempt(
            job: job, root: root, options: options, version: version, worker: worker, threads: threads,
            encoderThreads: encoderThreads, journal: journal, known: inputs, sign: signed)
        var record = try await attempt.run(progress: progress)
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        record.seconds = (seconds * 1_000).rounded() / 1_000
        record.ended = Date.now.ISO8601Format()
        return signed(record)
    }

    /// The record, with where and by what it was made.
    @Sendable private func signed(_ record: JobRecord) -> JobRecord {
        var record = record
        (record.host, record.shard, record.version) = (host, shard?.description, version)
        return record
    }

    /// Whether the pair that `earlier` records is this job's, and is complete.
    private func isDone(_ job: Job, _ earlier: JobRecord) async -> Bool {
        (try? await BlockingWork.run { _ in try isOf(job, earlier) }) ?? false
    }

    /// - Throws: for what keeps the pair from being looked at.
    private func isOf(_ job: Job, _ earlier: JobRecord) throws -> Bool {
        // An attempt reads changed inputs again; here they only mean that the pair is not the same.
        for input in earlier.inputs {
            let path = FilePath(input.path)
            guard try FileTimes(of: path).modification.nanosecondsSince1970 == input.modified,
                try path.stat().size == input.bytes
            else { return false }
        }
        let task = try JobTask(job, root: root)
        let pair = try JobPair(task, version: version, known: earlier.inputs)
        return pair.key == earlier.key && pair.existing(begun: journal.pairsBegun(for: job.id)) != nil
    }

    /// Says so where the pairs' disk has no room: no other job could do better.
    private func fullDisk() -> LivePhotoError? {
        guard let free = FileSystem.freeBytes(root), free < 16 << 20 else { return nil }
        return LivePhotoError(
            .inputOutput, root, "its disk is full; make room, and run the same command again to go on")
    }
}
