import SystemPackage

/// Puts the files and folders that are in `new` of a hidden folder in place, all of them or none, even if the process is
/// killed.
///
/// The hidden folder has the manifest, and `old` what is replaced, under the numbers of the entries. When everything is in
/// place, `old` gets another name, which commits the transaction; if there is none, removing the manifest does.
struct PublishTransaction {
    static let newName: FilePath.Component = "new"
    private static let oldName: FilePath.Component = "old"

    /// The hidden folder, and the one that it is in.
    private let hidden, parent: OpenFolder
    private let new: OpenFolder
    /// Nil if nothing is replaced.
    private let old: OpenFolder?
    private let manifest: PublishManifest

    private init(
        _ hidden: OpenFolder, in parent: OpenFolder, new: OpenFolder, old: OpenFolder?, _ manifest: PublishManifest
    ) {
        (self.hidden, self.parent, self.new, self.old, self.manifest) = (hidden, parent, new, old, manifest)
    }

    /// Writes the manifest. Nothing is moved yet.
    ///
    /// - Parameters:
    ///   - names: In the order in which they are put in place.
    ///   - replacing: Whether what has one of the names is replaced.
    ///   - waits: Whether to wait until the manifest is on the disk.
    init(
        _ names: [FilePath.Component], in folder: WorkFolder, replacing: Bool, waits: Bool
    ) throws {
        (hidden, parent) = (folder.opened, folder.parent)
        new = try hidden.folder(Self.newName)
        manifest = PublishManifest(
            entries: try names.map { [new, parent] in
                try .init(new.entry($0), replaces: replacing && parent.entry($0).exists)
            })
        try manifest.write(in: hidden, waits: waits)
        guard manifest.replaces else {
            old = nil
            return
        }
        try hidden.createFolder(Self.oldName, .ownerReadWriteExecute)
        old = try hidden.folder(Self.oldName)
        if waits { try hidden.synchronize() }
    }

    /// The places of an entry: in `new` and in the parent.
    private func places(_ index: Int) throws(Errno) -> (new: FolderEntry, target: FolderEntry) {
        guard let name = manifest.entries[index].name else { throw .invalidArgument }
        return (new.entry(name), parent.entry(name))
    }

    /// Where what an entry replaces is kept; nil if it replaces nothing.
    private func kept(_ index: Int) -> FolderEntry? {
        manifest.entries[index].replaces ? old?.entry("\(index)") : nil
    }

    /// Keeps what an entry replaces: a file as a hard link, so that its name always has a file, or by moving it where the file
    /// system has no hard links. A folder is moved if another one replaces it.
    func keepOld(_ index: Int, usesHardLinks: Bool) throws(Errno) {
        let entry = manifest.entries[index]
        guard let old = kept(index) else { return }
        let target = try places(index).target
        if try target.isFolder() {
            guard entry.isFolder, target.path.isNamedAsBundle else { throw .isDirectory }
            return try target.move(to: old)
        }
        if entry.isFolder { throw .notDirectory }
        do throws(Errno) {
            guard usesHardLinks else { throw .notSupported }
            try target.addName(old)
        } catch {
            guard error.meansNoSecondNames else { throw error }
            try target.move(to: old)
        }
    }

    /// Moves the new file or folder to its target.
    func place(_ index: Int) throws(Errno) {
        let (new, target) = try places(index)
        if manifest.entries[index].replaces, target.exists { return try new.move(to: target) }
        try new.place(at: target)
    }

    /// From now on, nothing is undone.
    func commit() throws(Errno) {
        guard manifest.replaces else { return try PublishManifest.remove(from: hidden) }
        try hidden.entry(Self.oldName).move(to: hidden.entry("obsolete"))
        // Otherwise a power failure could bring `old` back, and the next run would restore its files.
        try? hidden.synchronize()
    }
}

extension PublishTransaction {
    /// Ends a transaction that was not committed.
    ///
    /// - Parameter isLeftover: Whether a killed run left the hidden folder. If it replaces nothing and one of the new files is
    ///   in place, the others are put in place too: they were complete, checked and on the disk. All else is undone.
    /// - Returns: False if that is impossible now, or `old` has a file that exists nowhere else.
    static func end(in hidden: OpenFolder, of parent: OpenFolder, isLeftover: Bool) -> Bool {
        do {
            guard let manifest = try PublishManifest.read(in: hidden) else {
                // Nothing is moved before the manifest is complete.
                return !hidden.entry(oldName).exists
            }
            let old = hidden.entry(oldName).exists ? try hidden.folder(oldName) : nil
            // Nothing was kept yet, or all is committed.
            if manifest.replaces, old == nil { return true }
            let transaction = Self(hidden, in: parent, new: try hidden.folder(newName), old: old, manifest)
            guard try isLeftover && !manifest.replaces ? transaction.complete() : transaction.rollBack() else {
                return false
            }
            try transaction.commit()
            return true
        } catch {
            return false
        }
    }

    /// - Returns: True.
    private func complete() throws(Errno) -> Bool {
        let isBegun = manifest.entries.contains { entry in
            entry.name.map { entry.isFound(at: parent.entry($0)) } ?? false
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
    private func rollBack() throws(Errno) -> Bool {
        var isDone = true
        for index in manifest.entries.indices.reversed() where try !rollBack(index) { isDone = false }
        return isDone
    }

    private func rollBack(_ index: Int) throws(Errno) -> Bool {
        let entry = manifest.entries[index]
        let (new, target) = try places(index)
        let isPlaced = entry.isFound(at: target) || new.hasReserved(target)
        guard let old = kept(index) else {
            if isPlaced { try takeBack(target, to: new) }
            return true
        }
        guard let kept = old.identity else { return true }
        switch target.identity {
        case nil: try old.place(at: target)
        case kept?: try old.remove()
        case _ where !isPlaced && !old.hasReserved(target): return false
        case _ where entry.isFolder:
            try takeBack(target, to: new)
            try old.place(at: target)
        default: try old.move(to: target)
        }
        return true
    }

    /// Removes a new file or folder from its target. A folder, which is not removed in one step, goes back to `new`.
    private func takeBack(_ target: FolderEntry, to new: FolderEntry) throws(Errno) {
        if try target.isFolder() { try target.move(to: new) } else { try target.remove() }
    }
}
