/// Frames per second as a fraction: 30000/1001.
public struct FrameRate: Sendable, Hashable {
    /// The number of frames in `denominator` seconds, in lowest terms; at least 1.
    public let numerator: Int32
    /// The number of seconds that `numerator` frames take, in lowest terms; at least 1.
    public let denominator: Int32

    /// The fraction in lowest terms; nil unless both numbers are positive.
    public init?(_ numerator: Int32, _ denominator: Int32 = 1) {
        guard numerator > 0, denominator > 0 else { return nil }
        let divisor = Int32(greatestCommonDivisor(UInt64(numerator), UInt64(denominator)))
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// A whole number of frames per second; at least 1.
    public static func whole(_ framesPerSecond: Int32) -> FrameRate {
        FrameRate(numerator: max(framesPerSecond, 1), denominator: 1)
    }

    private init(numerator: Int32, denominator: Int32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The rate as a decimal number, such as 29.97; for output only.
    public var framesPerSecond: Double { Double(numerator) / Double(denominator) }

    /// The duration of one frame.
    public var frameDuration: MediaTime { MediaTime(value: Int64(denominator), timescale: numerator) }

    /// The rate if only every `count`-th frame is kept.
    package func divided(by count: Int32) -> FrameRate? {
        let (product, overflow) = denominator.multipliedReportingOverflow(by: count)
        return overflow ? nil : FrameRate(numerator, product)
    }

    /// The rate if each frame is shown `count` times.
    package func multiplied(by count: Int32) -> FrameRate? {
        let (product, overflow) = numerator.multipliedReportingOverflow(by: count)
        return overflow ? nil : FrameRate(product, denominator)
    }
}

extension FrameRate: Codable {
    /// Reads numerator and denominator.
    ///
    /// - Throws: `DecodingError` unless both are positive.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let numerator = try container.decode(Int32.self, forKey: .numerator)
        guard let rate = FrameRate(numerator, try container.decode(Int32.self, forKey: .denominator)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .numerator, in: container, debugDescription: "a frame rate is above zero")
        }
        self = rate
    }
}

extension FrameRate: Comparable {
    public static func < (left: FrameRate, right: FrameRate) -> Bool {
        Int64(left.numerator) * Int64(right.denominator) < Int64(right.numerator) * Int64(left.denominator)
    }
}

extension FrameRate: CustomStringConvertible {
    /// `14.985 fps`
    public var description: String { "\(decimal(framesPerSecond, places: 3)) fps" }
}
