import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import LivePhotoWorker

/// The options shared by all commands that decode.
struct WorkerOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sandbox for decoding: auto (what the system supports), require (all of it) or off. (default: LIVEPHOTO_SANDBOX, or auto)",
            valueName: "mode"),
        completion: .words(of: SandboxMode.self))
    var sandbox: String?

    @Option(.timeout) var timeout: String?
    @Option(.memory) var memoryLimit: String?

    /// Environment variable that sets the mode for all calls, such as those of a service.
    static let sandboxVariable = "LIVEPHOTO_SANDBOX"

    /// The time limit of each file or pair that was given on the command line.
    ///
    /// - Throws: `UsageError`.
    var timeLimit: TimeLimit? {
        get throws { try value(timeout, of: "--timeout") }
    }

    /// - Throws: `UsageError`.
    func worker(_ logging: LoggingOptions? = nil) throws -> MediaWorker {
        var worker = MediaWorker()
        worker.isVerbose = logging?.verbose ?? false
        worker.timeout = try timeLimit
        worker.memoryLimit = try value(memoryLimit, of: "--memory-limit")
        worker.sandbox =
            try value(sandbox, of: "--sandbox") ?? value(
                CurrentProcess.environment[Self.sandboxVariable], of: Self.sandboxVariable)
            ?? .auto
        return worker
    }

    /// - Throws: `UsageError`.
    func engine(_ logging: LoggingOptions? = nil) throws -> MediaEngine { try worker(logging).engine }
}

/// A command that decodes.
protocol WorkerCommand: ParsableCommand {
    var workerOptions: WorkerOptions { get }
    /// Why nothing is decoded, so that limits of decoders make no sense on the command line; those of the user's configuration
    /// have no effect then. Nil if something may be decoded.
    var reasonNotToDecode: String? { get }
}

extension WorkerCommand {
    var reasonNotToDecode: String? { nil }
}
