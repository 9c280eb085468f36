package import MediaModel

/// Which of the clip's frames the movie shows, and when.
package struct FrameSchedule: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// The source frame's presentation time on the clip's clock.
        package var source: MediaTime
        /// When the movie shows it: ticks of 1/600 s, the first frame at 0.
        package var ticks: Int64
    }

    /// In rising order of both times; never empty.
    package let entries: [Entry]
    /// Which entry is the key photo's frame.
    package let stillIndex: Int
    /// How long the movie lasts, the last frame included, in ticks of 1/600 s.
    package let durationTicks: Int64
    /// The moment of the clip at which the movie begins.
    package let start: MediaTime

    /// The movie's clock (FORMAT: mvhd timescale of every device file).
    package static let timescale: Int32 = 600

    /// - Parameter times: presentation times of the clip's frames in and around the window, in rising order; those
    ///   that the clip shows at the window's start and at the still are among them. Not empty.
    package init?(times: [MediaTime], window: Window, cadence: Cadence) {
        guard let first = times.first else { return nil }
        let still = times.last { $0 <= window.still } ?? first
        switch cadence {
        case .grid(let rate):
            self.init(times: times, window: window, still: still, grid: rate)
        case .source(let rate, let limit):
            self.init(times: times, window: window, still: still, source: rate, limit: limit)
        }
    }

    private init(times: [MediaTime], window: Window, still: MediaTime, grid: FrameRate) {
        // A frame that the clip shows from before the window on shows in the movie from the window's start on.
        let anchor = max(still, window.start)
        func cell(_ time: MediaTime, _ rounding: FloatingPointRoundingRule) -> Int64 {
            (time - anchor).frames(grid, rounding)
        }
        // Where stamps are coarse, the clip's last frame seems to end up to a tick late; nothing would fill a cell there.
        let end = window.end - MediaTime(value: 1, timescale: Self.timescale)
        let cells = min(cell(window.start, .up), 0)...max(cell(end, .up) - 1, 0)
        var chosen: [Int64: MediaTime] = [0: still]
        for time in times where time != still {
            let index = cell(time, .toNearestOrAwayFromZero)
            guard cells.contains(index), index != 0 else { continue }
            let place = anchor + grid.time(ofFrame: index)
            if let other = chosen[index], (other - place).magnitude <= (time - place).magnitude { continue }
            chosen[index] = time
        }
        Self.fillGaps(&chosen, in: cells, times: times) { anchor + grid.time(ofFrame: $0) }
        let indices = chosen.keys.sorted()
        let origin = indices[0]
        entries = indices.compactMap { index in
            chosen[index].map { Entry(source: $0, ticks: grid.time(ofFrame: index - origin).ticks) }
        }
        stillIndex = indices.firstIndex(of: 0) ?? 0
        durationTicks = max(
            grid.time(ofFrame: cells.upperBound + 1 - origin).ticks, entries[entries.count - 1].ticks + 1)
        start = anchor + grid.time(ofFrame: origin)
    }

    /// Where no frame is near a place, the clip shows there what came before; that frame opens the movie, or takes the
    /// first place after those that came too close to it to be chosen, so that the movie never freezes on an older one.
    private static func fillGaps(
        _ chosen: inout [Int64: MediaTime], in cells: ClosedRange<Int64>, times: [MediaTime],
        place: (Int64) -> MediaTime
    ) {
        let starts = [cells.lowerBound] + chosen.keys.map { $0 + 1 }
        for index in starts where cells.contains(index) && chosen[index] == nil {
            guard let shown = times.last(where: { $0 <= place(index) }) else { continue }
            if let before = chosen[index - 1], shown <= before { continue }
            chosen[index] = shown
        }
    }

    private init(times: [MediaTime], window: Window, still: MediaTime, source rate: FrameRate, limit: FrameRate) {
        let shownAtStart = times.last { $0 <= window.start }
        let shown = times.filter { $0 == shownAtStart || $0 == still || ($0 > window.start && $0 < window.end) }
        let kept = Self.thinned(shown, window: window, still: still, limit: limit)
        let origin = kept[0].place
        entries = kept.map { Entry(source: $0.source, ticks: ($0.place - origin).ticks) }
        stillIndex = kept.firstIndex { $0.source == still } ?? 0
        durationTicks = max((window.end - origin).ticks, entries[entries.count - 1].ticks + 1)
        start = origin
    }

    /// Leaves out frames that come too soon after another, but shows the last of them late where the clip pauses on
    /// it, and never leaves out the still.
    private static func thinned(
        _ times: [MediaTime], window: Window, still: MediaTime, limit: FrameRate
    ) -> [(source: MediaTime, place: MediaTime)] {
        // A little less than the limit's frame duration: time stamps in whole milliseconds are not exact.
        let spacing = MediaTime(seconds: 0.75 / limit.framesPerSecond, timescale: 1_000_000)
        var kept: [(source: MediaTime, place: MediaTime)] = []
        var leftOut: MediaTime?
        func keepLeftOut(before next: MediaTime) {
            guard let time = leftOut, let last = kept.last, next - last.place >= spacing + spacing else { return }
            kept.append((time, last.place + spacing))
        }
        for time in times {
            let place = max(time, window.start)
            if let last = kept.last, place - last.place < spacing {
                guard time == still else {
                    leftOut = time
                    continue
                }
                kept.removeLast()
            } else {
                keepLeftOut(before: place)
            }
            leftOut = nil
            kept.append((time, place))
        }
        keepLeftOut(before: window.end)
        return kept
    }
}

extension FrameRate {
    /// The time of frame `index` at this rate; frame 0 is at zero.
    fileprivate func time(ofFrame index: Int64) -> MediaTime {
        MediaTime(value: index * Int64(denominator), timescale: numerator)
    }
}

extension MediaTime {
    /// Ticks of the movie's clock, to the nearest.
    fileprivate var ticks: Int64 { rescaled(to: FrameSchedule.timescale).value }

    fileprivate var magnitude: MediaTime { self < .zero ? .zero - self : self }

    /// This length in frames of `rate`, rounded by the given rule.
    fileprivate func frames(_ rate: FrameRate, _ rounding: FloatingPointRoundingRule) -> Int64 {
        let frames = (Int128(value) * Int128(rate.numerator)).divided(
            by: Int128(timescale) * Int128(rate.denominator), rounding)
        return Int64(clamping: frames)
    }
}
