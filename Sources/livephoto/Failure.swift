import ArgumentParser
import LivePhotoConversion

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How the program ends when something went wrong: one sentence on stderr, and an exit status of sysexits.h.
struct Failure {
    let message: String
    let status: Int32

    init(_ error: any Error) {
        switch error {
        case let error as ConversionError:
            message = "error: \(error)"
            status = Self.status(of: error.code)
        case let error as ConfigurationError:
            message = "error: \(error)"
            status = 64
        case let error as Stopped:
            message = "stopped; nothing was written"
            status = 128 + error.signal
        case let error as ExitCode:
            message = ""
            status = error.rawValue
        default:
            // Usage errors, and what --help and --version print.
            message = LivephotoCommand.fullMessage(for: error)
            status = LivephotoCommand.exitCode(for: error).rawValue
        }
    }

    func exit() -> Never {
        if status == 0 {
            print(message)
        } else if !message.isEmpty {
            Terminal.error(message)
        }
        Terminal.exit(status)
    }

    /// sysexits.h.
    private static func status(of code: ConversionError.Code) -> Int32 {
        switch code {
        case .invalidRequest: 64
        case .unusableMedia: 65
        case .noInput: 66
        case .internalFault: 70
        case .cannotCreateOutput: 73
        case .inputOutput: 74
        case .temporary: 75
        case .cancelled: 130
        }
    }
}

/// A signal ended the work.
struct Stopped: Error {
    let signal: Int32
}
