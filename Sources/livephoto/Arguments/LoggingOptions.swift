import ArgumentParser
import Logging

/// Output beyond results, warnings and errors.
struct LoggingOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Print the causes of errors, and the log messages of FFmpeg's libraries.")
    var verbose = false

    @Option(
        help: ArgumentHelp(
            "How to write lines on stderr: text, or json (an object for each line). (default: text)", valueName: "form")
    )
    var logFormat: LogFormat?

    /// Call this before the first use of a library that logs.
    func apply() {
        if let logFormat { Terminal.use(logFormat) }
        if verbose { Failure.showCauses() }
        Self.apply(verbose ? .trace : .error)
    }

    static func apply(_ level: Logger.Level) {
        LoggingSystem.bootstrap { TerminalLogHandler(label: $0, level) }
    }
}

extension LogFormat: ExpressibleByArgument {}
