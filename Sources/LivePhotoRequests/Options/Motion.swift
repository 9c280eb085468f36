package import MediaModel

/// How a movie plays the frames of its clip. Nil leaves a property as it is.
public struct Motion: Sendable, Hashable, Codable {
    /// What is made from the frames.
    public var effect: MotionEffect?
    /// How fast the movie plays.
    public var speed: PlaybackSpeed?

    /// All frames, once, at their own speed.
    public init() {}

    /// Whether nothing changes: a speed of 1 is like none.
    public var isIdentity: Bool { effect == nil && (speed?.percent ?? 100) == 100 }
}

/// What is made from the frames of a movie, as Photos on Apple's devices names it.
public enum MotionEffect: String, OptionChoice {
    /// The movie is the part of the frames whose end joins its start best, with a crossfade, so that it can play again and
    /// again. It has no sound.
    case loop
    /// The movie plays forward and then backward. It has no sound.
    case bounce
    /// The key photo is the mean of all frames, in linear light. The movie stays.
    case longExposure = "long-exposure"

    public static let kind = "an effect"
    public static let allowed = "loop, bounce (a boomerang) or long-exposure"

    /// Whether the movie shows its frames in another order, so that sound no longer fits.
    package var reordersFrames: Bool { self != .longExposure }
}

/// How fast a movie plays: a factor from 0.25 to 4. Frames are neither made up nor blended.
public struct PlaybackSpeed: OptionValue {
    /// The factor times 100.
    public let percent: Int
    /// The factor: 2 plays twice as fast.
    public var factor: Double { Double(percent) / 100 }

    public static let kind = "a speed"
    public static let allowed = "a factor from 0.25 to 4 with at most two decimals, such as 0.5"
    public static let jsonSchema = #"""
        "type": ["number", "string"], "minimum": 0.25, "maximum": 4, \#
        "pattern": "^(0*4(\\.0*)?|0*[1-3](\\.[0-9]*)?|0*\\.(2[5-9]|[3-9])[0-9]*)$"
        """#

    /// A factor from its hundredfold; nil outside of 25…400.
    public init?(percent: Int) {
        guard (25...400).contains(percent) else { return nil }
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

extension FrameRateRange {
    /// The rates of frames in the clip that give rates in this range when a movie plays at `speed`. At higher speed, no
    /// frames beyond 60 a second are kept, or beyond the clip's own rate.
    package func ofClip(playedAt speed: PlaybackSpeed?, clipRate: FrameRate) -> FrameRateRange {
        guard let speed, speed.percent != 100 else { return self }
        func scaled(_ rate: FrameRate) -> FrameRate? {
            let (numerator, denominator) = (Int64(rate.numerator) * 100, Int64(rate.denominator) * Int64(speed.percent))
            return FrameRate(Int32(clamping: numerator), Int32(clamping: denominator))
        }
        let highest = min(upper, max(clipRate, .whole(60)))
        guard let upper = scaled(highest), let lower = scaled(min(lower, highest)) else { return self }
        return FrameRateRange(unchecked: lower, upper)
    }
}

extension FrameRate {
    /// The rate of these frames in a movie that plays at `speed`.
    package func played(at speed: PlaybackSpeed?) -> FrameRate {
        guard let speed, speed.percent != 100 else { return self }
        let (numerator, denominator) = (Int64(numerator) * Int64(speed.percent), Int64(denominator) * 100)
        return FrameRate(Int32(clamping: numerator), Int32(clamping: denominator)) ?? self
    }
}
