public import MediaModel

/// The moment of a movie at which its photo was taken, and who says so.
public struct StillMoment: Sendable, Hashable {
    public enum Source: Sendable, Hashable {
        /// Who asked for the link.
        case request
        /// The movie.
        case movie
        /// The frame that is most like the photo: their structural similarity, 1 for equal pictures.
        case photo(similarity: Double)
        /// Nobody: it is where the movie says, or else in its middle.
        ///
        /// - Parameter reason: why the photo was not found, in words.
        case guess(reason: String)
    }

    /// On the movie's timeline; a frame begins then.
    public let time: MediaTime
    public let source: Source

    public init(time: MediaTime, source: Source) {
        self.time = time
        self.source = source
    }
}
