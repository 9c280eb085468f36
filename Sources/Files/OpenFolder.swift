import Bytes
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder that is held open. Everything hidden that this program reads back may come from an archive, so it is opened
/// from here: names are looked up in the folder itself, not by a path whose components may have become others, and no
/// symbolic link is followed, neither in a name nor on the way to a folder below.
package final class OpenFolder: Sendable {
    /// For messages.
    package let path: FilePath
    package let descriptor: FileDescriptor

    private init(_ descriptor: FileDescriptor, _ path: FilePath) {
        (self.descriptor, self.path) = (descriptor, path)
    }

    deinit {
        try? descriptor.close()
    }

    /// Opens the folder that a command names, to which links may lead.
    package convenience init(named path: FilePath) throws(Errno) {
        self.init(try Self.open(AT_FDCWD, path.orCurrentFolder, O_DIRECTORY), path.orCurrentFolder)
    }

    /// Opens a folder in this one.
    ///
    /// - Throws: `Errno`; `.notDirectory` for a link or a file.
    package func folder(_ name: FilePath.Component) throws(Errno) -> OpenFolder {
        OpenFolder(
            try Self.open(descriptor.rawValue, FilePath(root: nil, [name]), O_DIRECTORY | O_NOFOLLOW), path.file(name))
    }

    /// Opens a folder below this one, or this one for an empty path.
    ///
    /// - Throws: `Errno`; `.notDirectory` for a link or a file at any component; `.notPermitted` for a path that leads
    ///   elsewhere.
    package func folder(at path: FilePath) throws(Errno) -> OpenFolder {
        guard path.isRelative, path.components.allSatisfy({ $0.kind != .parentDirectory }) else { throw .notPermitted }
        var folder = self
        for name in path.components where name.kind == .regular { folder = try folder.folder(name) }
        return folder
    }

    /// The folder that has this one.
    package func parent(named path: FilePath) throws(Errno) -> OpenFolder {
        OpenFolder(try Self.open(descriptor.rawValue, "..", O_DIRECTORY | O_NOFOLLOW), path)
    }

    /// Opens a hidden folder of this program in this one.
    ///
    /// - Parameter isShared: Whether its group, or anyone, may write to it. What is read there must then not be trusted.
    /// - Throws: `Errno` as `folder`; `LivePhotoError` for a folder of another user, or one that others may change, where the
    ///   file system knows that.
    package func hidden(_ name: FilePath.Component, isShared: Bool = false) throws -> OpenFolder {
        let opened = try folder(name)
        let status = try Stat(opened.descriptor)
        let isClosed = status.permissions.isDisjoint(with: [.groupWrite, .otherWrite])
        guard
            !opened.descriptor.isOnFileSystemWithOwners || status.userID.rawValue == geteuid() && (isShared || isClosed)
        else {
            throw opened.entry(name).foreign()
        }
        return opened
    }

    package func entry(_ name: FilePath.Component) -> FolderEntry { FolderEntry(folder: self, name: name) }

    /// The entry of a name that is known when the program is written.
    package func entry(_ name: String) -> FolderEntry { entry(FilePath.Component(name) ?? "-") }

    /// Calls `body` with the numbers and names that the calls of openat(2) and its kind take.
    static func open(_ folder: CInt, _ path: FilePath, _ flags: CInt, _ mode: mode_t = 0) throws(Errno)
        -> FileDescriptor
    {
        while true {
            let (number, failure) = path.withPlatformString { path in
                let number = openat(folder, path, flags | O_CLOEXEC, mode)
                return (number, Errno(rawValue: errno))
            }
            if number >= 0 { return FileDescriptor(rawValue: number) }
            guard failure == .interrupted else { throw failure }
        }
    }
}

extension OpenFolder {
    /// The names in the folder.
    package func names() throws(Errno) -> [FilePath.Component] {
        // Of its own, because it has the position, and closing the stream closes it.
        let own = try Self.open(descriptor.rawValue, ".", O_DIRECTORY)
        guard let stream = fdopendir(own.rawValue) else {
            let failure = Errno(rawValue: errno)
            try? own.close()
            throw failure
        }
        return try FileSystem.names(in: stream)
    }

    /// mkdirat(2)
    package func createFolder(_ name: FilePath.Component, _ permissions: FilePermissions) throws(Errno) {
        try entry(name).call { mkdirat($0, $1, permissions.rawValue) }
    }

    /// fsync(2). Some file systems do not support it for folders (`EINVAL`), which is ignored.
    package func synchronize() throws(Errno) {
        do throws(Errno) {
            try descriptor.synchronize()
        } catch {
            guard error == .invalidArgument else { throw error }
        }
    }

    /// Removes a folder and what is in it, as far as possible.
    func removeTree(_ name: FilePath.Component) {
        removeTree(name, depth: 0)
    }

    private func removeTree(_ name: FilePath.Component, depth: Int) {
        // This program's folders have three levels. Each level keeps a descriptor.
        if depth < 16, let below = try? folder(name) {
            for inside in (try? below.names()) ?? [] {
                if (try? below.entry(inside).remove()) == nil { below.removeTree(inside, depth: depth + 1) }
            }
        }
        try? entry(name).removeFolder()
    }
}
