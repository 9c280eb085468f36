import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

extension FileDescriptor {
    /// Copies a part of another file to where this one is written next, in the kernel: copy_file_range(2). A file system
    /// that can share blocks between files does that instead.
    ///
    /// - Returns: how many bytes were copied, which may be fewer; nil where these two files cannot be copied so.
    /// - Throws: `Errno`, such as `.noSpace`.
    func copyRange(at offset: Int, count: Int, of source: FileDescriptor) throws(Errno) -> Int? {
        #if canImport(Glibc)
            guard let copyFileRange else { return nil }
            while true {
                var place = Int64(offset)
                let copied = copyFileRange(source.rawValue, &place, rawValue, nil, count, 0)
                // Some file systems that cannot do it say that there is nothing to copy.
                if copied >= 0 { return copied == 0 ? nil : copied }
                switch errno {
                case EINTR: continue
                case EXDEV, ENOSYS, EINVAL, EOPNOTSUPP, EPERM, EBADF: return nil
                default: throw Errno(rawValue: errno)
                }
            }
        #else
            return nil
        #endif
    }
}

#if canImport(Glibc)
    private typealias CopyFileRange =
        @convention(c) (
            CInt, UnsafeMutablePointer<Int64>?, CInt, UnsafeMutablePointer<Int64>?, Int, CUnsignedInt
        ) -> Int

    /// glibc declares it only for those who define `_GNU_SOURCE`, which Swift's module of it does not.
    private let copyFileRange = dlsym(nil, "copy_file_range").map { unsafeBitCast($0, to: CopyFileRange.self) }
#endif
