import SystemPackage

extension UndoJournal {
    /// The number of hard links that the journals in a file's folder and its parents have made of the file.
    static func names(of file: FilePath) -> Int {
        guard let identity = FileIdentity(file) else { return 0 }
        var count = 0
        var folder = CurrentProcess.folder.pushing(file).lexicallyNormalized()
        while folder.removeLastComponent() {
            let kept = folder.appending(folderName)
            count += ((try? FileSystem.names(in: kept)) ?? []).count { FileIdentity(kept.appending($0)) == identity }
        }
        return count
    }
}

extension UndoJournal {
    /// The other command that has changed the movie of an entry after it, according to any journal in the movie's folder or
    /// its parents; nil if the movie is as the entry left it, or something else has changed it.
    func laterCommand(after entry: JournalEntry) -> InPlaceUndo.Command? {
        guard let movie = path(entry.movie.path.path), (try? entry.movie.state(of: movie)) == .changed,
            let identity = FileIdentity(movie, followingLink: true)
        else { return nil }
        var folder = CurrentProcess.folder.pushing(movie).lexicallyNormalized()
        while folder.removeLastComponent() {
            let isThis = FileIdentity(folder) == FileIdentity(root, followingLink: true)
            let others = isThis ? entries : ((try? Self.entries(in: folder)) ?? [])
            let later = others.last { other in
                other.undoneBy != entry.undoneBy
                    && FileIdentity(folder.pushing(other.movie.path.path), followingLink: true) == identity
                    && (try? other.movie.state(of: movie)) == .new
            }
            if let later { return later.undoneBy }
        }
        return nil
    }
}
