public import MediaModel
public import SystemPackage

/// A Live Photo on disk: a key photo and its paired video.
public struct LivePhoto: Sendable, Hashable {
    /// The key photo, a JPEG or HEIC.
    public var photo: FilePath
    /// The paired video, a QuickTime movie.
    public var movie: FilePath
    /// The identifier in both files.
    public var contentIdentifier: ContentIdentifier

    /// Describes a pair without reading the files.
    public init(photo: FilePath, movie: FilePath, contentIdentifier: ContentIdentifier) {
        self.photo = photo
        self.movie = movie
        self.contentIdentifier = contentIdentifier
    }

    /// Checks that both files have exactly the same content identifier.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be read or are no pair. `LivePhotoVerifier` reports everything that
    ///   is wrong with them.
    public init(photo: FilePath, movie: FilePath) throws(LivePhotoError) {
        let facts = try Self.pairFacts(photo: photo, movie: movie, Rule.pairing + [.identifierForm])
        guard let identifier = facts.movieIdentifier.flatMap({ ContentIdentifier($0) }) else {
            throw LivePhotoError(.unusableMedia, movie, "has no content identifier that can be read")
        }
        self.init(photo: photo, movie: movie, contentIdentifier: identifier)
    }
    /// Checks that both files have the same content identifier, whatever its form.
    ///
    /// - Throws: `LivePhotoError` for files that cannot be read or are no pair.
    static func check(photo: FilePath, movie: FilePath) throws(LivePhotoError) {
        _ = try pairFacts(photo: photo, movie: movie, Rule.pairing)
    }

    private static func pairFacts(
        photo: FilePath, movie: FilePath, _ rules: [Rule]
    ) throws(LivePhotoError) -> PairFacts {
        let facts = try PairFacts(photo: photo, movie: movie)
        if let message = rules.lazy.flatMap({ $0.check(facts) }).first {
            throw LivePhotoError(
                .unusableMedia, photo,
                "is not a Live Photo with \(movie): \(message); livephoto link makes a Live Photo of a photo and a movie"
            )
        }
        return facts
    }
}
