package import Bytes
package import SystemPackage

/// Changes files and folders in one folder, all of them or none, even if the process is killed.
///
/// A hidden folder in it has the new ones in `new`, the manifest, and in `old` what is replaced, under the numbers of the
/// entries. When everything is done, `old` gets another name, which commits the transaction; if there is none, removing the
/// manifest does.
package struct FileTransaction {
    static let newName: FilePath.Component = "new"
    private static let oldName: FilePath.Component = "old"

    /// What becomes of a file.
    package enum Change {
        /// What is in `new` gets its name.
        case placed(FilePath.Component, replacing: Bool)
        case removed(FilePath.Component)
        /// The file is changed where it is, and can be changed back.
        case changed(FilePath.Component, ChangeInverse, FileTimes)
        case kept(FilePath.Component)
    }

    /// The hidden folder, and the one that it is in.
    private let hidden, parent: OpenFolder
    private let new: OpenFolder
    /// Nil if nothing is replaced.
    private let old: OpenFolder?
    private let manifest: TransactionManifest
    /// Whether a killed run has left it.
    private let isLeftover: Bool

    /// Writes the manifest. Nothing is moved yet.
    ///
    /// - Parameters:
    ///   - changes: In their order.
    ///   - key: Nil unless files are changed in place.
    ///   - waits: Whether to wait until the manifest is on the disk.
    init(_ changes: [Change], in folder: WorkFolder, key: RecordKey? = nil, waits: Bool) throws {
        (hidden, parent, isLeftover) = (folder.opened, folder.parent, false)
        new = try hidden.folder(Self.newName)
        manifest = TransactionManifest(
            try changes.map { [new, parent] in try .init($0, new: new, parent: parent) }, isInPlace: key != nil)
        if manifest.replaces { try hidden.createFolder(Self.oldName, .ownerReadWriteExecute) }
        old = manifest.replaces ? try hidden.folder(Self.oldName) : nil
        try manifest.write(in: hidden, key: key, waits: waits)
    }

    /// Writes the manifest of changes in place, and keeps what is replaced or removed as hard links, or as copies where the
    /// file system has none, so that each name always has a file. Nothing is changed yet; everything is on the disk.
    ///
    /// - Parameter changes: In their order. The file of the first one is locked until the transaction ends.
    package init(inPlace changes: [Change], in folder: WorkFolder, key: RecordKey) throws {
        try self.init(changes, in: folder, key: key, waits: true)
        for index in manifest.entries.indices {
            if let kept = kept(index) { try places(index).target.keep(as: kept) }
        }
        try old?.synchronize()
        try parent.synchronize()
    }

    /// The places of an entry: in `new` and in the parent.
    private func places(_ index: Int) throws(Errno) -> (new: FolderEntry, target: FolderEntry) {
        guard let name = manifest.entries[index].name else { throw .invalidArgument }
        return (new.entry(name), parent.entry(name))
    }

    /// Where what an entry replaces or removes is kept; nil if it does not.
    private func kept(_ index: Int) -> FolderEntry? {
        manifest.entries[index].old == nil ? nil : old?.entry("\(index)")
    }

    /// Keeps what an entry replaces: a file as a hard link, so that its name always has a file, or by moving it where the file
    /// system has no hard links. A folder is moved if another one replaces it.
    func keepOld(_ index: Int, usesHardLinks: Bool) throws(Errno) {
        let isFolder = manifest.entries[index].new?.isFolder == true
        guard let old = kept(index) else { return }
        let target = try places(index).target
        if try target.isFolder() {
            guard isFolder, target.path.isNamedAsBundle else { throw .isDirectory }
            return try target.move(to: old)
        }
        if isFolder { throw .notDirectory }
        do throws(Errno) {
            guard usesHardLinks else { throw .notSupported }
            try target.addName(old)
        } catch {
            guard error.meansNoSecondNames else { throw error }
            try target.move(to: old)
        }
    }

    /// Moves the new file or folder to its target, or removes a file.
    package func perform(_ index: Int) throws(Errno) {
        let (new, target) = try places(index)
        guard manifest.entries[index].new != nil else { return try target.remove() }
        if manifest.entries[index].old != nil, target.exists { return try new.move(to: target) }
        try new.place(at: target)
    }

    /// From now on, nothing is undone.
    package func commit() throws(Errno) {
        if manifest.replaces {
            try hidden.entry(Self.oldName).move(to: hidden.entry("obsolete"))
        } else {
            try manifest.remove(from: hidden)
        }
        // Otherwise a power failure could bring it back, and the next run would restore what was replaced.
        if manifest.replaces || manifest.isInPlace { try? hidden.synchronize() }
    }
}

// What a later run does.
extension FileTransaction {
    /// Ends a transaction that was not committed.
    ///
    /// - Parameter isLeftover: Whether a killed run left the hidden folder. If it replaces nothing and one of the new files is
    ///   in place, the others are put in place too: they were complete, checked and on the disk. All else is undone.
    /// - Returns: False if that is impossible now, or `old` has a file that exists nowhere else.
    static func end(in hidden: OpenFolder, of parent: OpenFolder, isLeftover: Bool) -> Bool {
        do {
            guard let transaction = try Self(readIn: hidden, of: parent, isLeftover: isLeftover) else {
                // Nothing is kept before the manifest is complete.
                try? hidden.entry(oldName).removeFolder()
                return !hidden.entry(oldName).exists
            }
            let completes = isLeftover && !transaction.manifest.replaces && !transaction.manifest.isInPlace
            guard try completes ? transaction.complete() : transaction.rollBack() else { return false }
            try transaction.commit()
            return true
        } catch {
            return false
        }
    }

    /// Nil if there is none, or it is committed.
    private init?(readIn hidden: OpenFolder, of parent: OpenFolder, isLeftover: Bool = true) throws {
        guard let manifest = try TransactionManifest.read(in: hidden) else { return nil }
        let old = hidden.entry(Self.oldName).exists ? try hidden.folder(Self.oldName) : nil
        if manifest.replaces, old == nil { return nil }
        (self.hidden, self.parent, self.old, self.manifest) = (hidden, parent, old, manifest)
        new = try hidden.folder(Self.newName)
        self.isLeftover = isLeftover
    }

    /// The names of the files that a transaction changes in place and has not committed.
    ///
    /// - Throws: `LivePhotoError` for a manifest that this user's program did not write there; `Errno`; `DecodingError`.
    package static func namesInPlace(in hidden: OpenFolder, of parent: OpenFolder) throws -> [FilePath.Component] {
        guard let manifest = try Self(readIn: hidden, of: parent)?.manifest, manifest.isInPlace else { return [] }
        return manifest.entries.filter { $0.new == nil || $0.old != nil }.compactMap(\.name)
    }

    /// The number of names that a hidden folder has for a file that is replaced or removed.
    package static func names(of file: FileIdentity, in hidden: OpenFolder) -> Int {
        guard let old = try? hidden.folder(oldName), let names = try? old.names() else { return 0 }
        return names.count { old.entry($0).identity == file }
    }

    /// - Returns: Whether nothing is left to do.
    private func complete() throws -> Bool {
        let isBegun = manifest.entries.contains { entry in
            entry.name.map { entry.new?.isFound(at: parent.entry($0)) == true } ?? false
        }
        guard isBegun else { return try rollBack() }
        for index in manifest.entries.indices {
            let (new, target) = try places(index)
            if new.hasReserved(target) {
                try new.move(to: target)
            } else if new.exists {
                // Unless its name was taken since.
                try? new.place(at: target)
            }
        }
        return true
    }

    /// - Returns: Whether nothing is left to undo.
    private func rollBack() throws -> Bool {
        let lock = isLeftover && manifest.isInPlace ? try lockFirst() : nil
        defer { withExtendedLifetime(lock) {} }
        if manifest.isInPlace {
            // If all files are gone, their owner has removed them.
            if try manifest.entries.indices.allSatisfy({ try places($0).target.status() == nil }) { return true }
            guard try manifest.entries.indices.allSatisfy(canRollBack) else { return false }
        }
        var isDone = true
        for index in manifest.entries.indices.reversed() where try !rollBack(index) { isDone = false }
        return isDone
    }

    /// Locks the first file against runs that change it: one may have begun after the owner of this transaction was killed.
    private func lockFirst() throws -> FileLock? {
        guard let first = manifest.entries.indices.first else { return nil }
        let target = try places(first).target
        return try target.exists ? FileLock(target) : nil
    }

    /// - Returns: Nil if nothing has the name.
    private func state(_ index: Int) throws -> ChangeInverse.State? {
        let entry = manifest.entries[index]
        let (new, target) = try places(index)
        if let change = entry.change { return try change.state(of: target) }
        guard try target.status() != nil else { return nil }
        // Where inode numbers do not last, only the run that has moved a folder recognizes it, or a file that got another time.
        let isMoved = !isLeftover && !new.exists && entry.new?.mayBe(at: target) == true
        let isPlaced = isMoved || entry.new?.isFound(at: target) == true
        guard let old = entry.old else {
            if isPlaced || new.hasReserved(target) { return .new }
            // Another file has the name. If the new one is gone, it was changed since it got the name.
            return manifest.isInPlace && entry.new != nil && !new.exists ? .changed : .old
        }
        // A file that is changed in place may be kept as a copy.
        if manifest.isInPlace, new.exists || !isPlaced, old.isFound(at: target) { return .old }
        // Nothing is replaced before the old one is kept.
        guard let kept = kept(index), kept.exists else { return manifest.isInPlace && !new.exists ? .changed : .old }
        if kept.identity == target.identity { return .old }
        return isPlaced || new.hasReserved(target) || kept.hasReserved(target) ? .new : .changed
    }

    /// Whether a file that is changed in place was not changed since, and its old one is there if it is needed.
    private func canRollBack(_ index: Int) throws -> Bool {
        let state = try state(index)
        guard state != .changed else { return false }
        guard state != .old, let old = manifest.entries[index].old, let kept = kept(index) else { return true }
        return try kept.exists ? old.isFound(at: kept, isCopy: true) : places(index).new.exists
    }

    private func rollBack(_ index: Int) throws -> Bool {
        let entry = manifest.entries[index]
        let (new, target) = try places(index)
        let kept = kept(index).flatMap { $0.exists ? $0 : nil }
        switch try state(index) {
        case .changed?: return false
        case _ where entry.change != nil: try entry.change?.undo(at: target)
        case nil: try kept?.place(at: target)
        case .old?: try kept?.remove()
        case .new?, .between?:
            if let kept, entry.new?.isFolder == false {
                try kept.move(to: target)
            } else {
                try takeBack(target, to: new)
                try kept?.place(at: target)
            }
        }
        return true
    }

    /// Removes a new file or folder from its target. A folder, which is not removed in one step, goes back to `new`.
    private func takeBack(_ target: FolderEntry, to new: FolderEntry) throws(Errno) {
        if try target.isFolder() { try target.move(to: new) } else { try target.remove() }
    }
}
