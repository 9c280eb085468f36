package import SystemPackage

#if canImport(Glibc)
    import CFileSystem
    import Glibc
#elseif canImport(Musl)
    import CFileSystem
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Calls missing from swift-system.
extension FileDescriptor {
    /// Where another process of this user can open the file as long as this one has it open: proc(5).
    var pathForOtherProcesses: FilePath { FilePath("/proc/\(getpid())/fd/\(rawValue)") }

    /// Waits until what was written is on the disk: fsync(2).
    package func synchronize() throws(Errno) {
        while fsync(rawValue) != 0 {
            let failure = Errno(rawValue: errno)
            if failure != .interrupted { throw failure }
        }
    }

    /// Shares blocks of another file at the start of this one: ioctl_ficlonerange(2).
    ///
    /// - Returns: False where the file system cannot do that.
    func share(_ range: Range<Int>, of source: FileDescriptor) -> Bool {
        #if canImport(Glibc) || canImport(Musl)
            livephoto_clone_range(rawValue, source.rawValue, UInt64(range.lowerBound), UInt64(range.count)) == 0
        #else
            // APFS shares the blocks of any copy.
            true
        #endif
    }

    /// Whether the file system keeps inode numbers, owners and permissions of its own: fstatfs(2). FAT and exFAT make them up
    /// at each mount, and what servers, virtual machines and FUSE show may be made up too.
    package var isOnFileSystemWithOwners: Bool {
        #if canImport(Darwin)
            return true
        #else
            var status = statfs()
            guard fstatfs(rawValue, &status) == 0 else { return false }
            return !Self.fileSystemsWithoutOwners.contains(UInt32(truncatingIfNeeded: status.f_type))
        #endif
    }

    /// Numbers of file systems in <linux/magic.h> and the kernel's sources: FAT, exFAT, FUSE, SMB (two), CIFS, 9P, VirtualBox.
    private static let fileSystemsWithoutOwners: Set<UInt32> = [
        0x4d44, 0x2011_bab0, 0x6573_5546, 0x517b, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997, 0x786f_4256,
    ]

    /// Moves a file or folder in this folder to a name at which there is nothing, in one step: renameat2(2).
    ///
    /// - Returns: False where the kernel or the file system cannot do that, such as FUSE's exFAT and NFS.
    /// - Throws: `Errno`; `.fileExists` if there is something.
    package func moveExclusively(
        _ name: FilePath, to folder: FileDescriptor, as newName: FilePath
    ) throws(Errno) -> Bool {
        let failure = name.withPlatformString { name in
            newName.withPlatformString { newName -> Errno? in
                #if canImport(Darwin)
                    let result = renameatx_np(rawValue, name, folder.rawValue, newName, UInt32(RENAME_EXCL))
                #else
                    let result = livephoto_move_exclusively(rawValue, name, folder.rawValue, newName)
                #endif
                return result == 0 ? nil : Errno(rawValue: errno)
            }
        }
        guard let failure else { return true }
        guard [.invalidArgument, .noFunction, .notSupported].contains(failure) else { throw failure }
        return false
    }

    /// Copies a part of another file to the current position of this one, in the kernel: copy_file_range(2). A file system
    /// that can share blocks between files does that instead.
    ///
    /// - Returns: The number of bytes copied, possibly fewer than requested; nil if the kernel cannot copy between these
    ///   files.
    /// - Throws: `Errno`, such as `.noSpace`.
    func copyRange(at offset: Int, count: Int, of source: FileDescriptor) throws(Errno) -> Int? {
        #if canImport(Glibc)
            guard let copyFileRange else { return nil }
            while true {
                var place = Int64(offset)
                let copied = copyFileRange(source.rawValue, &place, rawValue, nil, count, 0)
                // Some file systems without support return 0.
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

    /// glibc declares it only with `_GNU_SOURCE`, which Swift's module of it does not define.
    private let copyFileRange = dlsym(nil, "copy_file_range").map { unsafeBitCast($0, to: CopyFileRange.self) }
#endif
