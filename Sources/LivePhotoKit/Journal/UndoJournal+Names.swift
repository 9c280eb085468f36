import Bytes
import SystemPackage

extension UndoJournal {
    /// The folders of a file and its parents, the nearest first.
    private static func folders(of file: FilePath) -> some Sequence<OpenFolder> {
        var folder = CurrentProcess.folder.pushing(file).lexicallyNormalized()
        return sequence(state: ()) { _ -> OpenFolder?? in
            folder.removeLastComponent() ? .some(try? OpenFolder(named: folder)) : nil
        }.lazy.compactMap { $0 }
    }

    /// The number of hard links that the journals in a file's folder and its parents have made of the file.
    static func names(of file: FilePath, _ identity: FileIdentity) -> Int {
        folders(of: file).reduce(0) { count, folder in
            guard let kept = try? folder.hidden(folderName) else { return count }
            return count + ((try? kept.names()) ?? []).count { kept.entry($0).identity == identity }
        }
    }

    /// The other command that has changed the movie of an entry after it, according to any journal in the movie's folder or
    /// its parents; nil if the movie is as the entry left it, or something else has changed it.
    func laterCommand(after entry: JournalEntry) -> InPlaceUndo.Command? {
        guard let place = try? self.entry(entry.movie.path.path), let movie = try? place.open(),
            (try? entry.movie.state(of: movie)) == .changed, let status = try? movie.status(),
            let own = try? Stat(folder.descriptor)
        else { return nil }
        for parent in Self.folders(of: place.path) {
            let isThis = parent.entry(Self.folderName).identity == FileIdentity(own)
            let others = isThis ? entries : ((try? Self.entries(in: parent)) ?? [])
            let later = others.last { other in
                let path = other.movie.path.path
                guard other.undoneBy != entry.undoneBy, let name = path.lastComponent,
                    let folder = try? parent.folder(at: path.removingLastComponent())
                else { return false }
                return folder.entry(name).identity == FileIdentity(status)
                    && (try? other.movie.state(of: movie)) == .new
            }
            if let later { return later.undoneBy }
        }
        return nil
    }
}

extension InputFile {
    /// Whether the file has no other names than those that this program keeps it under in hidden folders, so that writing
    /// to it changes no file elsewhere.
    ///
    /// - Throws: `Errno` of fstat(2).
    func hasOnlyOwnNames() throws(Errno) -> Bool {
        let status = try Stat(descriptor)
        guard status.linkCount > 1 else { return true }
        let identity = FileIdentity(status)
        return Int(status.linkCount)
            <= 1 + UndoJournal.names(of: path, identity) + PairTransaction.names(of: path, identity)
    }
}
