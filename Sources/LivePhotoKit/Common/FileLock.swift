package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps other runs of ours from changing the same file or folder, as long as it lives: flock(2). The end of the process
/// ends it too.
package final class FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// Where there are no locks, as on some network file systems, it holds nobody off.
    ///
    /// - Parameters:
    ///   - writing: whether the file has to be one that can be changed.
    ///   - creating: whether the file is created where it is missing.
    /// - Throws: `LivePhotoError` with the code `.temporary` while another has it; also for what cannot be opened.
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
        /// Another open file has it.
        case held
        /// The file system has no locks for this.
        case unsupported
    }

    /// flock(2); it ends when the descriptor is closed, also by the end of the process.
    ///
    /// - Parameter shared: whether others may have it too, if they share it; else this has it alone.
    package func lock(waiting: Bool, shared: Bool = false) -> LockResult {
        while flock(rawValue, (shared ? LOCK_SH : LOCK_EX) | (waiting ? 0 : LOCK_NB)) != 0 {
            let failure = Errno(rawValue: errno)
            if failure == .wouldBlock { return .held }
            if failure != .interrupted { return .unsupported }
        }
        return .locked
    }
}
