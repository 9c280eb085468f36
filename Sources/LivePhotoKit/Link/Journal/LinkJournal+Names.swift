import SystemPackage

extension LinkJournal {
    /// The number of hard links that the journals in a photo's folder and its parents have made of the photo.
    static func names(of photo: FilePath) -> Int {
        guard let identity = FileIdentity(photo) else { return 0 }
        var count = 0
        var folder = CurrentProcess.folder.pushing(photo).lexicallyNormalized()
        while folder.removeLastComponent() {
            let kept = folder.appending(folderName)
            count += ((try? FileSystem.names(in: kept)) ?? []).count { FileIdentity(kept.appending($0)) == identity }
        }
        return count
    }
}
