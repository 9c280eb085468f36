import ArgumentParser
import Logging

/// What is said beyond results, warnings and errors.
struct LoggingOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Show what libav logs.")
    var verbose = false

    /// Before the first use of a library that logs.
    func apply() {
        let level: Logger.Level = verbose ? .debug : .error
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
    }
}
