import ArgumentParser
import LivePhotoKit
import LivePhotoRequests
import Synchronization
import SystemPackage

/// Ends the program after an error: one sentence on stderr, and an exit status of sysexits.h.
struct Failure {
    private let lines: [Line]
    private let status: Int32
    /// Whether a command that only prints could not do so, because nobody reads what it prints.
    private var isBrokenPipe = false

    init(_ error: any Error) {
        switch error {
        case let error as UsageError:
            lines =
                [Line("error: \(error.message)", LivePhotoError.Code.invalidRequest)]
                + [error.hint].compactMap(\.self).map { Line($0) }
            status = 64
        case let error as LivePhotoError:
            isBrokenPipe = (error.cause as? Errno) == .brokenPipe && error.file == nil
            let causes = Self.showsCauses.load(ordering: .relaxed) ? Self.causes(of: error) : []
            lines = [Line(Self.sentence(error), error.code, error.file)] + causes.map { Line($0) }
            status = error.code.exitStatus
        case let error as Stopped:
            lines = [Line("stopped; \(error.note)", .cancelled)]
            status = 128 + error.signal
        case let error as ExitCode:
            lines = []
            status = error.rawValue
        default:
            let known = LivePhotoError.interruption(of: nil, error)
            lines = [Line("error: \(known.map { "\($0)" } ?? "\(error)")", known?.code ?? .internalError, known?.file)]
            status = known?.code.exitStatus ?? 70
        }
    }

    private struct Line {
        let text: String
        let code: LivePhotoError.Code?
        let file: FilePath?

        init(_ text: String, _ code: LivePhotoError.Code? = nil, _ file: FilePath? = nil) {
            (self.text, self.code, self.file) = (text, code, file)
        }
    }

    private static let showsCauses = Atomic(false)

    /// Prints from now on also the errors that led to an error.
    static func showCauses() { showsCauses.store(true, ordering: .relaxed) }

    private static func causes(of error: LivePhotoError) -> [String] {
        guard let cause = error.cause else { return [] }
        return ["caused by: \(String(reflecting: cause))"] + ((cause as? LivePhotoError).map(causes) ?? [])
    }

    /// What is printed.
    var text: String { lines.map(\.text).joined(separator: "\n") }

    func exit() -> Never {
        if isBrokenPipe { Terminal.endByBrokenPipe() }
        for line in lines { Terminal.say(line.text, code: line.code?.general.rawValue, file: line.file?.string) }
        Terminal.endProcess(status)
    }

    /// `error: beach.mp4: no such file`
    ///
    /// - Parameter isOfSeveral: whether other files were given too, so that --name cannot be used.
    static func sentence(_ error: LivePhotoError, ofSeveral isOfSeveral: Bool = false) -> String {
        let isMissing = (error.cause as? Errno) == .noSuchFileOrDirectory
        let advice = isMissing ? error.file.map(MissingFile.advice) ?? "" : ""
        return "error: \(error)\(advice)\(remedy(for: error.code, isOfSeveral))"
    }

    /// Options of this program that the library's error cannot mention.
    private static func remedy(for code: LivePhotoError.Code, _ isOfSeveral: Bool) -> String {
        switch code {
        case .outputExists: "; use --force to replace it, or another \(isOfSeveral ? "folder with --output" : "name")"
        case .differentPairs: "; --force links them anyway"
        case .stillOutside: "; --still TIME sets another one"
        case .notLinked: "; --force unlinks them anyway"
        default: ""
        }
    }
}

extension Terminal {
    /// Writes the sentence of an error to stderr.
    ///
    /// - Parameter isOfSeveral: whether other files were given too, so that --name cannot be used.
    static func say(error: LivePhotoError, ofSeveral isOfSeveral: Bool = false) {
        say(
            Failure.sentence(error, ofSeveral: isOfSeveral), code: error.code.general.rawValue,
            file: error.file?.string)
    }
}

/// A signal stopped the work.
struct Stopped: Error {
    let signal: Int32
    /// What was done, or how to continue.
    let note: String
}
