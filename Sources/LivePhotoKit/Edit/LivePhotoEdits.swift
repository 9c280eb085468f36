public import MediaModel

/// Changes of a Live Photo that need no new pixels. All times are on the movie's timeline before the change.
public struct LivePhotoEdits: Sendable, Hashable {
    /// The content identifier of the result.
    public enum Identity: Sendable, Hashable {
        /// Copies get a new one, because two Live Photos with one identifier are ambiguous; files in place keep theirs.
        case automatic
        /// That of the files.
        case kept
        /// This one.
        case set(ContentIdentifier)
    }

    /// Moves the still time to the frame nearest to this time; nil keeps it. The key photo keeps its picture.
    public var stillTime: MediaTime?
    /// The movie begins with the frame nearest to this time, or with the key frame before it; nil keeps its start.
    public var start: MediaTime?
    /// The movie ends with the frame before the one nearest to this time; nil keeps its end.
    public var end: MediaTime?
    /// Whether the tracks of sound are removed.
    public var removesSound = false
    /// Replaces the dates of both files; nil keeps them.
    public var captureDate: CaptureDate?
    /// The content identifier of the result.
    public var identity = Identity.automatic
    /// Whether the photo is replaced too, by something else.
    package var replacesPhoto = false

    /// No change.
    public init() {}
}
