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

    /// Takes two files that are a pair: both carry the same content identifier, letter by letter.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be read, or are no pair. `LivePhotoVerifier` says all that is
    ///   wrong with them.
    public init(photo: FilePath, movie: FilePath) throws(LivePhotoError) {
        let facts = try PairFacts(photo: photo, movie: movie)
        let pairing: [Rule] = [
            .photoReadable, .movieReadable, .photoIdentifier, .movieIdentifier, .identifiersEqual, .identifierForm,
        ]
        if let message = pairing.lazy.flatMap({ $0.check(facts) }).first {
            throw LivePhotoError(.unusableMedia, photo, "is no Live Photo with \(movie): \(message)")
        }
        guard let identifier = facts.movieIdentifier.flatMap({ ContentIdentifier($0) }) else {
            throw LivePhotoError(.unusableMedia, movie, "has no content identifier that can be read")
        }
        self.init(photo: photo, movie: movie, contentIdentifier: identifier)
    }
}
