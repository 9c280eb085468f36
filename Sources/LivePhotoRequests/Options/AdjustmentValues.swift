import MediaModel

/// How far an adjustment goes, from -100 to 100; 0 changes nothing.
public struct AdjustmentAmount: OptionValue {
    /// From -100 to 100.
    public let value: Int

    public static let kind = "an amount"
    public static let allowed = "a whole number from -100 to 100"
    public static let jsonSchema =
        #""type": ["integer", "string"], "minimum": -100, "maximum": 100, "pattern": "^[+-]?0*([1-9]?[0-9]|100)$""#

    /// An amount; nil outside of -100…100.
    public init?(_ value: Int) {
        guard (-100...100).contains(value) else { return nil }
        self.value = value
    }

    /// Reads a whole number, perhaps with a sign.
    public init?(text: String) {
        guard let number = SignedDecimal(text, places: 0) else { return nil }
        self.init(number.units)
    }

    /// `-20`
    public var description: String { "\(value)" }
}

/// How strong an adjustment is, from 0 to 100; 0 changes nothing.
public struct AdjustmentStrength: OptionValue {
    /// From 0 to 100.
    public let value: Int

    public static let kind = "a strength"
    public static let allowed = "a whole number from 0 to 100"
    public static let jsonSchema =
        #""type": ["integer", "string"], "minimum": 0, "maximum": 100, "pattern": "^0*([1-9]?[0-9]|100)$""#

    /// A strength; nil outside of 0…100.
    public init?(_ value: Int) {
        guard (0...100).contains(value) else { return nil }
        self.value = value
    }

    /// Reads a whole number.
    public init?(text: String) {
        guard let number = wholeNumber(text) else { return nil }
        self.init(number)
    }

    /// `40`
    public var description: String { "\(value)" }
}

/// A change of brightness in stops, from -5 to 5.
public struct ExposureValue: OptionValue {
    /// Hundredths of a stop.
    public let hundredths: Int
    /// The change in stops.
    public var stops: Double { Double(hundredths) / 100 }

    public static let kind = "an exposure"
    public static let allowed = "stops from -5 to 5 with at most two decimals, such as 0.5 or -1"
    public static let jsonSchema = #"""
        "type": ["number", "string"], "minimum": -5, "maximum": 5, \#
        "pattern": "^[+-]?(0*5(\\.0*)?|0*[0-4]?(\\.[0-9]*)?)$"
        """#

    /// A change from its hundredfold; nil outside of -500…500.
    public init?(hundredths: Int) {
        guard (-500...500).contains(hundredths) else { return nil }
        self.hundredths = hundredths
    }

    /// Reads a number with at most two decimals, perhaps with a sign.
    public init?(text: String) {
        guard let number = SignedDecimal(text, places: 2) else { return nil }
        self.init(hundredths: number.units)
    }

    /// `0.5`
    public var description: String { SignedDecimal.text(hundredths, places: 2) }
}

/// A small rotation in degrees, clockwise, from -45 to 45.
public struct StraighteningAngle: OptionValue {
    /// Hundredths of a degree.
    public let hundredths: Int
    /// The angle in degrees.
    public var degrees: Double { Double(hundredths) / 100 }

    public static let kind = "an angle"
    public static let allowed = "degrees from -45 to 45 with at most two decimals, such as 1.5 or -3"
    public static let jsonSchema = #"""
        "type": ["number", "string"], "minimum": -45, "maximum": 45, \#
        "pattern": "^[+-]?0*(45(\\.0*)?|([0-3]?[0-9]|4[0-4])?(\\.[0-9]*)?)$"
        """#

    /// An angle from its hundredfold; nil outside of -4500…4500.
    public init?(hundredths: Int) {
        guard (-4500...4500).contains(hundredths) else { return nil }
        self.hundredths = hundredths
    }

    /// Reads a number with at most two decimals, perhaps with a sign.
    public init?(text: String) {
        guard let number = SignedDecimal(text, places: 2) else { return nil }
        self.init(hundredths: number.units)
    }

    /// `-1.5`
    public var description: String { SignedDecimal.text(hundredths, places: 2) }
}

/// A change of loudness: a factor from 0 (silent) to 4 (12 dB louder).
public struct AudioVolume: OptionValue {
    /// The factor times 100.
    public let percent: Int
    /// The factor for samples.
    public var factor: Double { Double(percent) / 100 }

    public static let kind = "a volume"
    public static let allowed = "a factor from 0 to 4 with at most two decimals, such as 0.5"
    public static let jsonSchema = #"""
        "type": ["number", "string"], "minimum": 0, "maximum": 4, \#
        "pattern": "^(0*4(\\.0*)?|0*[0-3]?(\\.[0-9]*)?)$"
        """#

    /// A factor from its hundredfold; nil outside of 0…400.
    public init?(percent: Int) {
        guard (0...400).contains(percent) else { return nil }
        self.percent = percent
    }

    /// Reads a number with at most two decimals.
    public init?(text: String) {
        guard let number = ExactDecimal(text, places: 2) else { return nil }
        self.init(percent: Int(number.units(of: 2)))
    }

    /// `0.5`
    public var description: String { decimalText(Int64(percent), places: 2) }
}

/// A decimal number that may have a sign, without rounding.
private struct SignedDecimal {
    /// The number times a power of ten.
    let units: Int

    /// Nil for more than `places` decimals, and for what is no number.
    init?(_ text: String, places: Int) {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard let number = ExactDecimal(digits, places: places) else { return nil }
        units = Int(number.units(of: places)) * (isNegative ? -1 : 1)
    }

    /// `-0.5` of -50 with two places.
    static func text(_ units: Int, places: Int) -> String {
        (units < 0 ? "-" : "") + decimalText(Int64(abs(units)), places: places)
    }
}
