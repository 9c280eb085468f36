import LivePhotoKit
package import LivePhotoRequests
import Subprocess
import SystemPackage

/// A process of `livephoto-server`, which serves as long as this one waits for it.
package enum ServerProcess {
    /// The server removes what it made.
    private static let teardown = [
        TeardownStep.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(700))
    ]
    /// Bytes of an event: a code is the largest.
    private static let lineLimit = 1 << 20

    /// Serves until the process ends. Cancelling the task ends it.
    ///
    /// - Parameter report: called with each event.
    /// - Returns: the last event.
    /// - Throws: `LivePhotoError` if the address cannot be used, or the process ends without an event; `CancellationError`.
    package static func run<Event: ServerEvent>(
        _ service: ServerOrder.Service, report: @escaping @Sendable (Event) -> Void
    ) async throws -> Event {
        let program = try HelperProgram.server.find()
        do {
            return try await run(program, ServerOrder(service), report)
        } catch let error as SubprocessError {
            if Task.isCancelled { throw CancellationError() }
            throw LivePhotoError(.temporary, nil, "\(program) could not be started: \(error)", cause: error)
        }
    }

    private static func run<Event: ServerEvent>(
        _ program: FilePath, _ order: ServerOrder, _ report: @escaping @Sendable (Event) -> Void
    ) async throws -> Event {
        var options = PlatformOptions()
        // Keep signals from the terminal away: this program ends the process.
        options.processGroupID = 0
        options.teardownSequence = teardown
        let result = try await Subprocess.run(
            .path(program), environment: .inherit, platformOptions: options, input: .inputWriter, output: .sequence,
            error: .sequence
        ) { process -> (event: Event?, words: [String]) in
            async let words = ErrorOutput.lastLines(
                of: process.standardError, isLogged: order.service.decoders.isVerbose)
            // The server ends when its input does.
            _ = try? await process.standardInputWriter.write(JSON.line(order))
            var lines = LineBuffer()
            var last: Event?
            for try await buffer in process.standardOutput {
                lines.append(buffer.withUnsafeBytes { Array($0) }) { line in
                    guard let event = try? JSON.decode(Event.self, from: line) else { return }
                    last = event
                    report(event)
                }
                guard lines.count <= lineLimit else {
                    throw LivePhotoError(.internalError, program, "wrote more output than allowed and was stopped")
                }
            }
            return (last, await words)
        }
        if Task.isCancelled { throw CancellationError() }
        if let error = result.closureResult.event?.failure { throw LivePhotoError(error.code, nil, error.reason) }
        guard let event = result.closureResult.event, case .exited(0) = result.terminationStatus else {
            throw WorkerOutcome.loaderError(result.terminationStatus, result.closureResult.words, program)
                ?? LivePhotoError(
                    .internalError, program, "ended without a result (\(result.terminationStatus)); try again")
        }
        return event
    }

    /// Whether the program can be started.
    ///
    /// - Throws: `LivePhotoError` that says what is missing.
    package static func check() async throws {
        do {
            _ = try await run(.share(ShareOrder([]))) { (_: ShareEvent) in }
        } catch let error as LivePhotoError where error.code == .invalidRequest {
            // There is nothing to share.
        }
    }
}
