public import MediaModel

/// When to search a movie for its photo, which decodes the movie.
public enum StillSearch: Sendable, Hashable {
    /// If the movie has no still time.
    case ifUnknown
    /// Even if the movie has a still time.
    case always
    /// Never: a movie without a still time has its still in the middle.
    case never
}

/// The time in a movie at which its photo was taken, and how it was determined.
public struct StillMoment: Codable, Sendable, Hashable {
    /// How the time was determined.
    public enum Source: Codable, Sendable, Hashable {
        /// It was requested.
        case request
        /// It is the movie's still time.
        case movie
        /// It is the frame most similar to the photo: their structural similarity, 1 for equal pictures.
        case photo(similarity: Double)
        /// It is the time in the photo's metadata, as in a motion photo.
        case photoMetadata
        /// It is the middle of the movie, because neither file has it and the photo was not looked for.
        case middle
        /// Unknown: the movie's still time, or its middle.
        ///
        /// - Parameter reason: Why the photo was not found in the movie.
        case guess(reason: String)
    }

    /// The still time on the movie's timeline. A frame begins then, unless the movie's own is between two frames.
    public let time: MediaTime
    /// How the time was determined.
    public let source: Source

    /// A still time for linking; `FolderLinker.ChooseStill` returns one.
    public init(time: MediaTime, source: Source) {
        self.time = time
        self.source = source
    }
}
