#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The streams that a program is started with.
enum StandardStreams {
    /// Puts a file in the place of each stream that is closed. Otherwise a file that is opened later could get its number, and
    /// results would be written to that. Reading the one for standard input fails, and so does writing to the others.
    static func occupy() {
        for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) < 0 {
            // The lowest free number is this one, as those below it are open.
            _ = open("/dev/null", mode)
        }
    }
}
