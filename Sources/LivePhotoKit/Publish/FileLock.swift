import SystemPackage

/// Keeps other runs of ours from changing the same file or folder, as long as it lives: flock(2). The end of the process
/// ends it too.
package final class FileLock: Sendable {
    private let descriptor: FileDescriptor

    /// Where there are no locks, as on some network file systems, it holds nobody off.
    ///
    /// - Parameter writing: whether the file has to be one that can be changed.
    /// - Throws: `LivePhotoError` with the code `.temporary` while another has it; also for what cannot be opened.
    init(_ path: FilePath, writing: Bool = false) throws(LivePhotoError) {
        do {
            descriptor = try FileDescriptor.open(path, writing ? .readWrite : .readOnly, options: .closeOnExec)
        } catch Errno.noSuchFileOrDirectory where writing {
            throw LivePhotoError(reading: path, Errno.noSuchFileOrDirectory)
        } catch let error as Errno where writing && error != .isDirectory {
            throw LivePhotoError(
                .cannotCreateOutput, path, "cannot be changed in place: \(error); make a copy with --output")
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
