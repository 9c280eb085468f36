package import MediaModel

/// How the clip's frames become the movie's frames.
package enum Cadence: Sendable, Hashable {
    /// Frames are on a grid of this rate that is anchored at the still time; each is the nearest source frame. If the
    /// rate is the source's divided by a whole number, that is every n-th frame, with exact times.
    case grid(FrameRate)
    /// The source is slower than the range and keeps its frames and their times, at most `limit` frames a second.
    case source(FrameRate, limit: FrameRate)

    /// The nominal rate of the movie.
    package var frameRate: FrameRate {
        switch self {
        case .grid(let rate), .source(let rate, _): rate
        }
    }

    /// 23.976 counts as 24: television rates slowed by 1000/1001 belong to the range of their nominal rate.
    private static let tolerance = 1.0011

    private static let mostRepeats = 240.0

    /// How often each frame has to be shown to get a rate in the range, to 2 %, as the rates of phones vary; 1 if no number of
    /// times gives one.
    package func repeats(in range: FrameRateRange) -> Int {
        guard case .source(let frameRate, _) = self else { return 1 }
        let rate = frameRate.framesPerSecond
        let (lower, upper) = (range.lower.framesPerSecond, range.upper.framesPerSecond)
        let tolerance = 1.02
        let times = (lower / rate / tolerance).rounded(.up)
        return times <= Self.mostRepeats && rate * times <= upper * tolerance ? Int(times) : 1
    }

    package init(source: SourceRate, range: FrameRateRange) {
        let tolerance = Self.tolerance
        let rate = source.rate.framesPerSecond
        if rate * tolerance < range.lower.framesPerSecond {
            self = .source(source.rate, limit: range.upper)
            return
        }
        guard source.isRegular else {
            self = .grid(range.upper)
            return
        }
        let divisor = Int32((rate / range.upper.framesPerSecond / tolerance).rounded(.up))
        if let divided = source.rate.divided(by: max(divisor, 1)),
            divided.framesPerSecond * tolerance >= range.lower.framesPerSecond
        {
            self = .grid(divided)
        } else {
            self = .grid(range.upper)
        }
    }
}

/// The clip's actual frame rate, measured from presentation times.
package struct SourceRate: Sendable, Hashable {
    package let rate: FrameRate
    /// Whether nearly all frames have the same duration; a few lost frames do not matter.
    package let isRegular: Bool

    /// - Parameters:
    ///   - times: presentation times in ascending order.
    ///   - nominal: the container's rate; used if it agrees with the times, which may be coarse.
    package init(times: [MediaTime], nominal: FrameRate?) {
        let steps = zip(times.dropFirst(), times).map { ($0 - $1).seconds }.filter { $0 > 0 }
        guard !steps.isEmpty else {
            rate = nominal ?? Self.fallback
            isRegular = true
            return
        }
        let median = steps.sorted()[steps.count / 2]
        // Matroska rounds times to milliseconds. At 120 fps, each time is off by up to 6 % of the frame duration, and
        // so a step by up to 12 %.
        let regular = steps.filter { abs($0 - median) <= max(0.15 * median, 0.0011) }
        isRegular = regular.count * 10 >= steps.count * 8
        let measured =
            isRegular ? Double(regular.count) / regular.reduce(0, +) : Double(steps.count) / steps.reduce(0, +)
        let candidates = [nominal].compactMap { $0 } + Self.standard
        let nearest = candidates.min { abs($0.framesPerSecond - measured) < abs($1.framesPerSecond - measured) }
        if isRegular, let nearest, abs(nearest.framesPerSecond / measured - 1) < 0.003 {
            rate = nearest
        } else {
            rate = FrameRate(Int32(clamping: Int64((measured * 1000).rounded())), 1000) ?? Self.fallback
        }
    }

    /// Used for a clip with one frame and without a declared rate.
    private static let fallback = FrameRate.whole(15)
    private static let standard: [FrameRate] =
        [10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 90, 100, 120, 240].map(FrameRate.whole)
        + [24, 30, 48, 60, 120, 240].compactMap { FrameRate($0 * 1000, 1001) }
}
