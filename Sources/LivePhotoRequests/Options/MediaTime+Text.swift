public import MediaModel

/// A length of time.
extension MediaTime: OptionValue {
    public static let kind = "a length of time"
    public static let allowed = "seconds (2.5, 2.5s or 1500ms) or a clock's time (1:02.5 or 0:01:02.5)"
    public static let jsonSchema = schema(orPattern: nil, examples: #"1.5, "1500ms""#)

    /// - Parameter other: a pattern of what may be written instead of a length of time.
    static func schema(orPattern other: String?, examples: String) -> String {
        let seconds = #"([0-9]{1,9}(\\.[0-9]{0,9})?|\\.[0-9]{1,9})s?"#
        let milliseconds = #"([0-9]{1,9}(\\.[0-9]{0,6})?|\\.[0-9]{1,6})ms"#
        let clock = #"([0-9]+:[0-5]?[0-9]|[0-9]+):[0-5]?[0-9](\\.[0-9]{0,9})?"#
        let pattern = ([seconds, milliseconds, clock] + [other].compactMap(\.self)).joined(separator: "|")
        return #"""
            "type": ["number", "string"], "minimum": 0, "exclusiveMaximum": 1000000000, "pattern": "^(\#(pattern))$", \#
            "examples": [\#(examples)]
            """#
    }

    /// The exact time that `text` spells: seconds as `2.5` or `2.5s`, milliseconds as `1500ms`, or minutes and seconds,
    /// with or without hours, as `1:02.5` and `0:01:02.5`. Nil for anything else, among it a minute or second of 60
    /// behind a colon, more than nine decimals of a second, and 10^9 seconds or more.
    public init?(text: String) {
        if text.utf8.contains(UInt8(ascii: ":")) {
            self.init(clock: text)
        } else if text.hasSuffix("ms") {
            guard let number = ExactDecimal(text.dropLast(2), places: 6) else { return nil }
            self.init(units: number.units, places: number.places + 3)
        } else {
            guard let number = ExactDecimal(text.hasSuffix("s") ? text.dropLast() : text[...], places: 9) else {
                return nil
            }
            self.init(units: number.units, places: number.places)
        }
    }

    /// `h:m:s` or `m:s`; only the first number may exceed what a clock shows.
    private init?(clock text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let seconds = ExactDecimal(parts[parts.count - 1], places: 9) else {
            return nil
        }
        let numbers = parts.dropLast().compactMap { wholeNumber($0) }
        guard numbers.count == parts.count - 1, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let (minutes, scale) = (numbers.reduce(0) { $0 * 60 + $1 }, powerOfTen(seconds.places))
        guard seconds.units < 60 * scale, minutes < 1_000_000_000 / 60 else { return nil }
        self.init(units: Int64(minutes) * 60 * scale + seconds.units, places: seconds.places)
    }

    /// `units` / 10^`places` seconds, with at most nine places.
    private init(units: Int64, places: Int) {
        // 10^9 fits in 32 bits.
        self.init(value: units, timescale: Int32(powerOfTen(places)))
    }

    /// Seconds with as many decimals as needed, at most nine, and the unit: `2.5s`. Exact for every time read from text.
    public var optionText: String { decimalText(rescaled(to: 1_000_000_000).value, places: 9) + "s" }
}
