package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// When a file was last read and last changed, which swift-system does not set.
package struct FileTimes: Sendable {
    private let access: timespec
    private let modification: timespec

    /// Those of a file.
    ///
    /// - Throws: `Errno` of stat(2).
    package init(of path: FilePath) throws(Errno) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
        #if canImport(Darwin)
            (access, modification) = (status.st_atimespec, status.st_mtimespec)
        #else
            (access, modification) = (status.st_atim, status.st_mtim)
        #endif
    }

    private init(_ time: timespec) {
        (access, modification) = (time, time)
    }

    package var modifiedNanosecondsSince1970: Int64 {
        Int64(modification.tv_sec) * 1_000_000_000 + Int64(modification.tv_nsec)
    }

    /// - Throws: `Errno` of utimensat(2).
    package func set(_ path: FilePath) throws(Errno) {
        let result = path.withPlatformString { utimensat(AT_FDCWD, $0, [access, modification], 0) }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// - Throws: `Errno` of utimensat(2).
    package static func set(_ path: FilePath, secondsSince1970 seconds: Int64) throws(Errno) {
        try FileTimes(timespec(tv_sec: time_t(seconds), tv_nsec: 0)).set(path)
    }
}
