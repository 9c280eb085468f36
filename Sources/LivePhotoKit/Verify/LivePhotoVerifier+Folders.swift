import Bytes
import MediaModel
import QuickTime
import StillImage
public import SystemPackage

extension LivePhotoVerifier {
    /// Finds the pairs below some folders and verifies them. Of each file only what describes it is read.
    ///
    /// - Parameters:
    ///   - width: how many files at a time.
    ///   - progress: called with the number of files read and of all that there are, on any thread.
    /// - Throws: `CancellationError`.
    public func verify(
        below folders: [FilePath], width: Int,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) async throws -> LibraryReport {
        let tree = FileTree(below: folders)
        let total = 2 * (tree.photos.count + tree.movies.count)
        let photos = try await concurrentMap(tree.photos, width: width, progress: { progress($0, total) }) { path in
            PairFinder.Item.read(path) { file in
                let photo = try PhotoMetadata(file)
                return try? photo.contentIdentifier.get()
            }
        }
        let movies = try await concurrentMap(
            tree.movies, width: width, progress: { progress(tree.photos.count + $0, total) }
        ) { path in
            PairFinder.Item.read(path) { try MovieReader.contentIdentifier(of: $0) }
        }
        var unreadable = tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) }
        func readable(_ items: [Result<PairFinder.Item, LivePhotoError>]) -> [PairFinder.Item] {
            items.compactMap { item in
                do throws(LivePhotoError) {
                    return try item.get()
                } catch {
                    unreadable.append(error)
                    return nil
                }
            }
        }
        let found = PairFinder(photos: readable(photos), movies: readable(movies))
        let start = tree.photos.count + tree.movies.count
        let reports = try await concurrentMap(
            found.pairs.map { PairOfPaths(photo: $0.photo, movie: $0.movie) }, width: width,
            progress: { progress(start + 2 * $0, total) }
        ) { pair in
            Result { () throws(LivePhotoError) in try verify(photo: pair.photo, movie: pair.movie) }
        }
        var pairs: [VerificationReport] = []
        for report in reports {
            do throws(LivePhotoError) {
                pairs.append(try report.get())
            } catch {
                unreadable.append(error)
            }
        }
        return LibraryReport(
            pairs: pairs, files: fileFindings(found), ordinaryFiles: found.ordinary, unreadable: unreadable)
    }

    private struct PairOfPaths: Sendable {
        let photo: FilePath
        let movie: FilePath
    }

    private func fileFindings(_ found: PairFinder) -> [LibraryReport.FileFinding] {
        func finding(_ rule: Rule, _ files: [FilePath], _ identifier: String?, _ message: String)
            -> LibraryReport.FileFinding?
        {
            guard rules.contains(rule) else { return nil }
            return LibraryReport.FileFinding(
                files: files, contentIdentifier: identifier ?? "", finding: Finding(rule, message))
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
                    "\($0.files.count) files carry the content identifier \(quoted($0.identifier))")
            }
    }
}

extension PairFinder.Item {
    /// A file that is no photo or movie, whatever its name says, carries nothing.
    fileprivate static func read(
        _ path: FilePath, identifier: (InputFile) throws -> String?
    ) -> Result<Self, LivePhotoError> {
        do {
            return .success(Self(path: path, identifier: try identifier(InputFile(path))))
        } catch is ParseError {
            return .success(Self(path: path, identifier: nil))
        } catch {
            return .failure(LivePhotoError(reading: path, error))
        }
    }
}
