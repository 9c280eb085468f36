import Bytes
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker
import SystemPackage

/// One try at a job.
struct JobAttempt: Sendable {
    let job: Job
    /// The batch's folder.
    let root: FilePath
    let options: BatchOptions
    /// Part of every job's key: another version may make other bytes.
    let version: String
    let worker: MediaWorker
    let threads: Int
    let encoderThreads: Int?
    let journal: Journal
    /// What is known of the inputs: those that have not changed are not read again for their digests.
    let known: [JobRecord.Input]
    /// Says where and by what a record was made.
    let sign: @Sendable (JobRecord) -> JobRecord

    /// - Returns: what became of the job.
    /// - Throws: `CancellationError`; `JournalError`.
    func run(progress: @escaping @Sendable (Double) -> Void) async throws -> JobRecord {
        var record = JobRecord(job.id, .failed)
        do {
            try await work(&record, progress)
            record.status = .done
            record.exitCode = 0
        } catch let failure as WorkerFailure {
            if failure.error.code == .cancelled { throw CancellationError() }
            record.fail(failure.error)
            record.retryable = record.retryable == true || failure.mayPass
            (record.signal, record.lastWords) = (failure.signal, failure.lastWords)
        } catch let error as LivePhotoError {
            if error.code == .cancelled { throw CancellationError() }
            record.fail(error)
        } catch let error as JournalError {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            record.fail(LivePhotoError(.internalFault, nil, "internal error: \(error)", cause: error))
        }
        return record
    }

    private func work(_ record: inout JobRecord, _ progress: @escaping @Sendable (Double) -> Void) async throws {
        let begun = journal.pairsBegun(for: job.id)
        let pair = try await BlockingWork.run { _ in
            let task = try JobTask(job, root: root)
            return try JobPair(task, version: version, known: known)
        }
        record.key = pair.key
        record.inputs = pair.inputs
        record.stillAsked = pair.stillAsked
        record.contentIdentifier = pair.contentIdentifier.string
        let existing = try await BlockingWork.run { _ in
            Publisher.removeLeftovers(in: pair.target.directory)
            return options.restarts ? nil : pair.existing(begun: begun)
        }
        if let existing { return try await take(existing, pair, begun, &record) }
        let ready = try await BlockingWork.run { _ in
            try pair.checked(replacing: options.replacesExisting, begun: begun)
        }
        var started = sign(record)
        started.status = .started
        do throws(LivePhotoError) {
            try journal.append(started)
        } catch {
            throw JournalError(error: error)
        }
        let made: LivePhoto
        do {
            made = try await ready.make(worker, threads: threads, encoderThreads: encoderThreads, &record) {
                progress(Double($0.frames) / Double(max($0.totalFrames, 1)))
            }
        } catch let error as LivePhotoError where error.code == .outputExists {
            // Beside a new run, what a former one has begun may come to its end.
            let begun = Set([BegunPair(started)].compactMap(\.self))
            guard let made = try await BlockingWork.run({ _ in pair.existing(begun: begun) }) else { throw error }
            return try await take(made, pair, begun, &record)
        }
        try await take(made, pair, begun, &record)
    }

    /// Records the files of a finished pair.
    private func take(
        _ made: LivePhoto, _ pair: JobPair, _ begun: Set<BegunPair>, _ record: inout JobRecord
    ) async throws {
        let (warnings, photo, movie) = try await BlockingWork.run { _ in
            (
                pair.removeFormerPhoto(begun: begun), try JobRecord.Output(made.photo, below: root),
                try JobRecord.Output(made.movie, below: root)
            )
        }
        record.warnings += warnings
        record.contentIdentifier = made.contentIdentifier.string
        (record.photo, record.movie) = (photo, movie)
    }
}

/// The journal cannot be written: no other job should be begun.
struct JournalError: Error {
    let error: LivePhotoError
}

extension JobRecord {
    mutating func fail(_ error: LivePhotoError) {
        self.error = "\(error)"
        exitCode = Int(error.code.exitStatus)
        retryable = error.code == .temporary
    }
}

extension JobRecord.Output {
    fileprivate init(_ path: FilePath, below root: FilePath) throws(LivePhotoError) {
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
