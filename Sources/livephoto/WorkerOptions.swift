import ArgumentParser
import LivePhotoRequests
import LivePhotoWorker

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options shared by all commands that decode.
struct WorkerOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Sandbox for decoding: auto (what the system supports), require (all of it) or off. (default: LIVEPHOTO_SANDBOX, or auto)",
            valueName: "mode"))
    var sandbox: String?

    @Option(.timeout) var timeout: String?
    @Option(.memory) var memoryLimit: String?

    /// Lets services set the mode for all calls.
    private static let variable = "LIVEPHOTO_SANDBOX"

    /// - Throws: `UsageError`.
    func worker(_ logging: LoggingOptions? = nil) throws -> MediaWorker {
        var worker = MediaWorker()
        worker.isVerbose = logging?.verbose ?? false
        worker.timeout = try value(timeout, of: "--timeout")
        worker.memoryLimit = try value(memoryLimit, of: "--memory-limit")
        if let mode: SandboxMode = try value(sandbox, of: "--sandbox") {
            worker.sandbox = mode
        } else if let mode: SandboxMode = try value(
            ProcessInfo.processInfo.environment[Self.variable], of: Self.variable)
        {
            worker.sandbox = mode
        }
        return worker
    }
}
