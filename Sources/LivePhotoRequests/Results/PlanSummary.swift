public import LivePhotoKit

/// What a plan decides about a Live Photo, as far as people and programs want to know; `description` prints all of it.
public struct PlanSummary: Sendable, Hashable, Codable {
    /// How long the clip lasts.
    public let clipDuration: MediaTime
    public let contentIdentifier: ContentIdentifier
    /// The moment of the clip at which the movie begins.
    public let start: MediaTime
    /// The moment of the clip whose frame becomes the key photo: that frame's own presentation time.
    public let stillInClip: MediaTime
    /// The key photo's moment on the movie's timeline; a frame of the movie has exactly this time.
    public let stillTime: MediaTime
    /// How long the movie lasts.
    public let duration: MediaTime
    public let frameCount: Int
    /// The movie's nominal frame rate.
    public let frameRate: FrameRate
    /// The movie's pictures, upright.
    public let movieSize: PixelSize
    /// The key photo, upright.
    public let photoSize: PixelSize
    /// Date, place and camera, written to both the photo and the movie.
    public let metadata: ClipMetadata
    /// What the user may want to know: each one sentence.
    public let warnings: [String]
    /// The plan as lines of `name: value`, without its warnings.
    private let text: String

    /// - Parameter text: the plan as lines of `name: value`.
    package init(
        clipDuration: MediaTime, contentIdentifier: ContentIdentifier, start: MediaTime, stillInClip: MediaTime,
        stillTime: MediaTime, duration: MediaTime, frameCount: Int, frameRate: FrameRate, movieSize: PixelSize,
        photoSize: PixelSize, metadata: ClipMetadata, warnings: [String], text: String
    ) {
        self.clipDuration = clipDuration
        self.contentIdentifier = contentIdentifier
        self.start = start
        self.stillInClip = stillInClip
        self.stillTime = stillTime
        self.duration = duration
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.movieSize = movieSize
        self.photoSize = photoSize
        self.metadata = metadata
        self.warnings = warnings
        self.text = text
    }
}

extension PlanSummary: CustomStringConvertible {
    public var description: String { ([text] + warnings.map { "warning: \($0)" }).joined(separator: "\n") }
}
