import Bytes
import MediaModel
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A hidden folder for work in progress, inside the target folder, so that results get there by renaming alone.
///
/// In it, `new` holds the files being created, each under its final name. The rest belongs to a `FileTransaction`.
///
/// A killed run leaves its folder behind. Therefore each folder is locked while in use (flock(2), which ends with the
/// process), and a later run removes unlocked ones. Creating and locking a folder are two steps, and another run may remove
/// it in between. So the creator checks after locking that the folder still exists, and otherwise creates another; and a
/// run that removes a folder keeps its lock until it is gone. If folders cannot be locked, as on NFS, leftovers stay.
package final class WorkFolder: Sendable {
    /// The folder itself, which is locked, and the one that it is in.
    package let opened: OpenFolder
    package let parent: OpenFolder
    private let name: FilePath.Component

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

    package var path: FilePath { opened.path }
    /// Where files are created.
    package var new: FilePath { path.appending(FileTransaction.newName) }

    /// Creates a folder in `directory` that only this user can access.
    package init(in directory: FilePath) throws(Errno) {
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
            try opened.createFolder(FileTransaction.newName, .ownerReadWriteExecute)
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

    /// Undoes what was not committed and removes the folder.
    ///
    /// - Returns: False if that is impossible now, or something else has changed the files.
    @discardableResult
    package func remove() -> Bool {
        Self.remove(opened, name, in: parent, isLeftover: false)
    }

    /// Moves the file of that name in `new` to the parent, where it replaces another one in one step.
    func move(_ name: FilePath.Component) throws(Errno) {
        try opened.folder(FileTransaction.newName).entry(name).move(to: parent.entry(name))
    }
}

extension WorkFolder {
    /// A folder in the system's one for temporary files, from which what killed runs have left is removed.
    ///
    /// - Throws: `LivePhotoError`.
    package static func temporary() throws(LivePhotoError) -> WorkFolder {
        let place = CurrentProcess.temporaryFolder
        do throws(Errno) {
            removeLeftovers(in: try OpenFolder(named: place))
            return try WorkFolder(in: place)
        } catch {
            throw LivePhotoError(writing: place, error)
        }
    }

    /// Removes another hidden folder of this program, first renaming it to the name of a work folder: it disappears in one
    /// step, and if the process is killed, the next run removes the rest.
    ///
    /// - Parameter onMoved: Called before its files are removed.
    package static func discard(_ name: FilePath.Component, in parent: OpenFolder, onMoved: () -> Void = {}) {
        let obsolete = randomName()
        do throws(Errno) {
            try parent.entry(name).move(to: parent.entry(obsolete))
            onMoved()
            // A run that opened the folder before may create a file in it meanwhile, each run one.
            var attempts = 0
            repeat {
                parent.removeTree(obsolete)
                attempts += 1
            } while attempts < 100 && parent.entry(obsolete).exists
        } catch {
            parent.removeTree(name)
        }
    }

    /// Removes the folders and temporary files that killed runs of this user left in `directory`.
    package static func removeLeftovers(in directory: OpenFolder) {
        for name in (try? directory.names()) ?? [] {
            if FileSystem.isTemporary(name) { removeTemporary(directory.entry(name)) }
            guard isOurs(name) else { continue }
            // Another user could change the contents of such a folder while it is read.
            guard let opened = opened(name, in: directory) else { continue }
            if case .locked = opened.descriptor.lock(waiting: false) {
                remove(opened, name, in: directory, isLeftover: true)
            }
        }
    }

    private static func removeTemporary(_ entry: FolderEntry) {
        guard let status = try? entry.status(), status.type == .regular, status.userID.rawValue == geteuid() else {
            return
        }
        try? entry.remove()
    }

    /// The work folders of this user's runs, running or killed. Each is open as long as it is used.
    package static func all(in directory: OpenFolder) -> some Sequence<OpenFolder> {
        names(in: directory).lazy.compactMap { opened($0, in: directory) }
    }

    /// Whether a run uses a work folder. If none does, the folder is locked here as long as `opened` is in use.
    package static func isUsed(_ opened: OpenFolder) -> Bool {
        switch opened.descriptor.lock(waiting: false) {
        case .held: return true
        case .locked, .unsupported: return false
        }
    }

    private static func names(in directory: OpenFolder) -> [FilePath.Component] {
        ((try? directory.names()) ?? []).filter(isOurs)
    }

    /// A folder that only this user can access; nil for any other, where the file system knows that. It may have the
    /// set-group-ID bit.
    private static func opened(_ name: FilePath.Component, in directory: OpenFolder) -> OpenFolder? {
        guard let opened = try? directory.hidden(name), let status = try? Stat(opened.descriptor) else { return nil }
        let isOurs = status.permissions.intersection(.all) == .ownerReadWriteExecute
        return isOurs || !opened.descriptor.isOnFileSystemWithOwners ? opened : nil
    }

    /// - Parameter isLeftover: Whether a killed run left the folder.
    @discardableResult
    private static func remove(
        _ folder: OpenFolder, _ name: FilePath.Component, in directory: OpenFolder, isLeftover: Bool
    ) -> Bool {
        func end() -> Bool { FileTransaction.end(in: folder, of: directory, isLeftover: isLeftover) }
        // An own change is undone also after a cancellation; leftovers can wait for the next run.
        guard isLeftover ? end() : WorkInterruption.ignored(end) else { return false }
        directory.removeTree(name)
        return true
    }
}
