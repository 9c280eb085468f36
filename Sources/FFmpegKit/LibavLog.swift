import CFFmpeg
import CFFmpegLog
import Logging
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where libav's log lines go: to swift-log under the label `livephoto.libav`, errors at level debug, others at
/// trace, so that they are hidden by default. The last error of each thread is kept for ``LibavError``.
package enum LibavLog {
    /// Takes over libav's log, once a process, and forgets what earlier work on this thread has left there, which is no
    /// reason for a failure to come. Every owner in this module calls it before its first libav call.
    static func takeOver() {
        _ = isInstalled
        _ = takeLastError()
    }

    private static let isInstalled: Bool = {
        livephoto_log_install(
            { level, source, line in
                LibavLog.receive(level: level, source: String(cString: source), line: String(cString: line))
            }, logger.logLevel <= .trace ? AV_LOG_VERBOSE : AV_LOG_ERROR)
        return true
    }()

    private static let logger = Logger(label: "livephoto.libav")
    /// By thread: libav logs why a call failed on the thread that called.
    private static let lastErrors = Mutex<[UInt: String]>([:])
    /// What a process with many threads may keep at most.
    private static let lastErrorLimit = 64

    /// After these words libav lists all allowed formats, which does not help users.
    private static let listFollows = "Format not on whitelist"

    private static func receive(level: Int32, source: String, line: String) {
        var line = line
        if let found = line.firstRange(of: listFollows) { line.removeSubrange(found.upperBound...) }
        logger.log(level: level <= AV_LOG_ERROR ? .debug : .trace, "\(source): \(line)")
        guard level <= AV_LOG_ERROR else { return }
        lastErrors.withLock { lines in
            if lines.count >= lastErrorLimit { lines.removeAll() }
            lines[currentThread] = "\(source): \(line)"
        }
    }

    /// The last error line that this thread's calls have logged, which is then forgotten.
    static func takeLastError() -> String? {
        lastErrors.withLock { $0.removeValue(forKey: currentThread) }
    }

    private static var currentThread: UInt {
        #if canImport(Darwin)
            UInt(bitPattern: pthread_self())
        #else
            UInt(pthread_self())
        #endif
    }
}
