package import SystemPackage

#if canImport(Glibc)
    import CFileSystem
    import Glibc
#elseif canImport(Musl)
    import CFileSystem
    import Musl
#endif

/// A file without a name (`O_TMPFILE` of open(2)). Until it gets one, it disappears when it is closed, even if the process
/// is killed. `deinit` closes it.
package final class UnnamedFile: Sendable {
    /// Where this and other processes of this user can open the file.
    package let path: FilePath
    private let descriptor: FileDescriptor

    /// Creates an empty file.
    ///
    /// - Parameter folder: A folder in the file system that is to have the file.
    /// - Returns: Nil where there are no such files: on network file systems and some others, and without proc(5).
    /// - Throws: `Errno` of open(2), such as `.permissionDenied`.
    package init?(in folder: FilePath) throws {
        #if canImport(Darwin)
            return nil
        #else
            do {
                descriptor = try FileDescriptor.open(
                    folder, .readWrite, options: [.init(rawValue: unnamedFileOption), .closeOnExec],
                    permissions: [.ownerReadWrite, .groupRead, .otherRead])
            } catch Errno.notSupported, Errno.isDirectory, Errno.invalidArgument {
                return nil
            }
            path = descriptor.pathForOtherProcesses
            guard let file = try? path.stat(), let own = try? descriptor.stat(), file.inode == own.inode else {
                try? descriptor.close()
                return nil
            }
        #endif
    }

    deinit {
        try? descriptor.close()
    }

    #if !canImport(Darwin)
        /// Gives the file a name in the same file system: linkat(2). An existing file of that name is an error.
        package func addName(_ name: FilePath) throws(Errno) {
            let failure = path.withPlatformString { path in
                name.withPlatformString { name -> Errno? in
                    linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? nil : Errno(rawValue: errno)
                }
            }
            if let failure { throw failure }
        }
    #endif
}
