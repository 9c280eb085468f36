public import LivePhotoKit
import MediaModel

/// The date, location and camera that a clip contains; nil if it does not.
public struct ClipMetadata: Sendable, Hashable, Codable {
    /// When the clip was recorded.
    public var captureDate: CaptureDate?
    /// Where the clip was recorded.
    public var location: GeographicLocation?
    /// The camera's maker.
    public var make: String?
    /// The camera's model.
    public var model: String?

    /// Metadata for a request or a plan; every property is optional.
    public init(
        captureDate: CaptureDate? = nil, location: GeographicLocation? = nil, make: String? = nil, model: String? = nil
    ) {
        self.captureDate = captureDate
        self.location = location
        self.make = make
        self.model = model
    }

    /// Reads the values; texts are shortened to what is shown of them.
    ///
    /// - Throws: `DecodingError` for an invalid date or place.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            captureDate: try container.decodeIfPresent(CaptureDate.self, forKey: .captureDate),
            location: try container.decodeIfPresent(GeographicLocation.self, forKey: .location),
            make: try container.optional(.make) { try $0.text($1, limit: AnswerLimits.line) },
            model: try container.optional(.model) { try $0.text($1, limit: AnswerLimits.line) })
    }
}

extension ClipMetadata: CustomStringConvertible {
    /// `Apple, iPhone 15 Plus, 2025-01-01T11:11:23+0900, +35.7143+139.7963/`; empty if all are nil.
    public var description: String {
        [make, model, captureDate?.iso8601, location?.iso6709].compactMap { $0 }.joined(separator: ", ")
    }
}
