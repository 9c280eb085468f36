import MediaModel
public import SystemPackage

extension LivePhotoVerifier {
    /// Finds the pairs and motion photos below some folders and verifies them, without reading pictures and sound.
    /// Motion photos that are part of a pair are verified only as that.
    ///
    /// - Parameters:
    ///   - folders: The folders to search, with all folders below them.
    ///   - compare: Compares pictures; nil skips the rule about them.
    ///   - width: How many files at a time.
    ///   - progress: Called with the number of steps done and their total, on any thread.
    ///   - onResult: Called with each result as soon as it is certain: first pairs whose files have one name and one content
    ///     identifier, then other pairs, motion photos, findings about files, and what cannot be read.
    /// - Throws: `CancellationError`; errors of `onResult`.
    public func verify(
        below folders: [FilePath], comparing compare: PictureComparison? = nil, width: Int,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        onResult: (LibraryReport.Entry) throws -> Void = { _ in }
    ) async throws -> LibraryReport {
        var run = LibraryVerification(self, comparing: compare, width: width, progress: progress)
        let found = try await run.read(below: folders) { try onResult(.pair($0)) }
        try await run.verify(found.pairs) { try onResult(.pair($0)) }
        try await run.verify(motionPhotos: found.motionPhotos) { try onResult(.motionPhoto($0)) }
        let files = fileFindings(found)
        for finding in files { try onResult(.files(finding)) }
        let unreadable = run.unreadable + found.unreadable
        for error in unreadable { try onResult(.unreadable(error)) }
        return LibraryReport(
            pairs: run.pairs, motionPhotos: run.motionPhotos, files: files,
            ordinaryFiles: found.ordinary, unreadable: unreadable)
    }

    private func fileFindings(_ found: PairFinder) -> [LibraryReport.FileFinding] {
        func finding(_ rule: Rule, _ files: [FilePath], _ identifier: StoredIdentifier?, _ message: String)
            -> LibraryReport.FileFinding?
        {
            guard rules.contains(rule) else { return nil }
            return LibraryReport.FileFinding(
                files: files, contentIdentifier: identifier?.text.string() ?? "", finding: Finding(rule, message))
        }
        return found.photosAlone.compactMap {
            finding(.photoAlone, [$0.path], $0.identifier, "no movie carries the photo's content identifier")
        }
            + found.moviesAlone.compactMap {
                finding(.movieAlone, [$0.path], $0.identifier, "no photo carries the movie's content identifier")
            }
            + found.sharedIdentifiers.compactMap {
                finding(
                    .identifierShared, $0.files, $0.identifier,
                    "\($0.files.count) files carry the content identifier \(quoted($0.identifier.text))")
            }
    }
}
