import LivePhotoKit
import LivePhotoRequests

/// A Live Photo to edit: a pair, or files extracted from a container, which exist as long as this value.
struct EditInput: Sendable {
    let request: EditRequest
    private let extracted: ExtractedLivePhoto?

    /// - Throws: `LivePhotoError` for a container whose files are no Live Photo.
    init(_ source: LivePhotoSource, _ settings: EditSettings) throws(LivePhotoError) {
        extracted =
            if let container = source.container { try ExtractedLivePhoto(container, near: settings.folder ?? ".") } else
            { nil }
        let pair =
            if let livePhoto = extracted?.livePhoto {
                try PairPaths(livePhoto.photo, livePhoto.movie)
            } else {
                try source.files()
            }
        var request = EditRequest(pair, settings)
        request.container = source.container?.path
        self.request = request
    }

    /// An error about an extracted file as one about its container.
    func named(_ error: LivePhotoError) -> LivePhotoError { extracted?.named(error) ?? error }

    /// Removes extracted files.
    func discard() { extracted?.discard() }
}
