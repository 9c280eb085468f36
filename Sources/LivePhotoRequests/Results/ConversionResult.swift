public import LivePhotoKit

/// A Live Photo that was made, checked and published.
public struct ConversionResult: Sendable, Hashable {
    public let livePhoto: LivePhoto
    public let plan: PlanSummary
    /// Each is one sentence.
    public let warnings: [String]

    public var photo: FilePath { livePhoto.photo }
    public var movie: FilePath { livePhoto.movie }
}

/// The progress of a conversion.
public struct ConversionProgress: Sendable, Hashable {
    /// The number of encoded frames of the movie.
    public let frames: Int
    /// The number of frames that the movie will have.
    public let totalFrames: Int

    package init(frames: Int, totalFrames: Int) {
        (self.frames, self.totalFrames) = (frames, totalFrames)
    }
}
