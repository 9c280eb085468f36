import Bytes
import QuickTime
import StillImage
import SystemPackage

/// The photos and movies of a tree with their content identifiers.
struct TreeItems {
    let photos: [PairFinder.Item]
    let movies: [PairFinder.Item]
    /// Folders that could not be listed and files that could not be opened, and why.
    let unreadable: [LivePhotoError]

    /// Reads only the part of each file that has its identifier. Files that are no photos or movies have none.
    ///
    /// - Parameters:
    ///   - width: How many files at a time.
    ///   - progress: Called with the number of files read.
    /// - Throws: `CancellationError`.
    init(_ tree: FileTree, width: Int, progress: (Int) -> Void = { _ in }) async throws {
        let photos = try await concurrentMap(tree.photos, width: width, progress: progress) { path in
            Self.item(path) { file in
                let photo = try PhotoMetadata(file)
                return try? photo.contentIdentifier.get()
            }
        }
        let movies = try await concurrentMap(
            tree.movies, width: width, progress: { progress(tree.photos.count + $0) }
        ) { path in
            Self.item(path) { try MovieReader.contentIdentifier(of: $0) }
        }
        self.photos = photos.compactMap { try? $0.get() }
        self.movies = movies.compactMap { try? $0.get() }
        var unreadable = tree.unreadable.map { LivePhotoError(reading: $0.path, $0.reason) }
        for case .failure(let error) in photos + movies { unreadable.append(error) }
        self.unreadable = unreadable
    }

    private static func item(
        _ path: FilePath, identifier: (InputFile) throws -> String?
    ) -> Result<PairFinder.Item, LivePhotoError> {
        do {
            return .success(PairFinder.Item(path: path, identifier: try identifier(InputFile(path))))
        } catch is ParseError {
            return .success(PairFinder.Item(path: path, identifier: nil))
        } catch {
            return .failure(LivePhotoError(reading: path, error))
        }
    }
}
