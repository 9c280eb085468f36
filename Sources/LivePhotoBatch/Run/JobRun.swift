import Bytes
import Dispatch
import LivePhotoConversion
import LivePhotoKit
import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One job of a batch: left alone where its pair stands, else done by a process, and tried again where that can help.
struct JobRun: Sendable {
    let root: FilePath
    let shard: Shard?
    let options: BatchOptions
    let version: String
    let host = ProcessInfo.processInfo.hostName
    let process: WorkerProcess
    let threads: Int
    let encoderThreads: Int?
    let memoryLimit: Int?
    let journal: Journal

    /// What became of the job.
    struct Outcome: Sendable {
        var record: JobRecord
        /// Whether the pair stood there from an earlier run.
        var wasThere = false
        /// Why no other job should be begun.
        var stop: LivePhotoError?
    }

    /// - Throws: `CancellationError`; `LivePhotoError` where the journal cannot be written.
    func run(_ job: Job, progress: @escaping @Sendable (Double) -> Void) async throws -> Outcome {
        let earlier = journal.records[job.id]
        if let earlier, earlier.status == .done, !options.restarts, await stands(job, earlier) {
            return Outcome(record: earlier, wasThere: true)
        }
        var record = JobRecord(job.id, .failed)
        for attempt in 1...(options.retries + 1) {
            record = try await self.attempt(order(job, known: earlier?.inputs ?? []), progress)
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

    private func order(_ job: Job, known inputs: [JobRecord.Input]) -> WorkOrder {
        WorkOrder(
            id: job.id, options: job.options, preset: job.preset, root: root.string, threads: threads,
            encoderThreads: encoderThreads,
            memoryLimit: memoryLimit, replacesExisting: options.replacesExisting, inputs: inputs,
            begun: journal.pairsBegun(for: job.id), isRestart: options.restarts, wantsProgress: options.showsProgress)
    }

    private func attempt(
        _ order: WorkOrder, _ progress: @escaping @Sendable (Double) -> Void
    ) async throws -> JobRecord {
        let begin = ContinuousClock.now
        var record: JobRecord
        do {
            let outcome = try await process.run(order, started: { try journal.append(signed($0)) }, progress: progress)
            record = outcome.record ?? JobRecord(order.id, .failed)
            if record.status == .failed || !outcome.status.isSuccess { record.lastWords = outcome.lastWords }
            record.judge(outcome.status)
        } catch is WorkerProcess.TimedOut {
            record = JobRecord(order.id, .failed)
            record.retryable = true
            record.error = "took longer than \(process.timeout.map { "\($0)" } ?? "it may") and was ended"
        } catch let error as SubprocessError {
            record = JobRecord(order.id, .failed)
            record.fail(LivePhotoError(.temporary, nil, "its process could not be started: \(error)"))
        }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        record.seconds = (seconds * 1_000).rounded() / 1_000
        record.ended = Date.now.ISO8601Format()
        return signed(record)
    }

    /// The record, with where and by what it was made.
    private func signed(_ record: JobRecord) -> JobRecord {
        var record = record
        (record.host, record.shard, record.version) = (host, shard?.description, version)
        return record
    }

    /// Whether the pair that `earlier` tells of is the one of this job, and stands there whole.
    private func stands(_ job: Job, _ earlier: JobRecord) async -> Bool {
        await withCheckedContinuation { continuation in
            // Reading must not hold up Swift's cooperative threads.
            DispatchQueue.global().async {
                continuation.resume(returning: (try? isOf(job, earlier)) ?? false)
            }
        }
    }

    /// - Throws: for what keeps the pair from being looked at.
    private func isOf(_ job: Job, _ earlier: JobRecord) throws -> Bool {
        // What has changed is read by a process, not here.
        for input in earlier.inputs {
            let path = FilePath(input.path)
            guard try FileTimes(of: path).modification.nanosecondsSince1970 == input.modified,
                try path.stat().size == input.bytes
            else { return false }
        }
        let task = try JobTask(id: job.id, options: job.options, preset: job.preset, root: root)
        let pair = try PairInMaking(task, version: version, known: earlier.inputs)
        return pair.key == earlier.key && pair.standing(begun: journal.pairsBegun(for: job.id)) != nil
    }

    /// Says so where the pairs' disk has no room: no other job could do better.
    private func fullDisk() -> LivePhotoError? {
        guard let free = FileSystem.freeBytes(root), free < 16 << 20 else { return nil }
        return LivePhotoError(
            .inputOutput, root, "its disk is full; make room, and run the same command again to go on")
    }
}

extension JobRecord {
    /// Brings what the process said of its job together with how it ended.
    fileprivate mutating func judge(_ end: TerminationStatus) {
        switch end {
        case .exited(0) where status == .done: return
        case .exited(let code) where status == .failed && error != nil: exitCode = Int(code)
        case .exited(let code):
            exitCode = Int(code)
            error = "its process ended with status \(code) before it was done"
            // 143: it ended when SIGTERM asked it to, from who looks after the machine.
            retryable = code == 75 || code == 143
        case .signaled(let number):
            signal = signalName(number)
            error = "its process was ended by \(signalName(number))"
            // By the kernel, for want of memory, or by who looks after the machine. A crash would come again.
            retryable = [9, 15].contains(number)
        }
        status = .failed
    }
}

/// `SIGSEGV`, or `signal 40`.
private func signalName(_ number: Int32) -> String {
    let names: [Int32: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL",
        11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
    ]
    return names[number] ?? "signal \(number)"
}
