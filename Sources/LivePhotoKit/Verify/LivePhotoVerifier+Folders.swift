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
    /// - Throws: `CancellationError`.
    public func verify(
        below folders: [FilePath], comparing compare: PictureComparison? = nil, width: Int,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> LibraryReport {
        let tree = try await FileTree(
            below: folders, movieKinds: FileTree.movieExtensions.union(ExportedName.motionExtensions))
        let total = 2 * (tree.photos.count + tree.movies.count)
        let items = try await TreeItems(tree, width: width, seeksMotionPhotos: true) { progress($0, total) }
        var unreadable = items.unreadable
        let found = PairFinder(photos: items.photos, movies: items.movies)
        let start = tree.photos.count + tree.movies.count
        let reports = try await concurrentMap(
            found.pairs, width: width,
            progress: { progress(start + 2 * $0, total) }
        ) { pair -> Result<VerificationReport, LivePhotoError> in
            do throws(LivePhotoError) {
                return .success(try await verify(photo: pair.photo, movie: pair.movie, comparing: compare))
            } catch {
                return .failure(error)
            }
        }
        let motionPhotos = try await concurrentMap(
            found.motionPhotos, width: width,
            progress: { progress(start + 2 * found.pairs.count + $0, total) }
        ) { path in
            Result { () throws(LivePhotoError) in try verify(motionPhoto: path) }
        }
        for case .failure(let error) in reports { unreadable.append(error) }
        for case .failure(let error) in motionPhotos { unreadable.append(error) }
        return LibraryReport(
            pairs: reports.compactMap { try? $0.get() }, motionPhotos: motionPhotos.compactMap { try? $0.get() },
            files: fileFindings(found), ordinaryFiles: found.ordinary, unreadable: unreadable)
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
