import LivePhotoRequests
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
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Width of the terminal in columns.
    static var columns: Int { columns(of: STDERR_FILENO) ?? 80 }

    /// Width of the terminal on stdout; nil if stdout is not a terminal.
    static var columnsOfOutput: Int? { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Prints a result.
    static func print(_ text: String, terminator: String = "\n") throws(LivePhotoError) {
        do {
            _ = try FileDescriptor.standardOutput.writeAll((text + terminator).utf8)
        } catch {
            throw LivePhotoError(.inputOutput, nil, "cannot print the result: \(error)", cause: error)
        }
    }

    /// Writes a line to stderr with control characters escaped, so that text from files cannot control the terminal.
    static func say(_ line: String) { write(printable(line) + "\n") }

    static func write(_ text: String) {
        // A closed stderr must not stop the work.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }

    static func endProcess(_ status: Int32) -> Never { exit(status) }
}
