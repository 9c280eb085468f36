public import MediaModel

/// A position in a clip as users write it: `2.5`, `2.5s`, `1500ms`, `0:01:02.5`, `50%` or `#37`.
///
/// The conversion plan checks that the clip is long enough.
public enum ClipTime: OptionValue {
    /// Seconds from the clip's first frame: `2.5` is exactly 25/10.
    case seconds(MediaTime)
    /// A fraction of the clip's duration: `50%` is its middle.
    case part(ClipPart)
    /// A frame number in presentation order, counted from 0: `#37`.
    case frame(Int)

    public static let kind = "a time in a clip"
    public static let allowed =
        "\(MediaTime.allowed), a percentage of the clip (0% to 100%) or a frame number from 0 (#37)"
    public static let jsonSchema = schema()

    /// - Parameter other: a pattern that is allowed as an alternative.
    static func schema(orPattern other: String? = nil) -> String {
        let own = #"(100(\\.0*)?|[0-9]{1,2}(\\.[0-9]{0,4})?)%|#[0-9]{1,9}"#
        return MediaTime.schema(orPattern: own + (other.map { "|\($0)" } ?? ""), examples: ##"2.5, "50%", "#37""##)
    }

    /// Reads a duration as `MediaTime.init(text:)` does, a percentage, or `#` and a frame number.
    public init?(text: String) {
        let time: ClipTime? =
            if text.hasPrefix("#") {
                wholeNumber(text.dropFirst()).map(ClipTime.frame)
            } else if text.hasSuffix("%") {
                ExactDecimal(text.dropLast(), places: 4).flatMap { ClipPart(millionths: Int($0.units(of: 4))) }
                    .map(ClipTime.part)
            } else {
                MediaTime(text: text).map(ClipTime.seconds)
            }
        guard let time else { return nil }
        self = time
    }

    /// `2.5s`, `50%` or `#37`.
    public var description: String {
        switch self {
        case .seconds(let time): time.optionText
        case .part(let part): part.description
        case .frame(let number): "#\(number)"
        }
    }
}

extension ClipTime {
    /// Reads what `encode(to:)` writes: a `MediaTime`, or text.
    ///
    /// - Throws: `DecodingError`, or `LivePhotoError` for text that is not a time.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let time = try? container.decode(MediaTime.self) {
            self = .seconds(time)
        } else {
            self = try ClipTime(container.decode(String.self))
        }
    }

    /// Writes seconds as a `MediaTime`, because text cannot represent every time exactly.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .seconds(let time) = self { try container.encode(time) } else { try container.encode(description) }
    }
}

/// A fraction of a clip's duration in millionths: 50 % is 500,000.
public struct ClipPart: Sendable, Hashable {
    /// The fraction times 1,000,000, from 0 to 1,000,000.
    public let millionths: Int

    package static let all = ClipPart(checkedMillionths: 1_000_000)

    private init(checkedMillionths: Int) {
        millionths = checkedMillionths
    }

    /// A fraction in millionths; nil outside of 0…1,000,000.
    public init?(millionths: Int) {
        guard (0...1_000_000).contains(millionths) else { return nil }
        self.millionths = millionths
    }

    /// This fraction of `duration`, rounded to the nearest tick of its timescale.
    public func of(_ duration: MediaTime) -> MediaTime {
        let ticks = Int128(duration.value) * Int128(millionths)
        let rounded = ticks.divided(by: 1_000_000, .toNearestOrAwayFromZero)
        return MediaTime(value: Int64(clamping: rounded), timescale: duration.timescale)
    }
}

extension ClipPart: CustomStringConvertible {
    /// `50%`
    public var description: String { decimalText(Int64(millionths), places: 4) + "%" }
}
