package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file's access and modification times, which swift-system cannot set.
package struct FileTimes: Sendable, Hashable, Codable {
    package struct Time: Sendable, Hashable, Codable {
        package let secondsSince1970: Int
        package let nanoseconds: Int

        package init(secondsSince1970: Int, nanoseconds: Int) {
            (self.secondsSince1970, self.nanoseconds) = (secondsSince1970, nanoseconds)
        }

        /// For comparisons only: modulo 2^64, because Int64 reaches from 1677 to 2262, and times of files further.
        package var nanosecondsSince1970: Int64 { Int64(secondsSince1970) &* 1_000_000_000 &+ Int64(nanoseconds) }
    }

    package let access: Time
    package let modification: Time
}

extension FileTimes {
    /// - Throws: `Errno` of stat(2).
    package init(of path: FilePath) throws(Errno) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
        self.init(status)
    }

    /// - Throws: `Errno` of fstat(2).
    package init(of file: InputFile) throws(Errno) {
        var status = stat()
        guard fstat(file.descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        self.init(status)
    }

    package init(_ status: Stat) { self.init(status.rawValue) }

    private init(_ status: stat) {
        #if canImport(Darwin)
            let (access, modification) = (status.st_atimespec, status.st_mtimespec)
        #else
            let (access, modification) = (status.st_atim, status.st_mtim)
        #endif
        self.init(access: Time(access), modification: Time(modification))
    }

    /// - Throws: `Errno` of futimens(3).
    package func set(_ file: InputFile) throws(Errno) { try set(file.descriptor) }

    /// - Throws: `Errno` of futimens(3).
    package func set(_ file: FileDescriptor) throws(Errno) {
        guard futimens(file.rawValue, [access.timespec, modification.timespec]) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    /// - Throws: `Errno` of utimensat(2).
    package func set(_ path: FilePath) throws(Errno) {
        let result = path.withPlatformString { utimensat(AT_FDCWD, $0, [access.timespec, modification.timespec], 0) }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// - Throws: `Errno` of utimensat(2).
    package static func set(_ path: FilePath, secondsSince1970 seconds: Int64) throws(Errno) {
        let time = Time(secondsSince1970: Int(seconds), nanoseconds: 0)
        try FileTimes(access: time, modification: time).set(path)
    }
}

extension FileTimes.Time {
    init(_ time: timespec) {
        self.init(secondsSince1970: time.tv_sec, nanoseconds: time.tv_nsec)
    }

    fileprivate var timespec: timespec { .init(tv_sec: secondsSince1970, tv_nsec: nanoseconds) }
}
