import LivePhotoConversion
import Logging
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
/// Nothing of a clip or a photo is read before the process is locked in.
@main
struct Main {
    static func main() {
        // A file that may not grow and a pipe that is closed: the write fails with an error instead of a signal.
        signal(SIGXFSZ, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        let connection = Connection()
        do {
            let line = try connection.readOrder()
            guard let version = try? JSONLine.decode(OrderVersion.self, from: line).version else {
                throw LivePhotoError(.invalidRequest, nil, "livephoto-media is a part of livephoto, which starts it")
            }
            guard version == ProgramVersion.current else {
                connection.say(.otherVersion(ProgramVersion.current))
                _exit(LivePhotoError.Code.missingLibrary.exitStatus)
            }
            let order = try JSONLine.decode(WorkerOrder.self, from: line)
            LoggingSystem.bootstrap { label in
                var handler = StreamLogHandler.standardError(label: label)
                handler.logLevel = order.isVerbose ? .trace : .debug
                return handler
            }
            let task = try OpenTask(order.task)
            ConversionEnvironment.loadPlugins()
            order.limits.apply()
            let sandbox = try Self.lock(order.sandbox)
            try connection.endWithFront()
            connection.say(try task.run(order.limits, sandbox) { connection.say($0) })
            _exit(0)
        } catch {
            let error = Self.explained(error)
            connection.say(WorkerEvent(error))
            _exit(error.code.exitStatus)
        }
    }

    /// Enters the sandbox.
    ///
    /// - Throws: `LivePhotoError` where it would not be whole, and has to be.
    private static func lock(_ mode: SandboxMode) throws(LivePhotoError) -> SandboxReport? {
        guard mode != .off else { return nil }
        let entered = WorkerSandbox.enter()
        let report = SandboxReport(landlock: entered.landlock, seccomp: entered.seccomp)
        guard report.isWhole || mode != .require else {
            throw LivePhotoError(
                .missingLibrary, nil,
                "this system cannot sandbox the decoders (\(report)); --sandbox auto works without the missing parts")
        }
        return report
    }

    private static func explained(_ error: any Error) -> LivePhotoError {
        // The process has reached its limit; the machine is not out of memory, so trying again would not help.
        if let error = error as? LivePhotoError, error.code == .temporary, let limit = WorkerLimits.memoryInForce {
            return LivePhotoError(
                .unusableMedia, error.file,
                "needs more memory than it may take (\(limit >> 20) MB)")
        }
        return switch error {
        case let error as LivePhotoError: error
        default: LivePhotoError(.internalFault, nil, "internal error: \(error)", cause: error)
        }
    }
}

/// The part of an order that is the same in all versions.
private struct OrderVersion: Decodable {
    let version: String
}
