import Bytes
import LivePhotoConversion
import LivePhotoKit
import SystemPackage

/// The work of a batch's process: one job, told on standard input, answered on standard output.
package struct JobWorker: Sendable {
    /// Part of every job's key: another version may make other bytes.
    let version: String

    package init(version: String) {
        self.version = version
    }

    /// - Returns: the status to end with.
    /// - Throws: `LivePhotoError` of code `cancelled` where the batch has gone away, or a signal came.
    package func run() async throws -> Int32 {
        let batch = BatchConnection()
        guard let line = batch.nextLine() else {
            throw LivePhotoError(
                .invalidRequest, nil, "'livephoto work' is a part of 'livephoto batch', which starts it")
        }
        let order = try JSONLine.decode(WorkOrder.self, from: line)
        if let limit = order.memoryLimit { MemoryLimit.apply(bytes: limit) }
        var record = JobRecord(order.id, .failed)
        do {
            try await work(order, &record, batch)
            record.status = .done
            record.exitCode = 0
        } catch let error as LivePhotoError {
            if error.code == .cancelled { throw error }
            record.fail(error)
        } catch let error as ConfigurationError {
            record.error = "\(error)"
            record.exitCode = 64
        } catch {
            record.fail(LivePhotoError(.internalFault, nil, "met a fault of this program: \(error)"))
        }
        try batch.say(WorkEvent(record: record))
        return Int32(record.exitCode ?? 70)
    }

    private func work(_ order: WorkOrder, _ record: inout JobRecord, _ batch: BatchConnection) async throws {
        let task = try JobTask(
            id: order.id, options: order.options, preset: order.preset, root: FilePath(order.root))
        var pair = try PairInMaking(task, version: version, known: order.inputs)
        record.key = pair.key
        record.inputs = pair.inputs
        record.stillAsked = pair.stillAsked
        record.contentIdentifier = pair.contentIdentifier.string
        Publisher.removeLeftovers(in: pair.targets.movie.removingLastComponent())
        func take(_ made: LivePhoto) throws {
            record.warnings += pair.removeFormerPhoto(begun: order.begun)
            try record.take(made, below: FilePath(order.root))
        }
        if !order.isRestart, let made = pair.standing(begun: order.begun) { return try take(made) }
        try pair.checkTargets(replacing: order.replacesExisting, begun: order.begun)
        var started = record
        started.status = .started
        try batch.say(WorkEvent(record: started))
        guard batch.nextLine() == Array(WorkOrder.goOn.utf8) else {
            throw LivePhotoError(.cancelled, nil, "the batch has gone away")
        }
        do {
            try await pair.make(threads: order.threads, encoderThreads: order.encoderThreads, &record) { progress in
                guard order.wantsProgress else { return }
                // A batch that no longer listens is noticed elsewhere.
                try? batch.say(WorkEvent(frames: progress.frames, totalFrames: progress.totalFrames))
            }
        } catch let error as LivePhotoError where error.code == .outputExists {
            // Beside a new run, the processes of one that was killed may come to their ends.
            guard let made = pair.standing(begun: Set([BegunPair(started)].compactMap(\.self))) else { throw error }
            return try take(made)
        }
        guard let made = pair.livePhoto else {
            throw LivePhotoError(.internalFault, pair.targets.movie, "no Live Photo was made")
        }
        try take(made)
    }
}

extension JobRecord {
    mutating func fail(_ error: LivePhotoError) {
        self.error = "\(error)"
        exitCode = Int(error.code.exitStatus)
        retryable = error.code == .temporary
    }

    /// Notes the files of a pair that stands.
    fileprivate mutating func take(_ pair: LivePhoto, below root: FilePath) throws {
        contentIdentifier = pair.contentIdentifier.string
        photo = try Output(pair.photo, below: root)
        movie = try Output(pair.movie, below: root)
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
