import LivePhotoKit
package import LivePhotoRequests
import Subprocess
import SystemPackage

/// Shares Live Photos by a process of `livephoto-server`, which serves as long as this one does.
package enum ShareProcess {
    /// The server removes what it made.
    private static let teardown = [
        TeardownStep.gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(700))
    ]
    /// Bytes of an event: a code is the largest.
    private static let lineLimit = 1 << 20

    /// Shares until everything was fetched or nobody asks any more. Cancelling the task ends the process.
    ///
    /// - Parameter report: called with each event but the last.
    /// - Throws: `LivePhotoError` if the address cannot be used, or the process ends too early.
    package static func run(
        _ order: ShareOrder, report: @escaping @Sendable (ShareEvent) -> Void
    ) async throws -> ShareEvent.Ending {
        let program = try HelperProgram.server.find()
        do {
            return try await run(program, order, report)
        } catch let error as SubprocessError {
            if Task.isCancelled { throw CancellationError() }
            throw LivePhotoError(.temporary, nil, "\(program) could not be started: \(error)", cause: error)
        }
    }

    private static func run(
        _ program: FilePath, _ order: ShareOrder, _ report: @escaping @Sendable (ShareEvent) -> Void
    ) async throws -> ShareEvent.Ending {
        var options = PlatformOptions()
        // Keep signals from the terminal away: this program ends the process.
        options.processGroupID = 0
        options.teardownSequence = teardown
        let result = try await Subprocess.run(
            .path(program), environment: .inherit, platformOptions: options, input: .inputWriter, output: .sequence,
            error: .sequence
        ) { process -> (event: ShareEvent?, words: [String]) in
            async let words = ErrorOutput.lastLines(of: process.standardError, isLogged: false)
            // The server ends when its input does.
            _ = try? await process.standardInputWriter.write(JSON.line(order))
            var lines = LineBuffer()
            var last: ShareEvent?
            for try await buffer in process.standardOutput {
                lines.append(buffer.withUnsafeBytes { Array($0) }) { line in
                    guard let event = try? JSON.decode(ShareEvent.self, from: line) else { return }
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
        switch result.closureResult.event {
        case .ended(let ending): return ending
        case .failed(let error):
            throw LivePhotoError(error.code, nil, error.reason)
        case .listening, .opened, .transfer, .problem, .request, nil:
            throw WorkerOutcome.loaderError(result.terminationStatus, result.closureResult.words, program)
                ?? LivePhotoError(
                    .internalError, program, "ended without a result (\(result.terminationStatus)); try again")
        }
    }

    /// Whether the program can be started.
    ///
    /// - Throws: `LivePhotoError` that says what is missing.
    package static func check() async throws {
        do {
            _ = try await run(ShareOrder([])) { _ in }
        } catch let error as LivePhotoError where error.code == .invalidRequest {
            // There is nothing to share.
        }
    }
}
