public import MediaModel

extension MediaTime: OptionValue {
    public static let kind = "a duration"
    public static let allowed = "seconds (2.5, 2.5s or 1500ms), minutes (1:02.5) or hours (0:01:02.5)"
    public static let jsonSchema = schema(orPattern: nil, examples: #"1.5, "1500ms""#)

    /// - Parameter other: a pattern that is allowed as an alternative to a duration.
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

    /// Reads seconds (`2.5`, `2.5s`), milliseconds (`1500ms`), minutes and seconds (`1:02.5`) or hours, minutes and
    /// seconds (`0:01:02.5`) exactly. Nil for anything else, including 60 or more after a colon, over nine decimals of
    /// a second, and 10^9 seconds or more.
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

    /// Reads `h:m:s` or `m:s`. Numbers after a colon must be below 60.
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

    /// Seconds with at most nine decimals: `2.5s`. Exact for every time read from text.
    public var optionText: String { decimalText(rescaled(to: 1_000_000_000).value, places: 9) + "s" }

    /// `2.5 s`, or with the text that it was read from, `0:01:02.5 (62.5 s)`, so that users recognize what they wrote.
    package func shown(as text: String?) -> String {
        guard let text else { return description }
        let number = text.hasSuffix("s") ? text.dropLast() : text[...]
        return ExactDecimal(number, places: 9) == nil ? "\(text) (\(self))" : "\(number) s"
    }
}
