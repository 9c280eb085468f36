/// The time of the key photo in a clip as users write it: a `ClipTime`, or `auto` for the best frame.
public enum RequestedStill: OptionValue {
    /// The frame that the clip shows at this time.
    case time(ClipTime)
    /// The frame that looks best, of those at which the still can be: of the clip, or of the requested part.
    case best

    public static let kind = "a time in a clip"
    public static let allowed = "\(ClipTime.allowed), or \(bestText) for the best frame"
    public static let words = [bestText]
    public static let jsonSchema = ClipTime.schema(orPattern: bestText)

    package static let bestText = "auto"

    /// Reads `auto`, or what `ClipTime` reads.
    public init?(text: String) {
        if text == Self.bestText {
            self = .best
        } else if let time = ClipTime(text: text) {
            self = .time(time)
        } else {
            return nil
        }
    }

    /// The time; nil for the best frame.
    public var time: ClipTime? { if case .time(let time) = self { time } else { nil } }

    /// `2.5s`, `50%`, `#37` or `auto`.
    public var description: String { time?.description ?? Self.bestText }
}

extension RequestedStill {
    /// Reads what `encode(to:)` writes.
    ///
    /// - Throws: `DecodingError`, or `LivePhotoError` for text that is not a time.
    public init(from decoder: any Decoder) throws {
        let isBest = try? decoder.singleValueContainer().decode(String.self) == Self.bestText
        self = isBest == true ? .best : .time(try ClipTime(from: decoder))
    }

    /// Writes a time as `ClipTime` does.
    public func encode(to encoder: any Encoder) throws {
        if let time { return try time.encode(to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
