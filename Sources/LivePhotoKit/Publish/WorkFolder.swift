import Bytes
import MediaModel
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A hidden folder for work in progress, inside the target folder, so that results get there by renaming alone.
///
/// In it, `new` holds the files being created and `old`, if there are any, those being replaced, each under its final name.
/// A change of a pair in place has a `PairRecord` there instead.
///
/// A killed run leaves its folder behind. Therefore each folder is locked while in use (flock(2), which ends with the
/// process), and a later run removes unlocked ones. Creating and locking a folder are two steps, and another run may remove
/// it in between. So the creator checks after locking that the folder still exists, and otherwise creates another; and a
/// run that removes a folder keeps its lock until it is gone. If folders cannot be locked, as on NFS, leftovers stay.
final class WorkFolder: Sendable {
    let path: FilePath
    private let descriptor: FileDescriptor
    private let usesHardLinks: Bool

    private static let namePrefix = ".livephoto-"

    private static func name(_ number: UInt64) -> String { namePrefix + padded(number, 16, radix: 16) }

    private static func isOurs(_ name: FilePath.Component) -> Bool {
        guard name.string.hasPrefix(namePrefix),
            let number = UInt64(name.string.dropFirst(namePrefix.count), radix: 16)
        else { return false }
        return name.string == Self.name(number)
    }

    var new: FilePath { path.appending("new") }
    var old: FilePath { path.appending("old") }

    /// Creates a folder in `directory` that only this user can access.
    init(in directory: FilePath, usesHardLinks: Bool) throws(Errno) {
        self.usesHardLinks = usesHardLinks
        var attempts = 0
        while true {
            let path = directory.appending(Self.name(.random(in: .min ... .max)))
            try FileSystem.createDirectory(path, .ownerReadWriteExecute)
            if let descriptor = Self.lock(path) {
                self.path = path
                self.descriptor = descriptor
                break
            }
            attempts += 1
            guard attempts < 100 else { throw .resourceTemporarilyUnavailable }
        }
        do throws(Errno) {
            try FileSystem.createDirectory(new, .ownerReadWriteExecute)
        } catch {
            remove()
            throw error
        }
    }

    deinit {
        try? descriptor.close()
    }

    /// Opens a folder and locks it if possible. Nil if another process has locked it, or if it is gone.
    private static func lock(_ path: FilePath) -> FileDescriptor? {
        guard let descriptor = try? open(path) else { return nil }
        switch descriptor.lock(waiting: false) {
        case .locked, .unsupported:
            if let status = try? Stat(descriptor), FileIdentity(status) == FileIdentity(path) { return descriptor }
        case .held:
            break
        }
        try? descriptor.close()
        return nil
    }

    private static func open(_ path: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(path, .readOnly, options: [.directory, .noFollow, .closeOnExec])
    }

    /// Restores what is in `old` and removes the folder.
    func remove() {
        Self.remove(path, isLeftover: false)
    }

    /// Keeps the file at `target` in `old`, as a hard link, or moves it there if the file system has no hard links. A folder
    /// is moved if `new` has one of the same name to replace it.
    ///
    /// - Returns: Whether there is a file or folder.
    func keepOld(_ target: FilePath) throws(Errno) -> Bool {
        guard let name = target.lastComponent else { throw .invalidArgument }
        let (old, new) = (old.appending(name), new.appending(name))
        do throws(Errno) {
            if try FileSystem.isFolder(target) {
                guard try FileSystem.isFolder(new), target.isNamedAsBundle else { throw Errno.isDirectory }
                try createOld()
                try FileSystem.move(target, to: old)
                return true
            }
            if FileSystem.exists(new), try FileSystem.isFolder(new) { throw Errno.notDirectory }
            try createOld()
            do throws(Errno) {
                try addName(old, of: target)
            } catch {
                guard error.meansNoSecondNames else { throw error }
                try FileSystem.move(target, to: old)
            }
            return true
        } catch {
            guard error == .noSuchFileOrDirectory else { throw error }
            return false
        }
    }

    private func createOld() throws(Errno) {
        guard !FileSystem.exists(old) else { return }
        try FileSystem.createDirectory(old, .ownerReadWriteExecute)
    }

    /// Publishes the file or folder of that name in `new` at `target`. With hard links, a file also keeps its name in `new`,
    /// which proves that this run published it.
    ///
    /// - Parameter replacing: Whether an existing file is replaced, in one step; otherwise it is an error, even if it has
    ///   appeared only now.
    func place(_ target: FilePath, replacing: Bool) throws(Errno) {
        guard let name = target.lastComponent else { throw .invalidArgument }
        let new = new.appending(name)
        if try FileSystem.isFolder(new) {
            // The folder that it replaces has been moved away.
            guard !FileSystem.exists(target) else { throw .fileExists }
            return try FileSystem.move(new, to: target)
        }
        do throws(Errno) {
            if replacing {
                let staged = path.appending("staged")
                try addName(staged, of: new)
                try FileSystem.move(staged, to: target)
            } else {
                try addName(target, of: new)
            }
        } catch {
            guard error.meansNoSecondNames else { throw error }
            // An empty file reserves the name until the new file replaces it.
            let isFree = !replacing || FileIdentity(target) == nil
            if isFree { try FileSystem.createFile(target) }
            do throws(Errno) {
                try FileSystem.move(new, to: target)
            } catch {
                if isFree { try? FileSystem.removeFile(target) }
                throw error
            }
        }
    }

    /// Removes what `place` has published at `target`.
    func takeBack(_ target: FilePath) {
        guard let name = target.lastComponent else { return }
        if Self.isFolder(target) {
            try? FileSystem.move(target, to: new.appending(name))
        } else {
            try? FileSystem.removeFile(target)
        }
    }

    private func addName(_ target: FilePath, of path: FilePath) throws(Errno) {
        guard usesHardLinks else { throw .notSupported }
        try FileSystem.addName(target, of: path)
    }

    /// Commits the replacement: from now on, `old` is not restored.
    func forgetOld() throws(Errno) {
        try FileSystem.move(old, to: path.appending("obsolete"))
        // Otherwise a power failure could bring `old` back, and the next run would restore its files.
        try? FileSystem.synchronize(path)
    }

    /// Removes another hidden folder of this program, first renaming it to the name of a work folder: it disappears in one
    /// step, and if the process is killed, the next run removes the rest.
    static func discard(_ folder: FilePath) {
        let path = folder.folder.appending(name(.random(in: .min ... .max)))
        do throws(Errno) {
            try FileSystem.move(folder, to: path)
            FileSystem.removeTree(path)
        } catch {
            FileSystem.removeTree(folder)
        }
    }

    /// Removes the folders that killed runs of this user left in `directory`.
    static func removeLeftovers(in directory: FilePath) {
        for path in all(in: directory) {
            guard let descriptor = try? open(path) else { continue }
            defer { try? descriptor.close() }
            // Another user could change the contents of such a folder to make this process change other files.
            guard let status = try? Stat(descriptor), isPrivate(status) else { continue }
            if case .locked = descriptor.lock(waiting: false) { remove(path, isLeftover: true) }
        }
    }

    /// Whether only this user can access a folder. It may have the set-group-ID bit.
    private static func isPrivate(_ status: Stat) -> Bool {
        let all: FilePermissions = [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute]
        return status.userID.rawValue == geteuid()
            && status.permissions.intersection(all) == .ownerReadWriteExecute
    }

    /// The work folders of all runs, running or killed.
    static func all(in directory: FilePath) -> [FilePath] {
        ((try? FileSystem.names(in: directory)) ?? []).filter(isOurs).map { directory.appending($0) }
    }

    /// - Parameter isLeftover: Whether a killed run left the folder.
    private static func remove(_ path: FilePath, isLeftover: Bool) {
        func restore() -> Bool { PairRecord.undo(in: path) && restoreOld(of: path, isLeftover: isLeftover) }
        // An own change is undone also after a cancellation; leftovers can wait for the next run.
        guard isLeftover ? restore() : WorkInterruption.ignored(restore) else { return }
        completeNew(of: path)
        FileSystem.removeTree(path)
    }

    /// If one file of a pair is published, publishes the other one unless its name is taken: a run killed between the two
    /// had both finished, checked and on the disk.
    private static func completeNew(of path: FilePath) {
        let (new, directory) = (path.appending("new"), path.removingLastComponent())
        guard isFolder(new) else { return }
        let names = (try? FileSystem.names(in: new)) ?? []
        guard names.contains(where: { FileIdentity(new.appending($0)) == FileIdentity(directory.appending($0)) })
        else { return }
        for name in names { try? FileSystem.addName(directory.appending(name), of: new.appending(name)) }
    }

    /// Restores the files in `old` that were replaced by files of `new` or are missing.
    ///
    /// - Returns: False if `old` still has a file that exists nowhere else.
    private static func restoreOld(of path: FilePath, isLeftover: Bool) -> Bool {
        let oldFolder = path.appending("old")
        guard !FileSystem.exists(oldFolder) || isFolder(oldFolder) else { return false }
        let names: [FilePath.Component]
        do throws(Errno) {
            names = try FileSystem.names(in: oldFolder)
        } catch {
            return error == .noSuchFileOrDirectory
        }
        let (directory, new) = (path.removingLastComponent(), path.appending("new"))
        let left = names.filter { name in
            !restore(
                oldFolder.appending(name), to: directory.appending(name), replacing: new.appending(name),
                isLeftover: isLeftover)
        }
        return left.isEmpty
    }

    /// False for a symbolic link, which could lead to other files: the folder may come from an archive.
    private static func isFolder(_ path: FilePath) -> Bool { (try? FileSystem.isFolder(path)) == true }

    private static func restore(
        _ old: FilePath, to target: FilePath, replacing new: FilePath, isLeftover: Bool
    ) -> Bool {
        do throws(Errno) {
            guard let occupant = FileIdentity(target) else {
                try FileSystem.move(old, to: target)
                return true
            }
            if occupant == FileIdentity(old) {
                try FileSystem.removeFile(old)
            } else if occupant == FileIdentity(new) {
                try FileSystem.move(old, to: target)
            } else if isLeftover, isFolder(old), isFolder(target), !FileSystem.exists(new) {
                // The new folder has been published; the old one is removed with the work folder.
            } else {
                return false
            }
            return true
        } catch {
            return false
        }
    }
}
