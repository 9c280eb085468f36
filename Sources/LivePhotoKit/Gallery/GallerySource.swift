import SystemPackage

/// The files of a Live Photo in a gallery and what they are.
package struct GallerySource: Sendable {
    /// Files that exist as long as this value.
    package let pair: PairPaths
    package let facts: GalleryFacts
    /// Of the files of a container.
    package let copies: PairContainer.Copies?
    private let container: FilePath?

    /// - Parameter folder: Where copies of a container's files are created, without names.
    /// - Throws: `LivePhotoError` for a Live Photo that cannot be read.
    package init(_ item: GalleryItem, copyingTo folder: FilePath) throws(LivePhotoError) {
        let verifier = LivePhotoVerifier()
        switch item.source {
        case .unreadable(let error): throw error
        case .pair(let pair):
            (self.pair, facts, copies, container) = (pair, try GalleryFacts(pair, verifier), nil, nil)
        case .container(let path):
            let opened = try PairContainer(path)
            let copies = try opened.copies(in: folder)
            let pair = PairPaths(photo: copies.photo, movie: copies.movie)
            do throws(LivePhotoError) {
                facts = try GalleryFacts(opened, pair, verifier)
            } catch {
                throw Self.named(error, path)
            }
            (self.pair, self.copies, container) = (pair, copies, path)
        }
    }

    /// An error about a copy as one about the container.
    package func named(_ error: LivePhotoError) -> LivePhotoError {
        container.map { Self.named(error, $0) } ?? error
    }

    private static func named(_ error: LivePhotoError, _ container: FilePath) -> LivePhotoError {
        LivePhotoError(error.code, container, at: error.place, error.reason, cause: error.cause)
    }
}
