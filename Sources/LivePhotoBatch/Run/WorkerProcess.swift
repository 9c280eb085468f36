import LivePhotoKit
import Subprocess
import SystemPackage

/// One process of the program, which does one job.
struct WorkerProcess: Sendable {
    /// The program: it is started as `PROGRAM work`.
    let program: FilePath
    /// Nil lets it take as long as it likes.
    let timeout: Duration?

    /// How it ended.
    struct Outcome: Sendable {
        /// The last that it said of its job; nil for nothing.
        var record: JobRecord?
        /// The last lines on its standard error.
        var lastWords: [String] = []
        var status: TerminationStatus
    }

    /// It ran longer than it may.
    struct TimedOut: Error {}

    /// How long a process that is asked to end may take to clean up behind it.
    private static let patience = Duration.milliseconds(1_200)
    private static let lineLimit = 1 << 20
    /// What the program may have started goes with it.
    private static let teardown = [
        TeardownStep.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: patience)
    ]

    /// Starts it and waits for its end. Cancelling the task ends it, at once or when it has cleaned up.
    ///
    /// - Parameters:
    ///   - started: called when it is about to make something; it waits until that has returned.
    /// - Throws: `TimedOut`; `CancellationError`; what `started` throws; `LivePhotoError` where it could not be started.
    func run(
        _ order: WorkOrder, started: @escaping @Sendable (JobRecord) throws -> Void,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Outcome {
        guard let timeout else { return try await attend(order, started, progress) }
        return try await withThrowingTaskGroup(of: Outcome?.self) { group in
            group.addTask { try await attend(order, started, progress) }
            group.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let outcome = first else {
                group.cancelAll()
                // Until it has gone, its place is not free.
                while (try? await group.next()) != nil {}
                try Task.checkCancellation()
                throw TimedOut()
            }
            return outcome
        }
    }

    private func attend(
        _ order: WorkOrder, _ started: @escaping @Sendable (JobRecord) throws -> Void,
        _ progress: @escaping @Sendable (Double) -> Void
    ) async throws -> Outcome {
        var options = PlatformOptions()
        // What a terminal sends goes to the batch, which ends its processes itself.
        options.processGroupID = 0
        options.teardownSequence = Self.teardown
        let result = try await Subprocess.run(
            .path(program), arguments: ["work"], platformOptions: options, input: .inputWriter, output: .sequence,
            error: .sequence
        ) { process in
            async let words = LastWords.of(process.standardError)
            let input = process.standardInputWriter
            var last: JobRecord?
            do {
                _ = try await input.write(JSONLine.encode(order))
                // JSON may hold what else counts as a line's end, as U+2028.
                let lines = process.standardOutput.strings(
                    separatedBy: .unicodeScalarSequence("\n".unicodeScalars),
                    bufferingPolicy: .maxLineLength(Self.lineLimit))
                for try await line in lines {
                    guard let event = try? JSONLine.decode(WorkEvent.self, from: line.utf8) else { continue }
                    if let frames = event.frames, let total = event.totalFrames, total > 0 {
                        progress(Double(frames) / Double(total))
                    }
                    guard let record = event.record, record.id == order.id else { continue }
                    last = record
                    if record.status == .started {
                        try started(record)
                        _ = try await input.write(Array((WorkOrder.goOn + "\n").utf8))
                    }
                }
            } catch let error as LivePhotoError {
                throw error
            } catch is SubprocessError {
                // It has ended before it had read or said all: its status tells. Or it says what has no end.
                await process.teardown(using: Self.teardown)
            }
            try? await input.finish()
            return (last, await words)
        }
        try Task.checkCancellation()
        return Outcome(
            record: result.closureResult.0, lastWords: result.closureResult.1, status: result.terminationStatus)
    }
}

/// The end of what a process says on its standard error.
private enum LastWords {
    private static let lines = 12
    private static let bytes = 4_096

    static func of(_ output: SubprocessOutputSequence) async -> [String] {
        var end: [UInt8] = []
        do {
            for try await buffer in output {
                buffer.withUnsafeBytes { end += $0 }
                if end.count > 2 * bytes { end.removeFirst(end.count - bytes) }
            }
        } catch {
            // What came until then is what there is.
        }
        return end.suffix(bytes).split(separator: UInt8(ascii: "\n")).suffix(lines).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
