import LivePhotoKit
import LivePhotoRequests
import Subprocess
import SystemPackage

/// How a process of the worker ended.
enum WorkerOutcome: Sendable {
    case ended(WorkerEvent?, TerminationStatus, lastWords: [String])
    case cancelled
    case timedOut
    case wroteTooMuch
    case gaveInvalidAnswer
    case couldNotBeStarted(String)
}

/// The cause of an error: how a process of the worker ended without a result.
package struct WorkerEnd: Error, CustomDebugStringConvertible {
    /// The cause that the process reported, in words.
    fileprivate var reported: String?
    /// The signal that ended it: `SIGSEGV`.
    package fileprivate(set) var signal: String?
    /// The last lines that it wrote to standard error.
    package fileprivate(set) var lastWords: [String] = []
    /// Whether a retry may succeed, although the error's code is not `temporary`.
    package fileprivate(set) var mayBeTemporary = false

    package var debugDescription: String {
        reported ?? signal.map { "the process ended by \($0)" } ?? "the process gave no result"
    }
}

extension WorkerOutcome {
    /// The result of the work.
    ///
    /// - Parameters:
    ///   - outputs: the files that were to be written.
    ///   - timeout: the time limit that applied.
    /// - Throws: `LivePhotoError`, with a `WorkerEnd` as its cause if the process failed.
    func result(
        of work: Work, into outputs: [FilePath], timeout: Duration?, _ program: FilePath
    ) throws(LivePhotoError) -> WorkResult {
        let file = work.subject
        switch self {
        case .ended(.result(let result), _, _): return result
        case .ended(.failure(let reported), _, let words):
            // Only this program cancels tasks.
            let code = reported.code.general == .cancelled ? .internalError : reported.code
            // The error concerns a file of the work, or none.
            let known = work.files.union(outputs)
            let path = reported.file.map { known.contains($0.path) ? $0.path : file } ?? nil
            throw LivePhotoError(
                code, path, reported.reason, cause: WorkerEnd(reported: reported.cause, lastWords: words))
        case .ended(.otherVersion(let version), _, _):
            throw LivePhotoError(
                .missingWorker, program,
                "is of version \(version.text), and this program of \(ProgramVersion.current); reinstall livephoto")
        case .ended(.progress, _, _), .gaveInvalidAnswer:
            throw LivePhotoError(
                .internalError, file,
                "\(program) gave an answer with impossible values, which a damaged or malicious file may cause")
        case .ended(nil, let status, let words):
            let error = Self.error(status, words, about: file, program)
            throw LivePhotoError(
                error.code, error.file, error.reason, cause: WorkerEnd(signal: Self.signal(status), lastWords: words))
        case .cancelled: throw LivePhotoError(.cancelled, nil, "stopped")
        case .timedOut:
            let limit = timeout.map { "\($0)" } ?? "it may"
            throw LivePhotoError(
                .unusableMedia, file, "took longer than \(limit) and was stopped",
                cause: WorkerEnd(mayBeTemporary: true))
        case .wroteTooMuch:
            throw LivePhotoError(.internalError, file, "\(program) wrote more output than allowed and was stopped")
        case .couldNotBeStarted(let reason):
            let isInstalled = HelperProgram.isExecutable(program)
            throw LivePhotoError(
                isInstalled ? .temporary : .missingWorker, nil,
                isInstalled
                    ? "\(program) could not be started: \(reason)"
                    : "\(program) does not exist or cannot be executed, and nothing can be decoded without it; reinstall "
                        + "livephoto")
        }
    }

    /// The error for a process that ended without a result.
    private static func error(
        _ status: TerminationStatus, _ words: [String], about file: FilePath?, _ program: FilePath
    ) -> LivePhotoError {
        if let error = loaderError(status, words, program) { return error }
        switch status {
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

    /// The error for a program that cannot be loaded without a library; nil if that is not why it ended.
    static func loaderError(_ status: TerminationStatus, _ words: [String], _ program: FilePath) -> LivePhotoError? {
        guard case .exited(127) = status, let words = words.first(where: isLoaderMessage) else { return nil }
        let reason = words.replacing("\(program): ", with: "")
        return LivePhotoError(
            .missingLibrary, program, "cannot be loaded: \(reason); install the library, or reinstall livephoto")
    }

    /// Whether the dynamic loader of glibc or musl has written it.
    private static func isLoaderMessage(_ line: String) -> Bool {
        [
            "error while loading shared libraries", "rror loading shared library", "symbol lookup error",
            "rror relocating",
        ]
        .contains { line.contains($0) }
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
