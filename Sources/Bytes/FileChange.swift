package import SystemPackage

#if canImport(Glibc)
    import CFileSystem
    import Glibc
#elseif canImport(Musl)
    import CFileSystem
    import Musl
#endif

/// One step of changing a file where it stands.
///
/// Changes are values, so that whoever orders them can be tested by stopping after each of them.
package enum FileChange: Sendable, Hashable {
    case write([UInt8], at: Int)
    /// Cuts the file off.
    case truncate(to: Int)
    /// Waits until the disk has all changes before (fsync(2)).
    case synchronize
}

extension FileChange {
    /// Makes the changes, one after the other.
    ///
    /// - Throws: `Errno` of open(2), pwrite(2), ftruncate(2), fsync(2); changes before stay made.
    package static func apply(_ changes: some Sequence<FileChange>, to path: FilePath) throws {
        let descriptor = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
        try descriptor.closeAfter {
            for change in changes {
                switch change {
                case .write(let bytes, let offset): try descriptor.writeAll(toAbsoluteOffset: Int64(offset), bytes)
                case .truncate(let size): try descriptor.resize(to: Int64(size))
                case .synchronize: try descriptor.synchronize()
                }
            }
        }
    }

    /// Has the file system set aside the room that a file needs to grow up to a size, where it can do that: fallocate(2).
    /// The file's size stays.
    ///
    /// - Throws: `Errno` of open(2), fallocate(2): `.noSpace` where there is not enough.
    package static func reserve(upTo size: Int, in path: FilePath) throws {
        #if canImport(Glibc) || canImport(Musl)
            let descriptor = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
            try descriptor.closeAfter {
                let end = Int(try descriptor.seek(offset: 0, from: .end))
                guard end < size else { return }
                while fallocate(descriptor.rawValue, FALLOC_FL_KEEP_SIZE, end, size - end) != 0 {
                    let failure = Errno(rawValue: errno)
                    if failure == .interrupted { continue }
                    // Where it cannot be done, writing shows whether there is room.
                    guard [.noSpace, .diskQuotaExceeded, .fileTooLarge, .ioError].contains(failure) else { return }
                    throw failure
                }
            }
        #endif
    }
}
