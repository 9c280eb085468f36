import LivePhotoConversion
import Logging
import SystemPackage
import WorkerSandbox

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The worker: reads one order from standard input, carries it out, and reports the result on standard output.
///
/// No byte of a clip or photo is read before the process has entered the sandbox.
@main
struct Main {
    /// In bytes. An order is a preset and some paths, so it has some kilobytes.
    private static let orderLimit = 1 << 24

    static func main() {
        // Writing beyond the file size limit or to a closed pipe then fails with an error instead.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        let connection = Connection()
        do {
            let line = try OrderInput.line(limit: orderLimit)
            guard try OrderInput.version(of: line, for: "livephoto-media") == ProgramVersion.current else {
                connection.report(.otherVersion(ShownText(ProgramVersion.current)))
                _exit(LivePhotoError.Code.missingLibrary.exitStatus)
            }
            let order = try JSON.decode(WorkerOrder.self, from: line)
            LoggingSystem.bootstrap { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = order.isVerbose ? .trace : .debug
                return handler
            }
            let work = try OpenWork(
                order.work, into: order.outputs.map(\.path), memory: order.limits.memory, CancellationFlag())
            ConversionEnvironment.loadPlugins()
            order.limits.apply(makesPlan: order.work.encodesByPlan)
            let sandbox = try Self.enterSandbox(order.sandbox)
            try endWithParent()
            let progress = ProgressSchedule { connection.report(.progress($0)) }
            var result = try work.run(onPlans: order.limits.apply) { progress.report($0) }
            if case .environment(var environment) = result {
                environment.sandbox = sandbox
                result = .environment(environment)
            }
            connection.report(.result(result))
            _exit(0)
        } catch {
            let error = Self.explained(error)
            connection.report(.failure(ReportedError(error)))
            _exit(error.code.exitStatus)
        }
    }

    /// - Throws: `LivePhotoError` if the mode is `require` and a part of the sandbox is not available.
    private static func enterSandbox(_ mode: SandboxMode) throws(LivePhotoError) -> SandboxReport? {
        guard mode != .off else { return nil }
        let entered = WorkerSandbox.enter(threads: WorkerLimits.threads)
        let report = SandboxReport(landlock: entered.landlock, seccomp: entered.seccomp)
        guard report.isComplete || mode != .require else {
            throw LivePhotoError(
                .missingLibrary, nil,
                "this system cannot sandbox the decoders (\(report)); --sandbox auto works without the missing parts")
        }
        return report
    }

    /// Ends this process when the program that started it closes standard input or ends.
    private static func endWithParent() throws {
        _ = try WorkerThread {
            OrderInput.waitForEnd()
            _exit(LivePhotoError.Code.temporary.exitStatus)
        }
    }

    private static func explained(_ error: any Error) -> LivePhotoError {
        // The process reached its memory limit, so a retry would not help.
        if let error = error as? LivePhotoError, error.code == .temporary, let limit = WorkerLimits.currentMemory {
            return LivePhotoError(
                .unusableMedia, error.file,
                "needs more memory than the limit of \(limit >> 20) MB")
        }
        return switch error {
        case let error as LivePhotoError: error
        default: LivePhotoError(.internalError, nil, "internal error: \(error)", cause: error)
        }
    }
}
