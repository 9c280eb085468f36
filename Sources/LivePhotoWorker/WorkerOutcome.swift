package import LivePhotoKit
import LivePhotoRequests
import Subprocess

/// How a process of the worker ended.
enum WorkerOutcome: Sendable {
    case ended(WorkerEvent?, TerminationStatus, lastWords: [String])
    case cancelled
    case timedOut
    case wroteTooMuch
    case couldNotBeStarted(String)
}

/// Why a process of the worker gave no result.
package struct WorkerFailure: Error {
    package let error: LivePhotoError
    /// The signal that ended it: `SIGSEGV`.
    package var signal: String?
    /// The last lines that it wrote to standard error.
    package var lastWords: [String] = []
    /// Whether a retry may succeed, although the error's code is not `temporary`.
    package var mayBeTemporary = false
}

extension WorkerOutcome {
    /// The worker's last event.
    ///
    /// - Parameters:
    ///   - file: the file to name in errors.
    ///   - timeout: the time limit that applied.
    func answer(
        about file: FilePath?, timeout: Duration?, _ program: FilePath
    ) throws(WorkerFailure) -> WorkerEvent {
        switch self {
        case .ended(.failure(let code, let file, let reason, let cause), _, let words):
            // Only this program cancels tasks.
            let code = code.general == .cancelled ? .internalError : code
            throw WorkerFailure(
                error: LivePhotoError(code, file?.path, reason, cause: cause.map { WorkerCause($0) }), lastWords: words)
        case .ended(.otherVersion(let version), _, _):
            throw WorkerFailure(
                error: LivePhotoError(
                    .missingLibrary, program,
                    "is of version \(version), and this program of \(ProgramVersion.current); reinstall livephoto"))
        case .ended(let event?, _, _): return event
        case .ended(nil, let status, let words):
            throw WorkerFailure(
                error: Self.error(status, words, about: file, program), signal: Self.signal(status), lastWords: words)
        case .cancelled: throw WorkerFailure(error: LivePhotoError(.cancelled, nil, "stopped"))
        case .timedOut:
            let limit = timeout.map { "\($0)" } ?? "it may"
            throw WorkerFailure(
                error: LivePhotoError(.unusableMedia, file, "took longer than \(limit) and was stopped"),
                mayBeTemporary: true)
        case .wroteTooMuch:
            throw WorkerFailure(
                error: LivePhotoError(.internalError, file, "\(program) wrote more output than allowed and was stopped")
            )
        case .couldNotBeStarted(let reason):
            let isInstalled = WorkerProgram.isExecutable(program)
            throw WorkerFailure(
                error: LivePhotoError(
                    isInstalled ? .temporary : .missingLibrary, nil, "\(program) could not be started: \(reason)"))
        }
    }

    /// The error for a process that ended without a result.
    private static func error(
        _ status: TerminationStatus, _ words: [String], about file: FilePath?, _ program: FilePath
    ) -> LivePhotoError {
        switch status {
        case .exited(127):
            // The status and message are those of the dynamic loader.
            let reason = words.last?.replacing("\(program): ", with: "") ?? "no reason is known"
            return LivePhotoError(
                .missingLibrary, program, "cannot be loaded: \(reason); install the library, or reinstall livephoto")
        case .exited(let code):
            return LivePhotoError(.internalError, file, "\(program) ended with status \(code), without a result")
        case .signaled(9), .signaled(15):
            return LivePhotoError(
                .temporary, file,
                "the system killed the decoder (\(signalName(status))), perhaps because memory ran out; try again")
        case .signaled(24):
            return LivePhotoError(.unusableMedia, file, "takes more processor time than it may")
        case .signaled:
            return LivePhotoError(
                .unusableMedia, file,
                "made its decoder crash (\(signalName(status))); it is damaged or malicious")
        }
    }

    private static func signal(_ status: TerminationStatus) -> String? {
        if case .signaled = status { signalName(status) } else { nil }
    }

    /// `SIGSEGV`, or `signal 40`.
    private static func signalName(_ status: TerminationStatus) -> String {
        guard case .signaled(let number) = status else { return "" }
        let names: [Int32: String] = [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
            9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
        ]
        return names[number] ?? "signal \(number)"
    }
}
