import Bytes
import QuickTime
import StillImage
import SystemPackage

/// The photos and movies of a tree with the content identifiers that they carry.
struct TreeItems {
    let photos: [PairFinder.Item]
    let movies: [PairFinder.Item]
    /// Folders that could not be listed and files that could not be opened, and why.
    let unreadable: [LivePhotoError]

    /// Reads of each file only where its identifier is. One that is no photo or movie, whatever its name says, carries
    /// nothing.
    ///
    /// - Parameters:
    ///   - width: how many files at a time.
    ///   - progress: called with the number of files read.
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
        self.photos = readable(photos)
        self.movies = readable(movies)
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
