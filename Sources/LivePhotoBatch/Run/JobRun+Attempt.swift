import Bytes
import Digests
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JobRun {
    /// Runs a job once.
    ///
    /// - Parameters:
    ///   - earlier: the record of an earlier run, whose inputs are not read again unless they have changed.
    ///   - isRetry: whether an attempt before this one may have left something.
    /// - Returns: the job's record, and whether its pair existed.
    /// - Throws: `CancellationError`; `JournalError`.
    func attempt(
        _ job: Job, earlier: JobRecord?, isRetry: Bool, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        var record = JobRecord(job.id, .failed)
        var existed = false
        do {
            existed = try await makePair(of: job, earlier: earlier, isRetry: isRetry, &record, progress)
            record.status = .done
            record.exitCode = 0
        } catch let error as LivePhotoError {
            // What stopped the work may have been taken for a fault of a file.
            if error.code == .cancelled || Task.isCancelled { throw CancellationError() }
            record.fail(error)
            if error.cause is TimeLimitExceeded { record.retryable = true }
            if let end = error.cause as? WorkerEnd {
                record.retryable = record.retryable == true || end.mayBeTemporary
                (record.signal, record.lastWords) = (end.signal, end.lastWords)
            }
        } catch let error as JournalError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            record.fail(LivePhotoError(.internalError, nil, "internal error: \(error)", cause: error))
        }
        record.seconds = ((ContinuousClock.now - start) / .seconds(1) * 1_000).rounded() / 1_000
        record.ended = Date.now.ISO8601Format()
        return Outcome(record: signed(record), wasDoneEarlier: existed)
    }

    /// - Returns: whether the pair existed.
    private func makePair(
        of job: Job, earlier: JobRecord?, isRetry: Bool, _ record: inout JobRecord,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Bool {
        let pair = try await BlockingWork.run { _ in
            try JobPair(
                JobTask(job, root: root), version: version, keepsHEIC: keepsHEIC, known: earlier?.inputs ?? [])
        }
        record.key = pair.key
        record.inputs = pair.inputs
        record.stillAsked = pair.requestedStill
        record.contentIdentifier = pair.contentIdentifier.string
        let (existing, startedPairs) = try await BlockingWork.run { _ in
            let folder = pair.target.directory
            // A folder of many pairs is listed once, not for each of them.
            isRetry ? Publisher.removeLeftovers(in: folder) : Publisher.removeLeftoversOnce(in: folder)
            return known(job, pair)
        }
        if let existing {
            if let earlier, earlier.key == pair.key { record.takeFacts(of: earlier) }
            try await recordFiles(of: existing, pair, startedPairs, &record)
            return true
        }
        let ready = try await BlockingWork.run { _ in
            try pair.checked(replacing: options.replacesExisting, started: startedPairs)
        }
        var started = signed(record)
        started.status = .started
        do throws(LivePhotoError) {
            try journal.append(started)
        } catch {
            throw JournalError(error: error)
        }
        let made: LivePhoto
        do {
            made = try await ready.make(engine, threads: threads, &record) {
                progress($0.fraction)
            }
        } catch let error as LivePhotoError where error.code == .outputExists {
            // A worker of an earlier run that was killed may have finished the pair in the meantime.
            let startedPair = Set([StartedPair(started)].compactMap(\.self))
            guard let made = try await BlockingWork.run({ _ in pair.existing(started: startedPair) }) else {
                throw error
            }
            try await recordFiles(of: made, pair, startedPair, &record)
            return true
        }
        try await recordFiles(of: made, pair, startedPairs, &record)
        return false
    }

    /// Records the files of a finished pair.
    private func recordFiles(
        of made: LivePhoto, _ pair: JobPair, _ started: Set<StartedPair>, _ record: inout JobRecord
    ) async throws {
        // The pair is complete, even if the batch is stopped now.
        let (warnings, photo, movie) = try await BlockingWork.run { _ in
            try WorkInterruption.ignored {
                (
                    pair.removeFormerPhoto(started: started) + pair.storeMissingRecipe(beside: made),
                    try JobRecord.Output(made.photo, below: root),
                    try JobRecord.Output(made.movie, below: root)
                )
            }
        }
        record.warnings += warnings
        record.contentIdentifier = made.contentIdentifier.string
        (record.photo, record.movie) = (photo, movie)
    }
}

/// The journal cannot be written, so no other job should be started.
struct JournalError: Error {
    let error: LivePhotoError
}

extension JobRecord {
    /// Takes over what is known of the pair that an earlier run has made.
    fileprivate mutating func takeFacts(of earlier: JobRecord) {
        (frames, duration, warnings) = (earlier.frames, earlier.duration, earlier.warnings)
        (stillTime, stillTimeInClip) = (earlier.stillTime, earlier.stillTimeInClip)
        (captureDate, captureDateSource) = (earlier.captureDate, earlier.captureDateSource)
    }

    /// The record of a conversion that was no job of a batch, for a report.
    ///
    /// - Parameters:
    ///   - id: different from those of others.
    ///   - folder: the base of the paths of both files.
    package init(_ id: String, _ result: Result<LivePhoto, LivePhotoError>, below folder: FilePath, seconds: Double) {
        self.init(id, .failed)
        self.seconds = seconds
        do throws(LivePhotoError) {
            let made = try result.get()
            (photo, movie) = (try Output(made.photo, below: folder), try Output(made.movie, below: folder))
            (status, exitCode, contentIdentifier) = (.done, 0, made.contentIdentifier.string)
        } catch {
            fail(error)
        }
    }
}

extension JobRecord.Output {
    init(_ path: FilePath, below root: FilePath) throws(LivePhotoError) {
        do {
            let file = try InputFile(path)
            var name = path
            _ = name.removePrefix(root)
            self.init(path: name.string, bytes: file.size, sha256: try Digest.sha256(file))
        } catch {
            throw LivePhotoError(reading: path, error)
        }
    }
}
