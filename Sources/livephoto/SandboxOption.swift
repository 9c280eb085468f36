import ArgumentParser
import LivePhotoRequests
import LivePhotoWorker

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The option shared by all commands that decode.
struct SandboxOption: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Decode in a process that can do nothing else: auto (as far as the system can), require, off. (default: auto, or LIVEPHOTO_SANDBOX)",
            valueName: "mode"))
    var sandbox: String?

    /// For services, which give it for all calls.
    private static let variable = "LIVEPHOTO_SANDBOX"

    /// - Throws: `UsageError`.
    func worker(_ logging: LoggingOptions? = nil) throws -> MediaWorker {
        var worker = MediaWorker()
        worker.isVerbose = logging?.verbose ?? false
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
