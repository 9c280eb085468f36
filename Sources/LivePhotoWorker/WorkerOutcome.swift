package import LivePhotoKit
import LivePhotoRequests
import Subprocess

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a process of the worker ended.
enum WorkerOutcome: Sendable {
    case ended(WorkerEvent?, TerminationStatus, lastWords: [String])
    case failed(Failure)

    enum Failure: Sendable {
        case cancelled
        case tookTooLong
        case saidTooMuch
        case couldNotBeStarted(String)
    }
}

/// Why a process of the worker gave no result.
package struct WorkerFailure: Error {
    package let error: LivePhotoError
    /// The signal that ended it: `SIGSEGV`.
    package var signal: String?
    /// The last lines on its standard error.
    package var lastWords: [String] = []
    /// Whether another try may succeed, though the error's code does not say so.
    package var mayPass = false
}

extension WorkerOutcome {
    /// The worker's last event.
    ///
    /// - Parameters:
    ///   - file: what the task is about.
    ///   - timeout: the longest that it could take.
    func answer(
        about file: FilePath?, timeout: Duration?, _ program: FilePath
    ) throws(WorkerFailure) -> WorkerEvent {
        switch self {
        case .ended(.failure(let code, let file, let reason, let cause), _, let words):
            // Only this program knows what was cancelled.
            let code = code == .cancelled ? .internalFault : code
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
        case .failed(.cancelled): throw WorkerFailure(error: LivePhotoError(.cancelled, nil, "stopped"))
        case .failed(.tookTooLong):
            let limit = timeout.map { "\($0)" } ?? "it may"
            throw WorkerFailure(
                error: LivePhotoError(.unusableMedia, file, "took longer than \(limit) and was stopped"),
                mayPass: true)
        case .failed(.saidTooMuch):
            throw WorkerFailure(
                error: LivePhotoError(.internalFault, file, "\(program) wrote more output than allowed and was stopped")
            )
        case .failed(.couldNotBeStarted(let reason)):
            let isThere = FileManager.default.isExecutableFile(atPath: program.string)
            throw WorkerFailure(
                error: LivePhotoError(
                    isThere ? .temporary : .missingLibrary, nil, "\(program) could not be started: \(reason)"))
        }
    }

    /// What an end without a result means.
    private static func error(
        _ status: TerminationStatus, _ words: [String], about file: FilePath?, _ program: FilePath
    ) -> LivePhotoError {
        switch status {
        case .exited(127):
            // The status and the words are those of the system's loader.
            let reason = words.last?.replacing("\(program): ", with: "") ?? "no reason is known"
            return LivePhotoError(
                .missingLibrary, program, "cannot be loaded: \(reason); install the library, or reinstall livephoto")
        case .exited(let code):
            return LivePhotoError(.internalFault, file, "\(program) ended with status \(code), without a result")
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
