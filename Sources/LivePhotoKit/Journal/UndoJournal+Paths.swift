import SystemPackage

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

    /// - Throws: `LivePhotoError` for a file outside of the journal's folder.
    func recordedPath(_ path: FilePath) throws(LivePhotoError) -> FilePath {
        var relative = path
        if root == "." ? path.isRelative : relative.removePrefix(root), self.path(relative) != nil { return relative }
        // The folder may be written in another way.
        if let name = path.lastComponent,
            let identity = FileIdentity(root.orCurrentFolder, followingLink: true),
            identity == FileIdentity(path.folder.orCurrentFolder, followingLink: true)
        {
            return FilePath(root: nil, [name])
        }
        throw LivePhotoError(.internalError, path, "internal error: it is not below \(root)")
    }
}
