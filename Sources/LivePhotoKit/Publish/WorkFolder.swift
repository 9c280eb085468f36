import MediaModel
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A hidden folder for work in progress, in the folder where its results go, so that they get there by a new name
/// alone.
///
/// In it, `new` holds the files being made, `old` those being replaced, each under the name it has outside. A change of a
/// pair in place has a `PairRecord` there instead.
///
/// A run that is killed leaves its folder behind. Therefore each folder is locked while it is in use (flock(2), which
/// ends with the process), and a later run removes those that are not. Making a folder and locking it are two steps;
/// a run that looks for leftovers between them may take the folder for one. So whoever made it checks, once it has
/// the lock, that the folder is still there, and makes another when it is not; and whoever removes one keeps its lock
/// until it is gone. Where folders cannot be locked, as on NFS, leftovers stay.
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

    /// Makes a folder in `directory`, for this user alone.
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
            try FileSystem.createDirectory(old, .ownerReadWriteExecute)
        } catch {
            remove()
            throw error
        }
    }

    deinit {
        try? descriptor.close()
    }

    /// Opens and locks a folder, where there are locks; nil when another has it, or it is gone.
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

    /// Removes the folder with all that is in it, once what is in `old` is back in its place.
    func remove() {
        Self.remove(path)
    }

    /// Keeps the file at `target` in `old`, from where it can be put back, under a second name, or moved there where the
    /// file system allows one name only. A folder is moved there if `new` has one of the same name to replace it.
    ///
    /// - Returns: whether there is a file or folder.
    func keepOld(_ target: FilePath) throws(Errno) -> Bool {
        guard let name = target.lastComponent else { throw .invalidArgument }
        let (old, new) = (old.appending(name), new.appending(name))
        do throws(Errno) {
            if try FileSystem.isFolder(target) {
                guard try FileSystem.isFolder(new), target.isNamedAsBundle else {
                    throw Errno.isDirectory
                }
                try FileSystem.move(target, to: old)
                return true
            }
            if FileSystem.exists(new), try FileSystem.isFolder(new) { throw Errno.notDirectory }
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

    /// Puts the file or folder of that name in `new` at `target`. A file keeps its name in `new` too, which proves whose
    /// it is, where files can have two names.
    ///
    /// - Parameter replacing: whether a file there is replaced, in one step; otherwise it is an error, also when it
    ///   appeared a moment ago.
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
            // An empty file reserves the place until ours replaces it.
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

    /// Removes what `place` has put at `target`.
    func takeBack(_ target: FilePath) {
        guard let name = target.lastComponent else { return }
        if (try? FileSystem.isFolder(target)) == true {
            try? FileSystem.move(target, to: new.appending(name))
        } else {
            try? FileSystem.removeFile(target)
        }
    }

    private func addName(_ target: FilePath, of path: FilePath) throws(Errno) {
        guard usesHardLinks else { throw .notSupported }
        try FileSystem.addName(target, of: path)
    }

    /// From now on, `old` need not be put back, and cannot.
    func forgetOld() throws(Errno) {
        try FileSystem.move(old, to: path.appending("obsolete"))
        // Else a power failure could bring `old` back, and the next run its files.
        try? FileSystem.synchronize(path)
    }

    /// Removes the folders that killed runs of this user left in `directory`.
    static func removeLeftovers(in directory: FilePath) {
        for path in all(in: directory) {
            guard let descriptor = try? open(path) else { continue }
            defer { try? descriptor.close() }
            // Another user's could be made to lead us elsewhere.
            guard let status = try? Stat(descriptor), status.userID.rawValue == geteuid(),
                isOfThisUserAlone(status)
            else { continue }
            if case .locked = descriptor.lock(waiting: false) { remove(path) }
        }
    }

    /// Whether nobody else can look into a folder. It may have the bit by which folders pass their group on.
    private static func isOfThisUserAlone(_ status: Stat) -> Bool {
        let all: FilePermissions = [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute]
        return status.permissions.intersection(all) == .ownerReadWriteExecute
    }

    /// Those of all runs, at work or not.
    static func all(in directory: FilePath) -> [FilePath] {
        ((try? FileSystem.names(in: directory)) ?? []).filter(isOurs).map { directory.appending($0) }
    }

    private static func remove(_ path: FilePath) {
        guard PairRecord.undo(in: path), restoreOld(of: path) else { return }
        completeNew(of: path)
        FileSystem.removeTree(path)
    }

    /// Where one file of a pair is in its place, puts the other one there, if the place is free: a run that was killed
    /// between the two had them both finished, checked and on the disk.
    private static func completeNew(of path: FilePath) {
        let (new, directory) = (path.appending("new"), path.removingLastComponent())
        guard isFolder(new) else { return }
        let names = (try? FileSystem.names(in: new)) ?? []
        guard names.contains(where: { FileIdentity(new.appending($0)) == FileIdentity(directory.appending($0)) })
        else { return }
        for name in names { try? FileSystem.addName(directory.appending(name), of: new.appending(name)) }
    }

    /// Puts the files in `old` back where a file of `new` replaced them, or where nothing is.
    ///
    /// - Returns: whether none is left in `old` that exists nowhere else.
    private static func restoreOld(of path: FilePath) -> Bool {
        let oldFolder = path.appending("old")
        guard !FileSystem.exists(oldFolder) || isFolder(oldFolder) else { return false }
        let names: [FilePath.Component]
        do throws(Errno) {
            names = try FileSystem.names(in: oldFolder)
        } catch {
            return error == .noSuchFileOrDirectory
        }
        var isDone = true
        for name in names {
            let target = path.removingLastComponent().appending(name)
            let new = path.appending("new").appending(name)
            if !restore(oldFolder.appending(name), to: target, replacing: new) { isDone = false }
        }
        return isDone
    }

    /// Not a link, which could lead to others' files: the folder may be out of a stranger's archive.
    private static func isFolder(_ path: FilePath) -> Bool {
        (try? Stat(path, followTargetSymlink: false).type) == .directory
    }

    private static func restore(_ old: FilePath, to target: FilePath, replacing new: FilePath) -> Bool {
        do throws(Errno) {
            guard let occupant = FileIdentity(target) else {
                try FileSystem.move(old, to: target)
                return true
            }
            if occupant == FileIdentity(old) {
                try FileSystem.removeFile(old)
            } else if occupant == FileIdentity(new) {
                try FileSystem.move(old, to: target)
            } else if isFolder(old), isFolder(target), !FileSystem.exists(new) {
                // The folder that replaces it has been put in place; the old one goes with the work folder.
            } else {
                return false
            }
            return true
        } catch {
            return false
        }
    }
}
