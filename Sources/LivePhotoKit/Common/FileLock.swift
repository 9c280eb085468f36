package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Prevents other runs of this program from changing the same file or folder until it is released or the process ends:
/// flock(2).
package final class FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// On a file system without locks, such as some network file systems, this has no effect.
    ///
    /// - Parameters:
    ///   - writing: Whether the file must be writable.
    ///   - creating: Whether to create the file if it is missing.
    /// - Throws: `LivePhotoError` with the code `.temporary` while another run has the lock; also if the file cannot be
    ///   opened.
    init(_ path: FilePath, writing: Bool = false, creating: Bool = false) throws(LivePhotoError) {
        do {
            descriptor = try FileDescriptor.open(
                path, writing || creating ? .readWrite : .readOnly,
                options: creating ? [.closeOnExec, .create, .noFollow] : .closeOnExec,
                permissions: creating ? .ownerReadWrite : nil)
        } catch Errno.noSuchFileOrDirectory where writing {
            throw LivePhotoError(reading: path, Errno.noSuchFileOrDirectory)
        } catch let error as Errno where writing && error != .isDirectory {
            throw LivePhotoError(
                .cannotCreateOutput, path, "cannot be changed in place: \(error); make a copy with --output",
                cause: error)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
        let isHeld = if case .held = descriptor.lock(waiting: false) { true } else { false }
        // Another run may have replaced the file in between.
        let isSame = (try? Stat(descriptor)).map { FileIdentity($0) } == FileIdentity(path, followingLink: true)
        if isHeld || !isSame {
            try? descriptor.close()
            throw LivePhotoError(
                .temporary, path, "is being changed by another run of livephoto; try again when that has ended")
        }
    }

    deinit {
        try? descriptor.close()
    }
}

extension FileDescriptor {
    package enum LockResult {
        case locked
        /// Another open file has the lock.
        case held
        /// The file system does not support locks.
        case unsupported
    }

    /// flock(2). Closing the descriptor, or the end of the process, releases the lock.
    ///
    /// - Parameter shared: Whether others may have a shared lock at the same time.
    package func lock(waiting: Bool, shared: Bool = false) -> LockResult {
        while flock(rawValue, (shared ? LOCK_SH : LOCK_EX) | (waiting ? 0 : LOCK_NB)) != 0 {
            let failure = Errno(rawValue: errno)
            if failure == .wouldBlock { return .held }
            if failure != .interrupted { return .unsupported }
        }
        return .locked
    }
}
