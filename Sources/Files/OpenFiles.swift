import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The limit of open files of this process: getrlimit(2), `RLIMIT_NOFILE`.
///
/// No more work is begun than there are descriptors for, and a process is started only while those that it needs are free
/// (`Reserve`).
package enum OpenFiles {
    /// What a job has open at a time: its process, its files, locks and folders.
    private static let neededForJob = 24
    /// Open files that do not belong to a job.
    private static let reserve = 32
    /// More are of no use, and some libraries look at each possible descriptor.
    private static let highest = 1 << 16

    /// The soft limit; nil for none.
    package static var limit: Int? { ResourceLimit.openFiles.soft }

    /// Raises the soft limit to the hard one, as far as it is of use.
    static func raiseLimit() { ResourceLimit.openFiles.raise(toAtMost: highest) }

    static var tooFew: String {
        "too few files can be opened at a time (\(limit.map { "\($0)" } ?? "no limit")); raise the limit with ulimit -n"
    }

    /// The number of jobs that can run at a time, at least 1.
    package static func jobs(atMost count: Int) -> Int {
        max(min(count, limit.map { ($0 - reserve) / neededForJob } ?? count), 1)
    }

    /// Whether so many more files can be opened now.
    static func canOpen(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            opened.append(descriptor)
        }
        return true
    }
}
