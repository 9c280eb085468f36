import LivePhotoRequests
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Prints results on stdout and everything else on stderr.
enum Terminal {
    /// Whether stderr is a terminal.
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }
    /// Whether stdout is a terminal.
    static var isOutputInteractive: Bool { isatty(STDOUT_FILENO) == 1 }
    /// Whether stdin is a terminal.
    static var isInputInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// Whether stderr is a terminal that understands escape sequences.
    static let isCapable = isInteractive && !["", "dumb"].contains(CurrentProcess.environment["TERM"] ?? "")

    /// Width of the terminal in columns.
    static var columns: Int { columns(of: STDERR_FILENO) ?? 80 }

    /// Width of the terminal on stdout; nil if stdout is not a terminal.
    static var columnsOfOutput: Int? { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The first error of `printResult`.
    private static let failure = Mutex<LivePhotoError?>(nil)

    /// Prints the result of work that is done. If that fails, the command goes on, and the program ends with the error.
    static func printResult(_ text: String) {
        do throws(LivePhotoError) {
            try print(text)
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }

    /// Prints lines of the result of work that is done, as `print(lines:)`.
    static func printResult(lines: [String]) {
        do throws(LivePhotoError) {
            try print(lines: lines)
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }

    /// Throws if a result could not be printed.
    static func checkPrinted() throws(LivePhotoError) {
        guard let error = failure.withLock({ $0 }) else { return }
        throw LivePhotoError(error.code, nil, "\(error.reason); the work is done", cause: nil)
    }

    /// Prints lines of a result. On a terminal, control characters are escaped, also the line ends in names of files.
    static func print(lines: [String]) throws(LivePhotoError) {
        try print((isOutputInteractive ? lines.map(printable) : lines).joined(separator: "\n"))
    }

    /// Prints a result. On a terminal, control characters other than line ends are escaped.
    static func print(_ text: String, terminator: String = "\n") throws(LivePhotoError) {
        let isInteractive = isOutputInteractive
        let shown = isInteractive ? printableLines(text) : text
        do {
            func write() throws { _ = try FileDescriptor.standardOutput.writeAll((shown + terminator).utf8) }
            // A bar stays where results go elsewhere.
            guard isInteractive else { return try write() }
            try hasBar.withLock { hasBar in
                if hasBar { writeUnlocked(barEnd) }
                hasBar = false
                try write()
            }
        } catch {
            throw LivePhotoError(.inputOutput, nil, "cannot print the result: \(error)", cause: error)
        }
    }

    /// Writes a line to stderr with control characters escaped, so that text from files cannot control the terminal.
    ///
    /// - Parameters:
    ///   - line: begins with its level, such as `error: `, if it has one.
    ///   - code: what kind of error it is, for lines of JSON, like the file that it is about.
    static func say(_ line: String, code: String? = nil, file: String? = nil) {
        if isJSON {
            write(LogLine(line, code: code, file: file))
        } else {
            write(highlighted(printable(line)) + "\n")
        }
    }

    /// Writes a line of JSON to stderr.
    static func write(_ line: LogLine<some Encodable>) {
        guard let text = try? JSON.text(line) else { return }
        // A terminal would interpret some characters that JSON does not escape.
        write((isInteractive ? printable(text) : text) + "\n")
    }

    private static let writesJSON = Atomic(false)

    /// Whether lines on stderr are JSON.
    static var isJSON: Bool { writesJSON.load(ordering: .relaxed) }

    /// Writes lines on stderr in this format from now on.
    static func use(_ format: LogFormat) { writesJSON.store(format == .json, ordering: .relaxed) }

    static func write(_ text: String) {
        hasBar.withLock { hasBar in
            writeUnlocked((hasBar ? barEnd : "") + text)
            hasBar = false
        }
    }

    private static func writeUnlocked(_ text: String) {
        // A closed stderr must not stop the work.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }

    /// Whether the last line that was written here is a bar, which is erased before the next one.
    private static let hasBar = Mutex(false)
    /// Erases the line (ECMA-48, 8.3.41).
    private static let barEnd = "\r\u{1B}[K"

    /// Writes a line to stderr in place of a bar, without an end.
    static func draw(bar line: String) {
        hasBar.withLock { hasBar in
            writeUnlocked("\r\(line)\u{1B}[K")
            hasBar = true
        }
    }

    static func eraseBar() { write("") }

    static func endProcess(_ status: Int32) -> Never { exit(status) }

    /// Ends the process as a program that leaves SIGPIPE alone, without a message: `livephoto inspect DIR | head`.
    static func endByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        // Threads of libdispatch block signals, so this goes to the process.
        kill(getpid(), SIGPIPE)
        usleep(100_000)
        exit(128 + SIGPIPE)
    }

    private static func printableLines(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { printable(String($0)) }.joined(separator: "\n")
    }

    /// The first words of a line that have a colour: bold red and bold yellow (ECMA-48, 8.3.117).
    private static let colors = ["error:": "1;31", "warning:": "1;33"]

    /// See https://no-color.org.
    private static let usesColors = Atomic(isCapable && (CurrentProcess.environment["NO_COLOR"] ?? "").isEmpty)

    /// Leaves out the colours of errors and warnings from now on.
    static func leaveOutColors() { usesColors.store(false, ordering: .relaxed) }

    private static func highlighted(_ line: String) -> String {
        guard usesColors.load(ordering: .relaxed), let (word, color) = colors.first(where: { line.hasPrefix($0.key) })
        else { return line }
        return "\u{1B}[\(color)m\(word)\u{1B}[m" + line.dropFirst(word.count)
    }
}
