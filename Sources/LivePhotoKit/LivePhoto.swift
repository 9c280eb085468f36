public import MediaModel
public import SystemPackage

/// A Live Photo on disk: a key photo and the movie paired with it.
public struct LivePhoto: Sendable, Hashable {
    /// The key photo, a JPEG or HEIC.
    public var photo: FilePath
    /// The paired movie, a QuickTime movie.
    public var movie: FilePath
    /// The identifier that both files carry.
    public var contentIdentifier: ContentIdentifier

    public init(photo: FilePath, movie: FilePath, contentIdentifier: ContentIdentifier) {
        self.photo = photo
        self.movie = movie
        self.contentIdentifier = contentIdentifier
    }
}
