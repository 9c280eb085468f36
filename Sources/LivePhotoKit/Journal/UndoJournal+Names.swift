import Bytes
import SystemPackage

extension UndoJournal {
    /// The folders of a file and its parents, the nearest first.
    static func folders(of file: FilePath) -> some Sequence<OpenFolder> {
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
