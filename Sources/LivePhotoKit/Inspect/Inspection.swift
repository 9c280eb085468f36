/// What a file is, and what it says of itself. The picture and the sound are not looked at.
///
/// Its properties are those of the JSON that `livephoto inspect --json` prints; times are in seconds, sizes of pictures
/// in pixels and of files in bytes.
public enum Inspection: Sendable, Hashable {
    case photo(PhotoInspection)
    case movie(MovieInspection)
    /// A file or folder that holds both.
    case bundle(BundleInspection)

    /// Grows when a property changes its meaning or goes away; new ones may come without.
    public static let schema = 1

    /// What makes it part of a Live Photo, as it is spelt there.
    public var contentIdentifier: String? {
        switch self {
        case .photo(let photo): photo.contentIdentifier
        case .movie(let movie): movie.contentIdentifier
        case .bundle: nil
        }
    }
}

extension Inspection: Encodable {
    private enum Keys: String, CodingKey {
        case schema, kind, photo, movie, bundle
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(Self.schema, forKey: .schema)
        switch self {
        case .photo(let photo):
            try container.encode("photo", forKey: .kind)
            try container.encode(photo, forKey: .photo)
        case .movie(let movie):
            try container.encode("movie", forKey: .kind)
            try container.encode(movie, forKey: .movie)
        case .bundle(let bundle):
            try container.encode("bundle", forKey: .kind)
            try container.encode(bundle, forKey: .bundle)
        }
    }
}

/// A value that a file keeps under a name.
public struct InspectedValue: Sendable, Hashable, Encodable {
    /// `com.apple.quicktime.make`
    public let name: String
    /// How the value is stored: `utf8`, `int8`, …
    public let type: String
    /// As a person reads it.
    public let value: String
}
