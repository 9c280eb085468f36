package import Bytes
import Synchronization
package import SystemPackage

/// Brings files and folders to their places in one folder: all of them, complete, or none.
///
/// They are made in a hidden folder beside their places. Nothing else changes before `publish`; if that fails, or the
/// publisher is released before it, nothing of them is left. What a killed run left is removed or completed by the next
/// run that works in the folder.
package final class Publisher: Sendable {
    /// A file or folder to publish. A folder may only hold files.
    package struct Entry: Sendable {
        package let name: FilePath.Component
        package let isFolder: Bool
        /// Whether it gets the owner, permissions, extended attributes and times of the file that it replaces.
        package let inheritsAttributes: Bool

        package init(_ name: FilePath.Component, isFolder: Bool = false, inheritsAttributes: Bool = false) {
            (self.name, self.isFolder, self.inheritsAttributes) = (name, isFolder, inheritsAttributes)
        }
    }

    /// When the disk has what is published.
    package enum Durability: Sendable {
        /// Before anything is in its place.
        case onDisk
        /// When the system writes it, as with cp(1), unless something is replaced: for copies of what other files hold.
        case leftToSystem
    }

    private let entries: [Entry]
    private let directory: OutputDirectory
    private let folder: WorkFolder
    private let isOpen = Atomic(true)

    /// Creates the folder where it is missing, and a hidden one in it; removes the hidden folders that killed runs left
    /// there.
    ///
    /// - Parameters:
    ///   - entries: in the order in which they are put in their places.
    ///   - usesHardLinks: false to work as on a file system without them.
    /// - Throws: `LivePhotoError`.
    package init(
        _ entries: [Entry], in directory: FilePath, usesHardLinks: Bool = true
    ) throws(LivePhotoError) {
        self.entries = entries
        let file = entries.last.map { directory.file($0.name) } ?? directory
        (self.directory, folder) = try OutputDirectory.withWorkFolder(
            directory.orCurrentFolder, for: file, usesHardLinks: usesHardLinks)
    }

    deinit {
        discard()
    }

    /// Removes what killed runs have left in a folder; runs still at work keep theirs.
    package static func removeLeftovers(in directory: FilePath) {
        guard (try? directory.stat().type) == .directory, let directory = try? OutputDirectory(directory) else {
            return
        }
        directory.withLock { WorkFolder.removeLeftovers(in: directory.path) }
    }

    /// Where to make the entry of this name until it is published; nothing is there yet.
    package func stagedPath(_ name: FilePath.Component) -> FilePath { folder.new.appending(name) }

    /// Writes the file of an entry.
    ///
    /// - Throws: `LivePhotoError` for an `Errno` of writing; what else `body` throws.
    package func write(_ name: FilePath.Component, _ body: (OutputFile) throws -> Void) throws {
        do {
            try OutputFile.write(stagedPath(name), body)
        } catch let error as Errno {
            throw LivePhotoError(writing: directory.path.file(name), error)
        }
    }

    /// Puts all entries in their places. A file that is replaced is so in one step; it is kept until all are in place.
    ///
    /// Afterwards nothing more can be published, whether it throws or not.
    ///
    /// - Parameter replacing: whether files at the places are replaced. A folder is replaced only by a folder whose name
    ///   has the same extension.
    /// - Throws: `LivePhotoError`; then everything is as before.
    package func publish(replacing: Bool, durability: Durability = .onDisk) throws(LivePhotoError) {
        try directory.withLock { () throws(LivePhotoError) in
            do throws(LivePhotoError) {
                let replaces = replacing && entries.contains { FileIdentity(place($0)) != nil }
                let waits = durability == .onDisk || replaces
                for entry in entries {
                    try at(entry) { () throws(Errno) in
                        let staged = stagedPath(entry.name)
                        guard try FileSystem.isFolder(staged) == entry.isFolder else { throw Errno.isDirectory }
                        if entry.inheritsAttributes, replaces {
                            try FileAttributes.copy(from: place(entry), to: staged)
                        }
                        if waits { try FileSystem.synchronizeTree(staged) }
                    }
                }
                try putInPlace(replacing: replacing, waits: waits)
            } catch {
                discard()
                throw error
            }
        }
        isOpen.store(false, ordering: .relaxed)
        folder.remove()
    }

    /// Removes what was made and is not published. A second call does nothing.
    package func discard() {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        folder.remove()
        directory.removeCreated()
    }

    private func place(_ entry: Entry) -> FilePath { directory.path.file(entry.name) }

    private func putInPlace(replacing: Bool, waits: Bool) throws(LivePhotoError) {
        var placed: [(path: FilePath, identity: FileIdentity?)] = []
        do throws(LivePhotoError) {
            var replaced: Set<FilePath.Component> = []
            for entry in entries where replacing {
                if try at(entry, { () throws(Errno) in try folder.keepOld(place(entry)) }) {
                    replaced.insert(entry.name)
                }
            }
            for entry in entries {
                let identity = FileIdentity(stagedPath(entry.name))
                try at(entry) { () throws(Errno) in
                    try folder.place(place(entry), replacing: replaced.contains(entry.name))
                }
                placed.append((place(entry), identity))
            }
            do throws(Errno) {
                if waits { try FileSystem.synchronize(directory.path) }
                if !replaced.isEmpty { try folder.forgetOld() }
            } catch {
                throw LivePhotoError(writing: directory.path, error)
            }
        } catch {
            for (path, identity) in placed where FileIdentity(path) == identity { folder.takeBack(path) }
            throw error
        }
    }

    private func at<Result>(_ entry: Entry, _ body: () throws(Errno) -> Result) throws(LivePhotoError) -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            throw LivePhotoError(writing: place(entry), error)
        }
    }
}

extension Publisher {
    /// Finds out before any work what would keep files from being published.
    ///
    /// A file counts as an input also where its name differs from an input's in the same folder by case only: on many file
    /// systems it is the same file.
    ///
    /// - Parameters:
    ///   - places: files or folders to be, in one folder.
    ///   - inputs: the files they are made from, none of which may be replaced.
    ///   - replacing: whether other files at the places may be replaced.
    /// - Throws: `LivePhotoError`.
    package static func check(
        _ places: [FilePath], inputs: [FilePath] = [], replacing: Bool
    ) throws(LivePhotoError) {
        for place in places {
            if inputs.contains(where: { isSameFile($0, place) }) {
                throw LivePhotoError(.cannotCreateOutput, place, "would replace the file that it is made from")
            }
            switch try type(of: place) {
            case nil: continue
            case _ where !replacing: throw LivePhotoError(writing: place, Errno.fileExists)
            case .regular, .symbolicLink: continue
            case .directory where place.isNamedAsBundle: continue
            case .directory: throw LivePhotoError(writing: place, Errno.isDirectory)
            default:
                throw LivePhotoError(.cannotCreateOutput, place, "is there, and is not a file that can be replaced")
            }
        }
        if let first = places.first { try OutputDirectory.check(first.folder, for: first) }
    }

    /// Nil when there is nothing.
    private static func type(of path: FilePath) throws(LivePhotoError) -> FileType? {
        do throws(Errno) {
            return try Stat(path, followTargetSymlink: false).type
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw LivePhotoError(writing: path, error)
        }
    }

    private static func isSameFile(_ input: FilePath, _ output: FilePath) -> Bool {
        if let identity = FileIdentity(input, followingLink: true),
            identity == FileIdentity(output, followingLink: true)
        {
            return true
        }
        guard let name = input.lastComponent, name.string.lowercased() == output.lastComponent?.string.lowercased()
        else { return false }
        guard let identity = FileIdentity(input.folder, followingLink: true) else { return false }
        return identity == FileIdentity(output.folder, followingLink: true)
    }
}
