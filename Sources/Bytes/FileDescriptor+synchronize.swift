package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileDescriptor {
    /// Waits until what was written has reached the disk: fsync(2), which swift-system does not have.
    package func synchronize() throws(Errno) {
        while fsync(rawValue) != 0 {
            let failure = Errno(rawValue: errno)
            if failure != .interrupted { throw failure }
        }
    }
}
