package import Bytes
import Synchronization
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
    /// Nil once it is closed.
    private let file: Mutex<InputFile?>

    /// Opens and locks the file that a command names. On a file system without locks, such as some network file systems,
    /// this has no effect.
    ///
    /// - Parameter writing: Whether the file must be writable.
    /// - Throws: `LivePhotoError` with the code `.temporary` while another run has the lock; also if the file cannot be
    ///   opened.
    package convenience init(_ path: FilePath, writing: Bool = false) throws(LivePhotoError) {
        let file: InputFile
        do {
            file = try InputFile(
                FileDescriptor.open(path, writing ? .readWrite : .readOnly, options: [.closeOnExec, .nonBlocking]),
                path: path)
        } catch Errno.noSuchFileOrDirectory where writing {
            throw LivePhotoError(reading: path, Errno.noSuchFileOrDirectory)
        } catch let error as Errno where writing && error != .isDirectory {
            throw LivePhotoError(
                .cannotCreateOutput, path, "cannot be changed in place: \(error); make a copy with --output",
                cause: error)
        } catch {
            throw LivePhotoError(reading: path, error)
        }
        try self.init(file)
        // Another run may have replaced the file in between.
        guard (try? Stat(file.descriptor)).map({ FileIdentity($0) }) == FileIdentity(path, followingLink: true) else {
            throw Self.isHeld(path)
        }
    }

    /// Opens and locks the file of a name.
    ///
    /// - Throws: As `FolderEntry.open`; `LivePhotoError` with the code `.temporary` while another run has the lock.
    package convenience init(_ place: FolderEntry) throws {
        // NFS gives exclusive locks only on files that are open for writing.
        let file = try (try? place.open(writing: true)) ?? place.open()
        try self.init(file)
        // Another run may have replaced the file in between.
        guard try FileIdentity(file.status()) == place.identity else { throw Self.isHeld(place.path) }
    }

    /// Locks a file as long as both this and the file are in use.
    ///
    /// - Throws: `LivePhotoError` with the code `.temporary` while another run has the lock.
    package init(_ file: InputFile) throws(LivePhotoError) {
        self.file = Mutex(file)
        // For a moment, a process that is being started has all open files of this one, and with them their locks.
        for _ in 0..<Self.attempts {
            guard case .held = file.descriptor.lock(waiting: false) else { return }
            Self.pause()
        }
        throw Self.isHeld(file.path)
    }

    private static let attempts = 10

    /// Waits until another attempt to lock a file makes sense.
    package static func pause() { usleep(10_000) }

    /// Ends the lock now. What has a reference to this may live longer, such as a task that has just ended.
    package func release() {
        file.withLock { file in
            if let file { _ = flock(file.descriptor.rawValue, LOCK_UN) }
        }
    }

    /// Ends the lock and closes the file, which is about to be removed.
    package func close() {
        file.withLock { $0 = nil }
    }

    package static func isHeld(_ path: FilePath) -> LivePhotoError {
        LivePhotoError(
            .temporary, path, "is being changed by another run of livephoto; try again when that has ended")
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
