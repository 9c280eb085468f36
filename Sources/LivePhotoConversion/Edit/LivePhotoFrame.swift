public import MediaModel

/// A picture of a Live Photo that is being edited: a frame of its movie, or its photo.
public struct LivePhotoFrame: Sendable {
    /// What a picture belongs to.
    public enum Kind: Sendable, Hashable {
        /// The key photo.
        case photo
        /// A frame of the paired video.
        case video
    }

    /// The picture, upright, after cropping and all adjustments of the edit.
    public let image: LivePhotoImage
    /// The presentation time in the edited movie, from its start; for the photo, the still time.
    public let time: MediaTime
    /// What the picture belongs to.
    public let kind: Kind
    /// The size of `image` relative to that of the saved photo or movie: below 1 for a preview. Multiply radii and
    /// other lengths in pixels by it.
    public let renderScale: Double
}

/// Makes the edited picture of each frame, in the size that it was given.
///
/// It is called for one frame at a time: in the order of time for those of the movie, then once for the photo. If the movie
/// changes its size in a way that was not expected, the edit begins again. What it throws ends the edit and is thrown by it.
public typealias LivePhotoFrameProcessor = @Sendable (LivePhotoFrame) throws -> LivePhotoImage
