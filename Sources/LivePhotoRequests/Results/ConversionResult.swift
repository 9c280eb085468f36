public import LivePhotoKit

/// A Live Photo that was made, checked and published.
public struct ConversionResult: Sendable, Hashable {
    public let livePhoto: LivePhoto
    /// What was decided.
    public let plan: PlanSummary
    /// What the user may want to know: each one sentence.
    public let warnings: [String]

    /// The key photo's file.
    public var photo: FilePath { livePhoto.photo }
    /// The paired video's file.
    public var movie: FilePath { livePhoto.movie }
}

/// How far a conversion is.
public struct ConversionProgress: Sendable, Hashable {
    /// Frames of the movie that are encoded.
    public let frames: Int
    /// Frames that the movie will have.
    public let totalFrames: Int

    package init(frames: Int, totalFrames: Int) {
        (self.frames, self.totalFrames) = (frames, totalFrames)
    }
}
