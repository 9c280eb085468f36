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
    /// The folder itself, which is locked, and the one that it is in.
    let opened: OpenFolder
    let parent: OpenFolder
    private let name: FilePath.Component
    private let usesHardLinks: Bool

    private static let namePrefix = ".livephoto-"

    private static func name(_ number: UInt64) -> String { namePrefix + padded(number, 16, radix: 16) }

    private static func randomName() -> FilePath.Component {
        FilePath.Component(name(.random(in: .min ... .max))) ?? "-"
    }

    private static func isOurs(_ name: FilePath.Component) -> Bool {
        guard name.string.hasPrefix(namePrefix),
            let number = UInt64(name.string.dropFirst(namePrefix.count), radix: 16)
        else { return false }
        return name.string == Self.name(number)
    }

    var path: FilePath { opened.path }
    /// Where files are created.
    var new: FilePath { path.appending(Self.newName) }

    private static let newName: FilePath.Component = "new"
    private static let oldName: FilePath.Component = "old"

    /// Creates a folder in `directory` that only this user can access.
    init(in directory: FilePath, usesHardLinks: Bool) throws(Errno) {
        self.usesHardLinks = usesHardLinks
        parent = try OpenFolder(named: directory)
        var attempts = 0
        while true {
            let name = Self.randomName()
            try parent.createFolder(name, .ownerReadWriteExecute)
            if let opened = Self.lock(name, in: parent) {
                (self.name, self.opened) = (name, opened)
                break
            }
            attempts += 1
            guard attempts < 100 else { throw .resourceTemporarilyUnavailable }
        }
        do throws(Errno) {
            try opened.createFolder(Self.newName, .ownerReadWriteExecute)
        } catch {
            remove()
            throw error
        }
    }

    /// Opens a folder and locks it if possible. Nil if another process has locked it, or if it is gone.
    private static func lock(_ name: FilePath.Component, in parent: OpenFolder) -> OpenFolder? {
        guard let opened = try? parent.folder(name) else { return nil }
        switch opened.descriptor.lock(waiting: false) {
        case .locked, .unsupported:
            guard let status = try? Stat(opened.descriptor) else { return nil }
            return FileIdentity(status) == parent.entry(name).identity ? opened : nil
        case .held:
            return nil
        }
    }

    /// Restores what is in `old` and removes the folder.
    func remove() {
        Self.remove(opened, name, in: parent, isLeftover: false)
    }

    /// Keeps a file in `old`, as a hard link, or moves it there if the file system has no hard links. A folder is moved if
    /// `new` has one of the same name to replace it.
    ///
    /// - Returns: Whether there is a file or folder.
    func keepOld(_ name: FilePath.Component) throws(Errno) -> Bool {
        let target = parent.entry(name)
        guard target.exists else { return false }
        let new = try opened.folder(Self.newName).entry(name)
        if try target.isFolder() {
            guard try new.isFolder(), target.path.isNamedAsBundle else { throw .isDirectory }
            try target.move(to: old(name))
            return true
        }
        if new.exists, try new.isFolder() { throw .notDirectory }
        let old = try old(name)
        do throws(Errno) {
            try addName(old, of: target)
        } catch {
            guard error.meansNoSecondNames else { throw error }
            try target.move(to: old)
        }
        return true
    }

    private func old(_ name: FilePath.Component) throws(Errno) -> FolderEntry {
        if !opened.entry(Self.oldName).exists { try opened.createFolder(Self.oldName, .ownerReadWriteExecute) }
        return try opened.folder(Self.oldName).entry(name)
    }

    /// Moves the file of that name in `new` to the parent, where it replaces another one in one step.
    func move(_ name: FilePath.Component) throws(Errno) {
        try opened.folder(Self.newName).entry(name).move(to: parent.entry(name))
    }

    /// Publishes the file or folder of that name in `new` in the parent. With hard links, a file also keeps its name in
    /// `new`, which proves that this run published it.
    ///
    /// - Parameter replacing: Whether an existing file is replaced, in one step; otherwise it is an error, even if it has
    ///   appeared only now.
    func place(_ name: FilePath.Component, replacing: Bool) throws(Errno) {
        let (new, target) = (try opened.folder(Self.newName).entry(name), parent.entry(name))
        if try new.isFolder() {
            // The folder that it replaces has been moved away.
            guard !target.exists else { throw .fileExists }
            return try new.move(to: target)
        }
        do throws(Errno) {
            if replacing {
                let staged = opened.entry("staged")
                try addName(staged, of: new)
                try staged.move(to: target)
            } else {
                try addName(target, of: new)
            }
        } catch {
            guard error.meansNoSecondNames else { throw error }
            // An empty file reserves the name until the new file replaces it.
            let isFree = !replacing || !target.exists
            if isFree { try target.createEmpty() }
            do throws(Errno) {
                try new.move(to: target)
            } catch {
                if isFree { try? target.remove() }
                throw error
            }
        }
    }

    /// Removes what `place` has published.
    func takeBack(_ name: FilePath.Component) {
        let target = parent.entry(name)
        if (try? target.isFolder()) == true {
            guard let new = try? opened.folder(Self.newName) else { return }
            try? target.move(to: new.entry(name))
        } else {
            try? target.remove()
        }
    }

    private func addName(_ target: FolderEntry, of file: FolderEntry) throws(Errno) {
        guard usesHardLinks else { throw .notSupported }
        try file.addName(target)
    }

    /// Commits the replacement: from now on, `old` is not restored.
    func forgetOld() throws(Errno) {
        try opened.entry(Self.oldName).move(to: opened.entry("obsolete"))
        // Otherwise a power failure could bring `old` back, and the next run would restore its files.
        try? opened.synchronize()
    }
}

extension WorkFolder {
    /// Removes another hidden folder of this program, first renaming it to the name of a work folder: it disappears in one
    /// step, and if the process is killed, the next run removes the rest.
    static func discard(_ name: FilePath.Component, in parent: OpenFolder) {
        let obsolete = randomName()
        do throws(Errno) {
            try parent.entry(name).move(to: parent.entry(obsolete))
            parent.removeTree(obsolete)
        } catch {
            parent.removeTree(name)
        }
    }

    /// Removes the folders that killed runs of this user left in `directory`.
    static func removeLeftovers(in directory: OpenFolder) {
        for name in names(in: directory) {
            // Another user could change the contents of such a folder while it is read.
            guard let opened = opened(name, in: directory) else { continue }
            if case .locked = opened.descriptor.lock(waiting: false) {
                remove(opened, name, in: directory, isLeftover: true)
            }
        }
    }

    /// The work folders of this user's runs, running or killed. Each is open as long as it is used.
    static func all(in directory: OpenFolder) -> some Sequence<OpenFolder> {
        names(in: directory).lazy.compactMap { opened($0, in: directory) }
    }

    private static func names(in directory: OpenFolder) -> [FilePath.Component] {
        ((try? directory.names()) ?? []).filter(isOurs)
    }

    /// A folder that only this user can access; nil for any other. It may have the set-group-ID bit.
    private static func opened(_ name: FilePath.Component, in directory: OpenFolder) -> OpenFolder? {
        guard let opened = try? directory.hidden(name), let status = try? Stat(opened.descriptor) else { return nil }
        let all: FilePermissions = [.ownerReadWriteExecute, .groupReadWriteExecute, .otherReadWriteExecute]
        return status.permissions.intersection(all) == .ownerReadWriteExecute ? opened : nil
    }

    /// - Parameter isLeftover: Whether a killed run left the folder.
    private static func remove(
        _ folder: OpenFolder, _ name: FilePath.Component, in directory: OpenFolder, isLeftover: Bool
    ) {
        func restore() -> Bool {
            PairRecord.undo(in: folder, of: directory) && restoreOld(of: folder, in: directory, isLeftover: isLeftover)
        }
        // An own change is undone also after a cancellation; leftovers can wait for the next run.
        guard isLeftover ? restore() : WorkInterruption.ignored(restore) else { return }
        completeNew(of: folder, in: directory)
        directory.removeTree(name)
    }

    /// If one file of a pair is published, publishes the other one unless its name is taken: a run killed between the two
    /// had both finished, checked and on the disk.
    private static func completeNew(of folder: OpenFolder, in directory: OpenFolder) {
        guard let new = try? folder.folder(newName), let names = try? new.names(),
            names.contains(where: { name in
                new.entry(name).identity.map { $0 == directory.entry(name).identity } ?? false
            })
        else { return }
        for name in names { try? new.entry(name).addName(directory.entry(name)) }
    }

    /// Restores the files in `old` that were replaced by files of `new` or are missing. All of them are in this folder or
    /// its parent, and no file is replaced but one that is also in `new`.
    ///
    /// - Returns: False if `old` still has a file that exists nowhere else.
    private static func restoreOld(of folder: OpenFolder, in directory: OpenFolder, isLeftover: Bool) -> Bool {
        let names: [FilePath.Component]
        let old: OpenFolder
        do throws(Errno) {
            old = try folder.folder(oldName)
            names = try old.names()
        } catch {
            return error == .noSuchFileOrDirectory
        }
        let new = try? folder.folder(newName)
        let left = names.filter { name in
            !restore(
                old.entry(name), to: directory.entry(name), replacing: new?.entry(name), isLeftover: isLeftover)
        }
        return left.isEmpty
    }

    private static func restore(
        _ old: FolderEntry, to target: FolderEntry, replacing new: FolderEntry?, isLeftover: Bool
    ) -> Bool {
        do throws(Errno) {
            guard let occupant = target.identity else {
                try old.move(to: target)
                return true
            }
            if occupant == old.identity {
                try old.remove()
            } else if occupant == new?.identity {
                try old.move(to: target)
            } else if isLeftover, new?.exists != true, try old.isFolder(), try target.isFolder() {
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
