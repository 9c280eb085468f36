import Logging

/// Writes log messages of libraries as lines of `--log-format json`.
struct JSONLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(_ level: Logger.Level) { logLevel = level }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        Terminal.write(
            LogLine<NoProgress>(level: event.level >= .error ? "error" : "debug", message: "\(event.message)"))
    }
}
