public import MediaModel

/// The allowed frame rates of a movie: `12-15`, `24000/1001-30`, or a single rate such as `15`.
///
/// A rate is a whole number or a fraction. Decimals are rejected: `29.97` nearly always means 30000/1001, which is a
/// different number.
public struct FrameRateRange: OptionValue {
    /// The lowest allowed rate; at least 1 frame per second.
    public let lower: FrameRate
    /// The highest allowed rate; from `lower` to 240 frames per second.
    public let upper: FrameRate

    /// A range of rates, including both; nil unless 1 ≤ `lower` ≤ `upper` ≤ 240.
    public init?(lower: FrameRate, upper: FrameRate) {
        guard lower <= upper, lower.numerator >= lower.denominator,
            Int64(upper.numerator) <= 240 * Int64(upper.denominator)
        else { return nil }
        self.lower = lower
        self.upper = upper
    }

    /// All frames of a clip at their own times: nearly all clips are slower and keep theirs.
    package static let everyFrame = FrameRateRange(checked: .whole(240))

    private init(checked rate: FrameRate) {
        (lower, upper) = (rate, rate)
    }

    /// A range whose ends may be outside of what users can write.
    init(unchecked lower: FrameRate, _ upper: FrameRate) {
        (self.lower, self.upper) = (lower, upper)
    }

    public static let kind = "a range of frame rates"
    public static let allowed =
        "a range within 1 to 240, such as 12-15, or one rate, such as 15 or 30000/1001"
    public static let jsonSchema = #"""
        "type": ["integer", "string"], "minimum": 1, "maximum": 240, \#
        "pattern": "^[0-9]{1,9}(/[0-9]{1,9})?(-[0-9]{1,9}(/[0-9]{1,9})?)?$", "examples": ["12-15", 30]
        """#

    /// Reads a rate or two rates with a hyphen between them; rates are whole numbers or fractions.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, let lower = FrameRate(text: parts[0]),
            let upper = FrameRate(text: parts[parts.count - 1])
        else { return nil }
        self.init(lower: lower, upper: upper)
    }

    /// Whether a rate is in the range, including its ends.
    public func contains(_ rate: FrameRate) -> Bool { lower <= rate && rate <= upper }

    /// `12-15`, or `15` if both ends are equal.
    public var description: String {
        lower == upper ? lower.optionText : "\(lower.optionText)-\(upper.optionText)"
    }
}

extension FrameRate {
    /// `15` or `30000/1001`.
    fileprivate init?(text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { wholeNumber($0).flatMap(Int32.init(exactly:)) }
        guard (1...2).contains(parts.count), numbers.count == parts.count else { return nil }
        self.init(numbers[0], numbers.count == 2 ? numbers[1] : 1)
    }

    fileprivate var optionText: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
