import LivePhotoKit

/// The files of a Live Photo to edit: those of a pair, or files extracted from a container, which exist as long as this
/// value.
struct EditInput: Sendable {
    let pair: PairPaths
    /// What contains the files; nil for a pair.
    let container: FilePath?
    private let extracted: ExtractedLivePhoto?

    /// - Parameter directory: the output folder; containers are extracted into a hidden folder there.
    /// - Throws: `LivePhotoError` for a container whose files are no Live Photo.
    init(_ source: LivePhotoSource, to directory: FilePath) throws(LivePhotoError) {
        guard let container = source.container else {
            (pair, self.container, extracted) = (try source.files(), nil, nil)
            return
        }
        let extracted = try ExtractedLivePhoto(container, near: directory)
        let livePhoto = extracted.livePhoto
        (pair, self.container) = (try PairPaths(livePhoto.photo, livePhoto.movie), container.path)
        self.extracted = extracted
    }

    /// The files that the user knows.
    var names: [FilePath] { container.map { [$0] } ?? [pair.photo, pair.movie] }

    /// An error about an extracted file as one about its container.
    func named(_ error: LivePhotoError) -> LivePhotoError { extracted?.named(error) ?? error }

    /// Removes extracted files.
    func discard() { extracted?.discard() }
}
