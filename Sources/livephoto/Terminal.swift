import LivePhotoRequests
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is for people goes to stderr; stdout carries results only.
enum Terminal {
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Width of the terminal in columns.
    static var columns: Int { columns(of: STDERR_FILENO) ?? 80 }

    /// Where results are printed; nil where that is no terminal.
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

    /// Says one line to the person at the terminal. What files are named and hold cannot steer it.
    static func say(_ line: String) { write(printable(line) + "\n") }

    static func write(_ text: String) {
        // A closed stderr must not end the work.
        _ = try? FileDescriptor.standardError.writeAll(text.utf8)
    }

    static func exit(_ status: Int32) -> Never {
        fflush(nil)
        #if canImport(Glibc)
            Glibc.exit(status)
        #elseif canImport(Musl)
            Musl.exit(status)
        #else
            Darwin.exit(status)
        #endif
    }
}
