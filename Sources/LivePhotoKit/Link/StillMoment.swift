public import MediaModel

/// The time in a movie at which its photo was taken, and how it was determined.
public struct StillMoment: Sendable, Hashable {
    /// How the time was determined.
    public enum Source: Sendable, Hashable {
        /// It was requested.
        case request
        /// It is the movie's still time.
        case movie
        /// It is the frame most similar to the photo: their structural similarity, 1 for equal pictures.
        case photo(similarity: Double)
        /// Unknown: the movie's still time, or its middle.
        ///
        /// - Parameter reason: Why the photo was not found in the movie.
        case guess(reason: String)
    }

    /// The still time on the movie's timeline; a frame begins then.
    public let time: MediaTime
    /// How the time was determined.
    public let source: Source

    /// A still time for linking; `FolderLinker.ChooseStill` returns one.
    public init(time: MediaTime, source: Source) {
        self.time = time
        self.source = source
    }
}
