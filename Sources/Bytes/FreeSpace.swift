package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The free space of a file system for ordinary users: statvfs(3).
package enum FreeSpace {
    /// In bytes; nil if unknown.
    package static func bytes(at path: FilePath) -> Int? {
        var status = statvfs()
        guard path.withPlatformString({ statvfs($0, &status) }) == 0 else { return nil }
        return bytes(blocks: UInt64(status.f_bavail), ofSize: UInt64(status.f_frsize))
    }

    static func bytes(of file: FileDescriptor) -> Int? {
        var status = statvfs()
        guard fstatvfs(file.rawValue, &status) == 0 else { return nil }
        return bytes(blocks: UInt64(status.f_bavail), ofSize: UInt64(status.f_frsize))
    }

    /// Network file systems report any numbers, so the product may be larger than any integer.
    package static func bytes(blocks: UInt64, ofSize size: UInt64) -> Int {
        let (product, isTooLarge) = blocks.multipliedReportingOverflow(by: size)
        return isTooLarge ? .max : Int(clamping: product)
    }
}
