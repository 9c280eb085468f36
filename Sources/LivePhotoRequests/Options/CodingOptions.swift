/// The constant rate factor of libx265, from 0 (best) to 51 (worst); adding 6 gives about half the file size.
public struct ConstantRateFactor: OptionValue {
    /// The factor times 100, so that comparison is exact.
    public let hundredths: Int

    public static let kind = "a CRF"
    public static let allowed = "a number from 0 to 51 with at most two decimals"
    public static let jsonSchema = #"""
        "type": ["number", "string"], "minimum": 0, "maximum": 51, \#
        "pattern": "^(51(\\.0*)?|([0-4]?[0-9]|50)(\\.[0-9]{0,2})?)$"
        """#

    /// A factor from its hundredfold; nil outside of 0…5100.
    public init?(hundredths: Int) {
        guard (0...5100).contains(hundredths) else { return nil }
        self.hundredths = hundredths
    }

    /// Reads a number with at most two decimals: `20.5`.
    public init?(text: String) {
        guard let number = ExactDecimal(text, places: 2) else { return nil }
        self.init(hundredths: Int(number.units(of: 2)))
    }

    /// `20` or `20.5`, as in the encoders' option `crf`.
    public var description: String { decimalText(Int64(hundredths), places: 2) }
}

/// The constant rate factor of libx264, from 1 (best) to 51 (worst); adding 6 gives about half the file size. Lower ones make
/// x264 encode without loss, which the High profile does not allow.
public struct X264RateFactor: OptionValue {
    /// The factor times 100, so that comparison is exact.
    public let hundredths: Int

    public static let kind = ConstantRateFactor.kind
    public static let allowed = "a number from 1 to 51 with at most two decimals"
    public static let jsonSchema = #"""
        "type": ["number", "string"], "minimum": 1, "maximum": 51, \#
        "pattern": "^(51(\\.0*)?|([0-4]?[0-9]|50)(\\.[0-9]{0,2})?)$"
        """#

    /// A factor from its hundredfold; nil outside of 100…5100.
    public init?(hundredths: Int) {
        guard (100...5100).contains(hundredths) else { return nil }
        self.hundredths = hundredths
    }

    /// Reads a number with at most two decimals: `20.5`.
    public init?(text: String) {
        guard let factor = ConstantRateFactor(text: text) else { return nil }
        self.init(hundredths: factor.hundredths)
    }

    /// `20` or `20.5`, as in the encoder's option `crf`.
    public var description: String { decimalText(Int64(hundredths), places: 2) }
}

/// Photo quality on the scale of the Independent JPEG Group, from 1 (smallest file) to 100 (best picture).
public struct PhotoQuality: OptionValue {
    /// The quality, from 1 to 100.
    public let value: Int

    public static let kind = "a photo quality"
    public static let allowed = "a whole number from 1 to 100"
    public static let jsonSchema =
        #""type": ["integer", "string"], "minimum": 1, "maximum": 100, "pattern": "^0*([1-9][0-9]?|100)$""#

    /// A quality; nil outside of 1…100.
    public init?(_ value: Int) {
        guard (1...100).contains(value) else { return nil }
        self.value = value
    }

    /// Reads a whole number.
    public init?(text: String) {
        guard let number = wholeNumber(text) else { return nil }
        self.init(number)
    }

    /// `92`
    public var description: String { "\(value)" }
}

/// An audio bit rate: `128k` or `96000`.
public struct BitRate: OptionValue {
    /// From 8,000 to 512,000. The maximum of AAC-LC in stereo at 44.1 kHz is 529,200 (ISO/IEC 14496-3: 6,144 bits per
    /// frame and channel).
    public let bitsPerSecond: Int

    package static let lowest = 8_000

    public static let kind = "a bit rate"
    public static let allowed = "bits per second from 8k to 512k, such as 128k or 128000"
    public static let jsonSchema =
        #""type": ["integer", "string"], "minimum": 8000, "maximum": 512000, "pattern": "^[0-9]{1,6}k?$""#

    /// A rate in bits per second; nil outside of 8,000…512,000.
    public init?(bitsPerSecond: Int) {
        guard (Self.lowest...512_000).contains(bitsPerSecond) else { return nil }
        self.bitsPerSecond = bitsPerSecond
    }

    /// Reads bits per second, or thousands of them with a `k`.
    public init?(text: String) {
        let isThousands = text.hasSuffix("k")
        guard let number = wholeNumber(isThousands ? text.dropLast() : text[...]) else { return nil }
        self.init(bitsPerSecond: number * (isThousands ? 1000 : 1))
    }

    /// `128k`, or `44100` for a rate that is not a multiple of 1000.
    public var description: String {
        bitsPerSecond.isMultiple(of: 1000) ? "\(bitsPerSecond / 1000)k" : "\(bitsPerSecond)"
    }
}
