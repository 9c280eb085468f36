import LivePhotoKit
import SystemPackage

/// The files of an item, which exist as long as this value.
struct OpenedItem: Sendable {
    /// The clip, or the movie of a Live Photo.
    let movie: FilePath
    /// The key photo of a Live Photo; nil for a clip.
    let photo: FilePath?
    /// The files of a container.
    let extracted: ExtractedLivePhoto?

    /// - Throws: `LivePhotoError` for what cannot be read.
    init(_ item: StudioItem) throws(LivePhotoError) {
        switch item.source {
        case .unreadable(let error): throw error
        case .clip(let path): (movie, photo, extracted) = (path, nil, nil)
        case .pair(let pair): (movie, photo, extracted) = (pair.movie, pair.photo, nil)
        case .container(let path):
            let copy = try ExtractedLivePhoto(PairContainer(path), near: nil)
            (movie, photo, extracted) = (copy.livePhoto.movie, copy.livePhoto.photo, copy)
        }
    }

    /// Both files; nil for a clip.
    var pair: PairPaths? { photo.map { PairPaths(photo: $0, movie: movie) } }

    /// The Live Photo that an edit changes.
    ///
    /// - Throws: `LivePhotoError` for a clip.
    func livePhoto() throws(LivePhotoError) -> PairPaths {
        guard let pair else { throw LivePhotoError(.invalidRequest, movie, "is a clip, not a Live Photo") }
        return pair
    }
}
