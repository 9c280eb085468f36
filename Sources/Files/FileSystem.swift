package import Bytes
import FoundationEssentials
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if canImport(Darwin)
    /// `DIR` of <dirent.h>.
    typealias DirectoryStream = UnsafeMutablePointer<DIR>
#else
    /// `DIR` of <dirent.h>.
    typealias DirectoryStream = OpaquePointer
#endif

/// Calls missing from swift-system. A symbolic link at the end of a path is not followed.
package enum FileSystem {
    /// mkdir(2)
    package static func createDirectory(_ path: FilePath, _ permissions: FilePermissions) throws(Errno) {
        try call(path) { mkdir($0, permissions.rawValue) }
    }

    /// rmdir(2): the folder must be empty.
    package static func removeDirectory(_ path: FilePath) throws(Errno) {
        try call(path) { rmdir($0) }
    }

    /// unlink(2)
    package static func removeFile(_ path: FilePath) throws(Errno) {
        try call(path) { unlink($0) }
    }

    /// link(2): a second name of a file. A symbolic link is an error.
    package static func addName(_ name: FilePath, of path: FilePath) throws(Errno) {
        guard try Stat(path, followTargetSymlink: false).type == .regular else { throw .invalidArgument }
        try call(path) { path in name.withPlatformString { link(path, $0) } }
    }

    /// rename(2): a file at `target` is replaced in one step.
    package static func move(_ path: FilePath, to target: FilePath) throws(Errno) {
        try call(path) { path in target.withPlatformString { rename(path, $0) } }
    }

    /// The target of a symbolic link; nil for anything else.
    package static func destination(ofLink path: FilePath) -> FilePath? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path.string)).map { FilePath($0) }
    }

    /// Throws if no files can be created in a folder, according to faccessat(2).
    package static func checkWritable(_ directory: FilePath) throws(Errno) {
        try call(directory) { faccessat(AT_FDCWD, $0, W_OK | X_OK, AT_EACCESS) }
    }

    /// Whether standard input can be read.
    ///
    /// If it was closed when the program started, it may be what the program has put in its place, which cannot be read, or
    /// libdispatch's epoll(7) descriptor, which has no file type.
    package static func isReadable(_ stream: FileDescriptor) -> Bool {
        let types: [FileType] = [.fifo, .socket, .regular, .characterSpecial, .blockSpecial, .directory]
        return (try? stream.stat().type).map(types.contains) == true
            && fcntl(stream.rawValue, F_GETFL) & O_ACCMODE != O_WRONLY
    }

    /// fsync(2) of a file or folder. Some file systems do not support it for folders (`EINVAL`), which is ignored.
    package static func synchronize(_ path: FilePath) throws(Errno) {
        do {
            let descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .noFollow])
            defer { try? descriptor.close() }
            try descriptor.synchronize()
        } catch let error as Errno where error == .invalidArgument {
            return
        } catch {
            throw error as? Errno ?? .ioError
        }
    }

    /// fsync(2) of a file, or of a folder and the files in it.
    static func synchronizeTree(_ path: FilePath) throws(Errno) {
        if try isFolder(path) {
            for name in try names(in: path) { try synchronize(path.appending(name)) }
        }
        try synchronize(path)
    }

    /// Whether there is anything of that name, including a broken link.
    package static func exists(_ path: FilePath) -> Bool { FileIdentity(path) != nil }

    /// Whether it is a folder and not a link to one: lstat(2).
    static func isFolder(_ path: FilePath) throws(Errno) -> Bool {
        try Stat(path, followTargetSymlink: false).type == .directory
    }

    /// Whether two files can be read and have the same content. If the sizes differ, nothing is read.
    package static func haveSameContent(_ path: FilePath, _ other: FilePath) -> Bool {
        guard let file = try? InputFile(path), let second = try? InputFile(other), file.size == second.size else {
            return false
        }
        return (try? file.hasSameBytes(at: 0..<file.size, as: second, at: 0)) ?? false
    }

    /// Creates a private unnamed file, which disappears when it is closed, even if the process is killed.
    ///
    /// - Parameters:
    ///   - size: In bytes, as far as it is known.
    ///   - name: The path for errors; nil for the one that the file had.
    ///   - write: Writes all of it.
    /// - Throws: `Errno`: `.noSpace` without writing if there is not enough; errors of `write`.
    package static func temporaryFile(
        in folder: FilePath, size: Int = 0, named name: FilePath? = nil, _ write: (OutputFile) throws -> Void
    ) throws -> InputFile {
        if let free = FreeSpace.bytes(at: folder), free < size { throw Errno.noSpace }
        let (path, output, descriptor) = try createTemporaryFile(in: folder)
        do {
            try write(output)
            try output.close()
        } catch {
            try? descriptor.close()
            throw error
        }
        return try InputFile(descriptor, path: name ?? path)
    }

    private static let temporaryPrefix = ".livephoto-unpacked-"

    /// Whether a file may be what a run has left that was killed before it had removed the name of a temporary file.
    static func isTemporary(_ name: FilePath.Component) -> Bool {
        guard name.string.hasPrefix(temporaryPrefix) else { return false }
        return UUID(uuidString: String(name.string.dropFirst(temporaryPrefix.count))) != nil
    }

    private static func createTemporaryFile(in folder: FilePath) throws -> (FilePath, OutputFile, FileDescriptor) {
        var attempts = 0
        while true {
            let path = folder.appending(temporaryPrefix + UUID().uuidString)
            let output = try OutputFile(creating: path, permissions: .ownerReadWrite)
            defer { try? removeFile(path) }
            do {
                return (path, output, try FileDescriptor.open(path, .readOnly, options: .closeOnExec))
            } catch Errno.noSuchFileOrDirectory where attempts < 10 {
                // Another run has taken it for a leftover.
                attempts += 1
            }
        }
    }

    /// The names in a folder, without `.` and `..`: readdir(3).
    package static func names(in directory: FilePath) throws(Errno) -> [FilePath.Component] {
        while true {
            if let stream = directory.withPlatformString({ opendir($0) }) { return try names(in: stream) }
            let failure = Errno(rawValue: errno)
            guard failure == .interrupted else { throw failure }
        }
    }

    /// Reads and closes a stream of a folder.
    static func names(in stream: DirectoryStream) throws(Errno) -> [FilePath.Component] {
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.baseAddress.flatMap {
                    FilePath.Component(platformString: $0.assumingMemoryBound(to: CInterop.PlatformChar.self))
                }
            }
            if let name, name.kind == .regular { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw Errno(rawValue: errno) }
        return names
    }

    private static func call(
        _ path: FilePath, _ function: (UnsafePointer<CInterop.PlatformChar>) -> CInt
    ) throws(Errno) {
        let failure: Errno? = path.withPlatformString { function($0) == 0 ? nil : Errno(rawValue: errno) }
        if let failure { throw failure }
    }
}

extension FilePermissions {
    package static let all: FilePermissions = [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute]
}

extension Errno {
    /// Whether this error of linkat(2) means that hard links are not supported (FAT, some network file systems) or not
    /// allowed (a kernel that protects hard links).
    var meansNoSecondNames: Bool {
        [.notPermitted, .notSupported, .noFunction, .tooManyLinks, .invalidArgument].contains(self)
    }
}
