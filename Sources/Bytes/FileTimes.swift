package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Access and modification times of files, which swift-system does not set.
package enum FileTimes {
    /// - Throws: `Errno` of utimensat(2).
    package static func set(_ path: FilePath, secondsSince1970 seconds: Int64) throws(Errno) {
        let time = timespec(tv_sec: time_t(seconds), tv_nsec: 0)
        let result = path.withPlatformString { utimensat(AT_FDCWD, $0, [time, time], 0) }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }
}
