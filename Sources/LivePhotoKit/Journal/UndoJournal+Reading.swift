import Bytes
import SystemPackage

extension UndoJournal {
    static let lockName: FilePath.Component = "lock"

    /// Whether a folder has a journal, whoever wrote it.
    static func exists(in root: OpenFolder) -> Bool { root.entry(folderName).exists }

    /// The hidden folder in a folder, and the seal of its lines.
    ///
    /// - Parameter key: Nil if the user has none, so that the journal is not the user's.
    static func opened(
        in root: OpenFolder, _ key: RecordKey?
    ) throws(LivePhotoError) -> (folder: OpenFolder, seal: RecordSeal) {
        let path = root.entry(folderName).path
        do {
            guard let key else { throw foreign(path) }
            let folder = try root.hidden(folderName)
            return (folder, try RecordSeal(.journal, of: folder, key: key))
        } catch Errno.notDirectory, Errno.tooManySymbolicLinkLevels {
            throw LivePhotoError(
                .cannotCreateOutput, path, "is a link or a file in place of a journal; check it and move it away")
        } catch {
            throw error as? LivePhotoError ?? LivePhotoError(reading: path, error)
        }
    }

    static func lock(_ folder: OpenFolder) throws -> FileLock {
        do {
            return try FileLock(folder.entry(lockName).openState(writing: true, creating: .ownerReadWrite))
        } catch let error as LivePhotoError {
            guard error.code == .temporary else { throw error }
            throw LivePhotoError(
                .temporary, folder.path.folder,
                "another run of livephoto is changing pairs in this folder; try again when that has ended")
        } catch {
            // On a read-only or full file system. Not the folder, which publishing waits for.
            return try FileLock(folder.entry(fileName).openState())
        }
    }

    /// - Throws: `LivePhotoError`; `Errno`.
    static func read(in folder: OpenFolder, _ seal: RecordSeal) throws -> Content {
        let entry = folder.entry(fileName)
        var content = Content()
        guard entry.exists else { return content }
        do {
            content.lines = try seal.read(entry.openState(), limits) { bytes in
                content.add(try JSON.decode(JournalLine.self, from: bytes))
            }
        } catch let error as RecordSeal.ForeignLine {
            throw foreign(folder.path, at: error.offset)
        } catch let error as DecodingError {
            // Signed, so another version of this program wrote it.
            throw LivePhotoError(
                .unusableMedia, entry.path, "cannot be used by this version; nothing was undone or changed",
                cause: error)
        }
        return content
    }

    /// The entries of a journal that is not locked; none if there is no journal.
    ///
    /// - Throws: `LivePhotoError`; `Errno`.
    static func entries(in root: OpenFolder) throws -> [JournalEntry] {
        guard exists(in: root) else { return [] }
        let (folder, seal) = try opened(in: root, .existing())
        return try read(in: folder, seal).entries
    }

    private static func foreign(_ folder: FilePath, at offset: Int = 0) -> LivePhotoError {
        let place = offset > 0 ? " from byte \(offset) of its \(fileName) on" : ""
        return LivePhotoError(
            .unusableMedia, folder,
            "was not written there by you on this machine\(place), or not by this version; nothing was undone or changed; "
                + "move it away if you do not need it")
    }
}

extension UndoJournal {
    /// Whether any entry names a file.
    func names(_ file: FilePath) -> Bool {
        entries.contains { $0.paths.contains { path($0) == file } }
    }

    /// Returns where a file of an entry is, for messages; nil for a path that this program does not write.
    func path(_ recorded: FilePath) -> FilePath? {
        guard !recorded.isEmpty, recorded.isRelative, recorded.isLexicallyNormal,
            recorded.components.allSatisfy({ $0.kind == .regular })
        else { return nil }
        return root == "." ? recorded : root.appending(recorded.components)
    }

    /// A file of an entry, to whose folder no link leads.
    ///
    /// - Throws: `LivePhotoError` if there is no such folder, or for a path that this program does not write.
    func entry(_ recorded: FilePath) throws(LivePhotoError) -> FolderEntry {
        guard let path = path(recorded), let name = recorded.lastComponent else {
            throw LivePhotoError(.unusableMedia, folder.path, "names a file outside of its folder: \(recorded)")
        }
        let root = try rootFolder()
        do throws(Errno) {
            return try root.folder(at: recorded.removingLastComponent()).entry(name)
        } catch {
            guard error == .notDirectory || error == .tooManySymbolicLinkLevels else {
                throw LivePhotoError(reading: path, error)
            }
            throw LivePhotoError(
                .unusableMedia, path, "is left as it is, because a link or a file is in place of one of its folders")
        }
    }

    func recordedPath(_ path: FilePath) throws(LivePhotoError) -> FilePath {
        let path = path.relative(to: root)
        guard self.path(path) != nil else {
            throw LivePhotoError(.internalError, path, "internal error: it is not below \(root)")
        }
        return path
    }
}
