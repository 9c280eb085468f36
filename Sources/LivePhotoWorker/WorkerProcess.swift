import LivePhotoKit
import LivePhotoRequests
import Logging
import Subprocess
import SystemPackage

/// Runs one task in a process of the worker.
struct WorkerProcess: Sendable {
    let program: FilePath
    /// The time limit; nil for none.
    let timeout: Duration?

    /// Ends the process group with SIGTERM. The process has nothing to clean up, so SIGKILL follows soon.
    private static let teardown = [
        TeardownStep.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(200))
    ]

    /// Starts the process and waits for its end. Cancelling the task ends the process.
    func run(
        _ order: WorkerOrder, _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async -> WorkerOutcome {
        if let shortage = Reserve.workerProcess.shortage { return .couldNotBeStarted(shortage) }
        // What was done before, for the same file, counts too.
        guard let timeout = [timeout, ItemTime.remaining].compactMap(\.self).min() else {
            return await attend(order, progress)
        }
        return await withTaskGroup(of: WorkerOutcome?.self) { group in
            group.addTask { await attend(order, progress) }
            group.addTask {
                do {
                    try await Task.sleep(for: timeout)
                    return .timedOut
                } catch {
                    return nil
                }
            }
            var first: WorkerOutcome?
            // Wait for the process too.
            for await outcome in group {
                first = first ?? outcome
                group.cancelAll()
            }
            return first ?? .cancelled
        }
    }

    private func attend(
        _ order: WorkerOrder, _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async -> WorkerOutcome {
        var options = PlatformOptions()
        // Keep signals from the terminal away: this program ends its processes itself.
        options.processGroupID = 0
        options.teardownSequence = Self.teardown
        do {
            let result = try await Subprocess.run(
                .path(program), environment: .custom(WorkerEnvironment.variables), platformOptions: options,
                input: .inputWriter, output: .sequence, error: .sequence
            ) { process in
                async let words = ErrorOutput.lastLines(of: process.standardError, isLogged: order.isVerbose)
                let input = process.standardInputWriter
                var answer = WorkerAnswer()
                do {
                    _ = try await input.write(JSON.line(order))
                    for try await buffer in process.standardOutput {
                        guard answer.append(buffer.withUnsafeBytes { Array($0) }, progress) else {
                            await process.teardown(using: Self.teardown)
                            break
                        }
                    }
                } catch is SubprocessError {
                    // The process ended before it had read the order. Its status shows why.
                    await process.teardown(using: Self.teardown)
                }
                try? await input.finish()
                return (answer, await words)
            }
            if Task.isCancelled { return .cancelled }
            let (answer, words) = result.closureResult
            return switch answer.problem {
            case .tooMuch: .wroteTooMuch
            case .invalid: .gaveInvalidAnswer
            case nil: .ended(answer.result, result.terminationStatus, lastWords: words)
            }
        } catch {
            return Task.isCancelled ? .cancelled : .couldNotBeStarted("\(error)")
        }
    }
}

/// The environment variables of the worker.
private enum WorkerEnvironment {
    /// Variables copied from this program, which locate libraries.
    private static let names = ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "LIBHEIF_PLUGIN_PATH"]

    static var variables: [Environment.Key: String] {
        // A backtrace would need system calls that the sandbox forbids. Some builds of OpenBLAS, a dependency of libavfilter,
        // would start threads before the sandbox is entered.
        var variables: [Environment.Key: String] = ["SWIFT_BACKTRACE": "enable=no", "OPENBLAS_NUM_THREADS": "1"]
        for name in names {
            guard let key = Environment.Key(rawValue: name), let value = CurrentProcess.environment[name] else {
                continue
            }
            variables[key] = value
        }
        return variables
    }
}

/// What a process writes to standard error.
enum ErrorOutput {
    private static let lines = 12
    private static let bytes = 4_096
    private static let logger = Logger(label: "livephoto.media")

    static func lastLines(of output: SubprocessOutputSequence, isLogged: Bool) async -> [String] {
        var end: [UInt8] = []
        var log = LineBuffer(limit: bytes)
        do {
            for try await buffer in output {
                let new = buffer.withUnsafeBytes { Array($0) }
                end += new
                if end.count > 2 * bytes { end.removeFirst(end.count - bytes) }
                if isLogged { log.append(new, each: write) }
            }
        } catch {
            // Keep what has been read.
        }
        if isLogged { log.end(each: write) }
        return end.suffix(bytes).split(separator: UInt8(ascii: "\n")).suffix(lines).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static func write(_ line: ArraySlice<UInt8>) {
        logger.debug("\(printable(String(decoding: line.prefix(bytes), as: UTF8.self)))")
    }
}
