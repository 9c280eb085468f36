import Logging

/// Writes log messages of libraries to stderr as other lines: in place of a bar, and as JSON with `--log-format json`.
struct TerminalLogHandler: LogHandler {
    let label: String
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    init(label: String, _ level: Logger.Level) { (self.label, logLevel) = (label, level) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if Terminal.isJSON {
            Terminal.write(
                LogLine<NoProgress>(level: event.level >= .error ? "error" : "debug", message: "\(event.message)"))
        } else {
            Terminal.say("\(event.level) \(label): \(event.message)")
        }
    }
}
