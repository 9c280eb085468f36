package import Bytes
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A name in a folder that is held open, and the file of that name, if there is one. A link is never followed.
package struct FolderEntry: Sendable {
    package let folder: OpenFolder
    package let name: FilePath.Component

    /// For messages.
    package var path: FilePath { folder.path.file(name) }

    /// What is there; nil if there is nothing.
    package func status() throws(Errno) -> Stat? {
        do throws(Errno) {
            return try Stat(FilePath(root: nil, [name]), relativeTo: folder.descriptor, flags: .symlinkNoFollow)
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return nil
        }
    }

    /// Nil if there is nothing, or it cannot be accessed.
    package var identity: FileIdentity? { (try? status()).flatMap { $0.map { FileIdentity($0) } } }

    /// Whether there is anything, including a link that leads nowhere.
    package var exists: Bool { identity != nil }

    /// Whether it is a folder and not a link to one. Nothing is an error.
    func isFolder() throws(Errno) -> Bool {
        guard let status = try status() else { throw .noSuchFileOrDirectory }
        return status.type == .directory
    }

    /// Opens a regular file.
    ///
    /// - Throws: `Errno`; `.tooManySymbolicLinkLevels` for a link; `LivePhotoError` for anything else that is not a file.
    package func open(writing: Bool = false) throws -> InputFile {
        // Without O_NONBLOCK, opening a pipe waits for its other end.
        let flags = (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK
        return try checked(OpenFolder.open(folder.descriptor.rawValue, relativePath, flags))
    }

    /// Opens a file of this program's state: a regular file of this user that has no other name, so that writing to it
    /// changes nothing else.
    ///
    /// - Parameter permissions: Those of the file if it is created because it is missing; nil for an existing file.
    /// - Throws: `Errno`; `LivePhotoError` for anything else of that name.
    package func openState(
        writing: Bool = false, creating permissions: FilePermissions? = nil
    ) throws -> InputFile {
        let flags =
            (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | (permissions == nil ? 0 : O_CREAT)
        let descriptor: FileDescriptor
        do throws(Errno) {
            descriptor = try OpenFolder.open(
                folder.descriptor.rawValue, relativePath, flags, permissions?.rawValue ?? 0)
        } catch {
            guard error == .tooManySymbolicLinkLevels else { throw error }
            throw foreign()
        }
        let file = try checked(descriptor)
        let status = try file.status()
        let isOurs = !file.descriptor.isOnFileSystemWithOwners || status.userID.rawValue == geteuid()
        guard isOurs, status.linkCount == 1 else { throw foreign() }
        return file
    }

    private func checked(_ descriptor: FileDescriptor) throws -> InputFile {
        guard (try? Stat(descriptor))?.type == .regular else {
            try? descriptor.close()
            throw foreign()
        }
        return try InputFile(descriptor, path: path)
    }

    /// An error for something in place of this program's own file or folder.
    func foreign() -> LivePhotoError {
        LivePhotoError(
            .cannotCreateOutput, folder.path,
            "is not what your livephoto wrote: \(name) is a link, has another name or is another user's; "
                + "check the folder and move it away")
    }

    /// Creates a new file, open for writing. An existing one is an error.
    func create(_ permissions: FilePermissions = .ownerReadWrite) throws(Errno) -> FileDescriptor {
        try OpenFolder.open(
            folder.descriptor.rawValue, relativePath, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions.rawValue)
    }

    /// Creates an empty file.
    func createEmpty() throws(Errno) {
        let descriptor = try create()
        try? descriptor.close()
    }

    /// unlinkat(2)
    package func remove() throws(Errno) {
        try call { unlinkat($0, $1, 0) }
    }

    /// unlinkat(2) of an empty folder.
    func removeFolder() throws(Errno) {
        try call { unlinkat($0, $1, AT_REMOVEDIR) }
    }

    /// renameat(2): a file at `target` is replaced in one step.
    package func move(to target: FolderEntry) throws(Errno) {
        try call { folder, name in
            target.relativePath.withPlatformString { renameat(folder, name, target.folder.descriptor.rawValue, $0) }
        }
    }

    /// linkat(2): creates a hard link. An existing `target` is an error.
    func addName(_ target: FolderEntry) throws(Errno) {
        try call { folder, name in
            target.relativePath.withPlatformString { linkat(folder, name, target.folder.descriptor.rawValue, $0, 0) }
        }
    }

    private var relativePath: FilePath { FilePath(root: nil, [name]) }

    /// Calls a function of the C library with the folder's descriptor and the name.
    func call(_ function: (CInt, UnsafePointer<CInterop.PlatformChar>) -> CInt) throws(Errno) {
        let failure: Errno? = relativePath.withPlatformString {
            function(folder.descriptor.rawValue, $0) == 0 ? nil : Errno(rawValue: errno)
        }
        if let failure { throw failure }
    }
}

extension FolderEntry {
    /// Moves the file or folder to a name at which there is nothing, in one step where the file system can do that.
    ///
    /// - Throws: `Errno`; `.fileExists` if there is something.
    package func place(at target: FolderEntry) throws(Errno) {
        let isMoved = try folder.descriptor.moveExclusively(
            relativePath, to: target.folder.descriptor, as: target.relativePath)
        if isMoved { return }
        guard try !isFolder() else {
            guard !target.exists else { throw .fileExists }
            return try move(to: target)
        }
        do throws(Errno) {
            try addName(target)
            // The next run removes it if that fails.
            try? remove()
        } catch {
            guard error.meansNoSecondNames else { throw error }
            // An empty file reserves the name.
            try target.createEmpty()
            do throws(Errno) {
                try move(to: target)
            } catch {
                try? target.remove()
                throw error
            }
        }
    }

    /// Whether `place(at:)` was ended after it had reserved the target's name.
    func hasReserved(_ target: FolderEntry) -> Bool {
        guard let status = try? target.status(), status.type == .regular, status.size == 0 else { return false }
        return exists
    }

    /// Keeps the file under another name: a hard link, or a copy if the file system has no hard links.
    ///
    /// - Throws: `Errno`; `.improperLink` for another file system; `LivePhotoError`.
    package func keep(as copy: FolderEntry) throws {
        do throws(Errno) {
            try addName(copy)
        } catch {
            guard error.meansNoSecondNames else { throw error }
            let file = try open()
            let output = OutputFile(try copy.create(), path: copy.path)
            try output.write(0..<file.size, of: file)
            try output.synchronize()
            try output.close()
            try FileAttributes.copy(from: path, to: copy.path)
        }
    }

    /// Creates the file, or replaces it in one step.
    ///
    /// - Parameters:
    ///   - unfinished: Where it is written first, on the same file system. What is there is removed.
    ///   - permissions: Those of the new file.
    ///   - times: Those of the new file; nil for now.
    ///   - waits: Whether to wait until it is on the disk.
    /// - Throws: `Errno`.
    package func write(
        _ content: [UInt8], by unfinished: FolderEntry, permissions: FilePermissions = .ownerReadWrite,
        times: FileTimes? = nil, waits: Bool = true
    ) throws {
        if unfinished.exists { try unfinished.remove() }
        let descriptor = try unfinished.create(permissions)
        do {
            try descriptor.closeAfter {
                try descriptor.writeAll(content)
                try times?.set(descriptor)
                if waits { try descriptor.synchronize() }
            }
            try unfinished.move(to: self)
        } catch {
            try? unfinished.remove()
            throw error
        }
        if waits { try folder.synchronize() }
    }
}
