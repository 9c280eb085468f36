import CFFmpeg
import CFFmpegLog
import Logging

/// Redirects libav's log to swift-log under the label `livephoto.libav`, errors at level debug, others at trace, so
/// that they are hidden by default. The errors of each thread are kept for ``LibavError``.
enum LibavLog {
    /// Redirects libav's log on the first call, and discards the last error of earlier work on this thread, which does
    /// not explain later failures. Every owner in this module calls it before its first libav call.
    static func takeOver() {
        _ = isInstalled
        _ = takeErrors()
    }

    private static let isInstalled: Bool = {
        livephoto_log_install(
            { level, source, line in
                LibavLog.logger.log(
                    level: level <= AV_LOG_ERROR ? .debug : .trace,
                    "\(String(cString: source)): \(LibavLog.shortened(String(cString: line)))")
            }, logger.logLevel <= .trace ? AV_LOG_VERBOSE : AV_LOG_ERROR)
        return true
    }()

    private static let logger = Logger(label: "livephoto.libav")

    /// Without the list of all allowed formats that follows these words.
    private static func shortened(_ line: String) -> String {
        line.firstRange(of: "Format not on whitelist").map { String(line[..<$0.upperBound]) } ?? line
    }

    /// Removes the error lines that libav logged on this thread, and returns the first and the last of them.
    static func takeErrors() -> (first: String?, last: String?) {
        var (first, last): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        guard livephoto_log_take_errors(&first, &last) > 0 else { return (nil, nil) }
        return (first.map { shortened(String(cString: $0)) }, last.map { shortened(String(cString: $0)) })
    }
}
