/// The format and metadata of a file. Picture and sound are not decoded.
///
/// Its properties are those of the JSON that `livephoto inspect --json` prints; times are in seconds, sizes of pictures
/// in pixels and of files in bytes.
public enum Inspection: Sendable, Hashable {
    /// A JPEG, HEIC or AVIF.
    case photo(PhotoInspection)
    /// A QuickTime movie or MP4.
    case movie(MovieInspection)
    /// A file or folder that contains both.
    case bundle(BundleInspection)

    /// Increases when a property is removed or changes its meaning, not when one is added.
    public static let schema = 1

    /// The content identifier as spelled in the file; nil for a bundle or if there is none.
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

    /// Writes `schema`, `kind` (`photo`, `movie` or `bundle`), and the description under the name of its kind.
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

/// A metadata value and its name.
public struct InspectedValue: Sendable, Hashable, Encodable {
    /// The name of its key: `com.apple.quicktime.make`.
    public let name: String
    /// How the value is stored: `utf8`, `int8`, …
    public let type: String
    /// The value as text for display.
    public let value: String
}
