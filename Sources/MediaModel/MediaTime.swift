/// A time or duration as a whole number of ticks of 1/timescale second.
///
/// Times compare and add exactly, whatever their timescales. Seconds as `Double` are for input and output only.
public struct MediaTime: Sendable {
    /// The number of ticks.
    public let value: Int64
    /// Ticks a second; at least 1.
    public let timescale: Int32

    /// About 100 years in seconds, which no clip reaches.
    private static let longest: Int64 = 3_200_000_000

    /// The start of a timeline, or an empty duration.
    public static let zero = MediaTime(value: 0, timescale: 1)

    /// A time of `value` ticks. A timescale below 1 is a programming error and ends the process.
    public init(value: Int64, timescale: Int32) {
        precondition(timescale > 0, "a timescale is at least 1")
        self.value = value
        self.timescale = timescale
    }

    /// The time nearest to `seconds` on the grid of `timescale`.
    ///
    /// Times are limited to ±100 years, which no clip reaches.
    public init(seconds: Double, timescale: Int32) {
        let limit = Double(Self.longest)
        let clamped = seconds.isNaN ? 0 : min(max(seconds, -limit), limit)
        self.init(value: Int64((clamped * Double(timescale)).rounded()), timescale: timescale)
    }

    /// The time in seconds, rounded to a `Double`; for output only.
    public var seconds: Double { Double(value) / Double(timescale) }

    /// This time on another grid.
    public func rescaled(to timescale: Int32, _ rounding: FloatingPointRoundingRule = .toNearestOrAwayFromZero)
        -> MediaTime
    {
        guard timescale != self.timescale else { return self }
        let (numerator, denominator) = (Int128(value) * Int128(timescale), Int128(self.timescale))
        return MediaTime(value: Int64(clamping: numerator.divided(by: denominator, rounding)), timescale: timescale)
    }
}

extension Int128 {
    /// The rounded quotient by a positive `denominator`.
    package func divided(by denominator: Int128, _ rounding: FloatingPointRoundingRule) -> Int128 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: denominator)
        guard remainder != 0 else { return quotient }
        let away: Int128 = remainder > 0 ? 1 : -1
        let twice = remainder.magnitude * 2
        let half = denominator.magnitude
        switch rounding {
        case .up: return remainder > 0 ? quotient + 1 : quotient
        case .down: return remainder < 0 ? quotient - 1 : quotient
        case .towardZero: return quotient
        case .awayFromZero: return quotient + away
        case .toNearestOrAwayFromZero: return twice >= half ? quotient + away : quotient
        case .toNearestOrEven:
            if twice == half { return quotient.isMultiple(of: 2) ? quotient : quotient + away }
            return twice > half ? quotient + away : quotient
        @unknown default: return quotient
        }
    }
}

extension MediaTime: Comparable, Hashable {
    public static func == (left: MediaTime, right: MediaTime) -> Bool {
        Int128(left.value) * Int128(right.timescale) == Int128(right.value) * Int128(left.timescale)
    }

    public static func < (left: MediaTime, right: MediaTime) -> Bool {
        Int128(left.value) * Int128(right.timescale) < Int128(right.value) * Int128(left.timescale)
    }

    public func hash(into hasher: inout Hasher) {
        let divisor = greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(value / Int64(divisor))
        hasher.combine(Int64(timescale) / Int64(divisor))
    }
}

extension MediaTime: AdditiveArithmetic {
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime { left.combined(right, +) }
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime { left.combined(right, -) }

    /// Exact if the common timescale fits in 32 bits, as it does for real clips; otherwise rounded to the finer of the
    /// two timescales. Overflow, which only damaged clips cause, gives the nearest value of 64 bits.
    private func combined(_ other: MediaTime, _ operation: (Int128, Int128) -> Int128) -> MediaTime {
        let grid = commonTimescale(with: other)
        let ticks = operation(Int128(rescaled(to: grid).value), Int128(other.rescaled(to: grid).value))
        return MediaTime(value: Int64(clamping: ticks), timescale: grid)
    }

    private func commonTimescale(with other: MediaTime) -> Int32 {
        guard timescale != other.timescale else { return timescale }
        let divisor = greatestCommonDivisor(UInt64(timescale), UInt64(other.timescale))
        let common = Int64(timescale) / Int64(divisor) * Int64(other.timescale)
        return Int32(exactly: common) ?? max(timescale, other.timescale)
    }
}

extension MediaTime {
    /// The time without its sign.
    package var magnitude: MediaTime { self < .zero ? .zero - self : self }

    /// Half of it; rounded if its timescale cannot be doubled.
    package var halved: MediaTime {
        timescale <= Int32.max / 2
            ? MediaTime(value: value, timescale: timescale * 2) : MediaTime(value: value / 2, timescale: timescale)
    }
}

extension MediaTime: Codable {
    /// Reads value and timescale.
    ///
    /// - Throws: `DecodingError` for a timescale below 1, and for a time of more than 100 years before or after 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        timescale = try container.decode(Int32.self, forKey: .timescale)
        value = try container.decode(Int64.self, forKey: .value)
        guard timescale > 0, value.magnitude <= Self.longest.magnitude * UInt64(timescale) else {
            throw DecodingError.dataCorruptedError(
                forKey: .timescale, in: container,
                debugDescription: "a timescale is at least 1, and a time at most 100 years")
        }
    }
}

extension MediaTime: CustomStringConvertible {
    /// Seconds with at most three decimals: `2.5 s`.
    public var description: String { "\(decimal(seconds, places: 3)) s" }
}

package func greatestCommonDivisor(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var (larger, smaller) = (first, second)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return max(larger, 1)
}
