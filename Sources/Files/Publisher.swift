package import Bytes
import Synchronization
package import SystemPackage

/// Publishes files and folders in one folder: all of them, complete, or none.
///
/// They are created in a hidden folder beside their targets. Nothing else changes before `publish`; if that fails, or the
/// publisher is released first, nothing is left behind. The next run that works in the folder removes or completes what a
/// killed run left. Files that take long to make are made without names where that is possible (`UnnamedPair`), and get
/// them here when they are complete.
package final class Publisher: Sendable {
    /// A file or folder to publish. A folder may only hold files.
    package struct Entry: Sendable {
        package let name: FilePath.Component
        package let isFolder: Bool
        /// Whether it gets the owner, permissions, extended attributes and times of the file it replaces.
        package let inheritsAttributes: Bool

        package init(_ name: FilePath.Component, isFolder: Bool = false, inheritsAttributes: Bool = false) {
            (self.name, self.isFolder, self.inheritsAttributes) = (name, isFolder, inheritsAttributes)
        }
    }

    package enum Durability: Sendable {
        /// Files are flushed to the disk before they appear at their targets.
        case onDisk
        /// The system decides when to write, as with cp(1), unless something is replaced: for copies of existing data.
        case leftToSystem
    }

    private let entries: [Entry]
    private let directory: OutputDirectory
    private let folder: WorkFolder
    private let usesHardLinks: Bool
    private let isOpen = Atomic(true)

    /// Creates the folder if it is missing, and a hidden one in it; removes the hidden folders of killed runs.
    ///
    /// - Parameters:
    ///   - entries: In the order in which they are published.
    ///   - usesHardLinks: False to work as on a file system without hard links.
    /// - Throws: `LivePhotoError`.
    package init(
        _ entries: [Entry], in directory: FilePath, usesHardLinks: Bool = true
    ) throws(LivePhotoError) {
        (self.entries, self.usesHardLinks) = (entries, usesHardLinks)
        let file = entries.last.map { directory.file($0.name) } ?? directory
        (self.directory, folder) = try OutputDirectory.withWorkFolder(
            directory.orCurrentFolder, for: file)
    }

    deinit {
        discard()
    }

    /// Completes or undoes what killed runs left in a folder.
    package static func removeLeftovers(in directory: FilePath) {
        existing(directory)?.removeLeftovers()
    }

    /// As `removeLeftovers`, once in a run that writes many files to the folder.
    package static func removeLeftoversOnce(in directory: FilePath) {
        existing(directory).map(OutputFolders.removeLeftovers)
    }

    private static func existing(_ directory: FilePath) -> OutputDirectory? {
        (try? directory.stat().type) == .directory ? try? OutputDirectory(directory) : nil
    }

    /// Where to create the entry of this name.
    package func stagedPath(_ name: FilePath.Component) -> FilePath { folder.new.appending(name) }

    /// Writes the file of an entry.
    ///
    /// - Throws: `LivePhotoError` for an `Errno` of writing; other errors of `body`.
    package func write(_ name: FilePath.Component, _ body: (OutputFile) throws -> Void) throws {
        do {
            try OutputFile.write(stagedPath(name), body)
        } catch let error as Errno {
            throw LivePhotoError(writing: directory.path.file(name), error)
        }
    }

    /// Takes a complete file without a name as that of an entry.
    ///
    /// - Throws: `LivePhotoError`.
    package func add(_ file: UnnamedFile, as name: FilePath.Component) throws(LivePhotoError) {
        do {
            do throws(Errno) {
                try file.addName(stagedPath(name))
            } catch {
                guard error.meansNoSecondNames else { throw error }
                let content = try InputFile(file.path)
                try write(name) { try $0.write(0..<content.size, of: content) }
            }
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(writing: directory.path.file(name), error)
        }
    }

    /// Moves all entries to their targets. Each file is replaced in one step; of several entries, the old ones are kept until
    /// all are in place. Can be called once.
    ///
    /// - Parameter replacing: Whether existing files are replaced. Of folders, only bundles (`.pvt`) are replaced, by
    ///   another folder.
    /// - Throws: `LivePhotoError`, also if the task was cancelled; then everything is as before, except that a single file may
    ///   be in place if only fsync(2) of its folder failed.
    package func publish(replacing: Bool, durability: Durability = .onDisk) throws(LivePhotoError) {
        try directory.withLock { () throws(LivePhotoError) in
            do throws(LivePhotoError) {
                try LivePhotoError.checkInterruption(of: entries.first.map(place) ?? directory.path)
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

    /// Removes what has not been published. A second call does nothing.
    package func discard() {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        folder.remove()
        directory.removeCreated()
    }

    private func place(_ entry: Entry) -> FilePath { directory.path.file(entry.name) }

    private func putInPlace(replacing: Bool, waits: Bool) throws(LivePhotoError) {
        // A single file is replaced by one rename on every file system: its place always has the old or the new one.
        if let entry = entries.first, entries.count == 1, !entry.isFolder, replacing {
            try at(entry) { () throws(Errno) in try folder.move(entry.name) }
            guard waits else { return }
            do throws(Errno) {
                try OpenFolder(named: directory.path).synchronize()
            } catch {
                throw LivePhotoError(
                    .inputOutput, place(entry),
                    "is written and in its place, but its folder could not be flushed to the disk (\(error)), so that a "
                        + "power failure now may bring back what was there; check the disk", cause: error)
            }
            return
        }
        let transaction: FileTransaction
        do {
            transaction = try FileTransaction(
                entries.map { .placed($0.name, replacing: replacing) }, in: folder, waits: waits)
        } catch {
            throw LivePhotoError(writing: directory.path, error)
        }
        for (index, entry) in entries.enumerated() {
            try at(entry) { () throws(Errno) in try transaction.keepOld(index, usesHardLinks: usesHardLinks) }
        }
        for (index, entry) in entries.enumerated() {
            try at(entry) { () throws(Errno) in try transaction.perform(index) }
        }
        do throws(Errno) {
            if waits { try OpenFolder(named: directory.path).synchronize() }
            try transaction.commit()
        } catch {
            throw LivePhotoError(writing: directory.path, error)
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
    /// Checks before any work whether files can be published.
    ///
    /// Names in one folder that differ only in case count as the same file, as they are on many file systems.
    ///
    /// - Parameters:
    ///   - places: The targets, in one folder.
    ///   - inputs: The files they are made from, which must not be replaced.
    ///   - replacing: Whether other existing files may be replaced.
    /// - Throws: `LivePhotoError`.
    package static func check(
        _ places: [FilePath], inputs: [FilePath] = [], replacing: Bool
    ) throws(LivePhotoError) {
        for place in places {
            if let input = inputs.first(where: { isSameFile($0, place) }) {
                let isSame = areSame(input, place) || input.lastComponent == place.lastComponent
                throw LivePhotoError(
                    .cannotCreateOutput, place,
                    isSame
                        ? "would replace the file that it is made from"
                        : "differs \(place.difference(from: input)) from \(input); choose another name")
            }
            switch try type(of: place) {
            case nil: continue
            case _ where !replacing:
                // It may be one of the files that a killed run was putting in place.
                removeLeftoversOnce(in: place.folder)
                if FileSystem.exists(place) { throw LivePhotoError(writing: place, Errno.fileExists) }
            case .regular, .symbolicLink: continue
            case .directory where place.isNamedAsBundle: continue
            case .directory: throw LivePhotoError(writing: place, Errno.isDirectory)
            default:
                throw LivePhotoError(.cannotCreateOutput, place, "is there, and is not a file that can be replaced")
            }
        }
        if let first = places.first { try OutputDirectory.check(first.folder, for: first) }
    }

    /// Throws if a file is there whose name differs from that of a new file, all in one folder, only in case. A file system
    /// that ignores case has place for one of the two.
    package static func checkCase(of places: [FilePath]) throws(LivePhotoError) {
        for place in places where !FileSystem.exists(place) {
            guard let name = place.lastComponent,
                let other = OutputFolders.existingName(name, in: place.folder), other != name
            else { continue }
            let file = place.folder.file(other)
            throw LivePhotoError(
                .cannotCreateOutput, place,
                "differs \(place.difference(from: file)) from \(file); choose another name or folder")
        }
    }

    /// - Returns: Nil if there is nothing.
    private static func type(of path: FilePath) throws(LivePhotoError) -> FileType? {
        do throws(Errno) {
            return try Stat(path, followTargetSymlink: false).type
        } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw LivePhotoError(writing: path, error)
        }
    }

    /// Whether writing `output` would change `input`.
    package static func isSameFile(_ input: FilePath, _ output: FilePath) -> Bool {
        areSame(input, output) || haveSameName(input, output)
    }

    /// Whether two paths have the same folder and name, except for case.
    package static func haveSameName(_ first: FilePath, _ second: FilePath) -> Bool {
        guard let name = first.lastComponent, let other = second.lastComponent,
            ComparedName(ignoringCaseOf: name) == ComparedName(ignoringCaseOf: other)
        else { return false }
        return areSame(first.folder, second.folder)
    }

    /// Whether two paths lead to one file.
    package static func areSame(_ first: FilePath, _ second: FilePath) -> Bool {
        FileIdentity(first, followingLink: true).map { $0 == FileIdentity(second, followingLink: true) } ?? false
    }
}
