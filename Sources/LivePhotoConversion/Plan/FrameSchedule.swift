package import MediaModel

/// The frames of the clip that the movie shows, with the times that they have in a movie that plays all of them once, at
/// their own speed. `FrameSequence` has the times in the movie.
package struct FrameSchedule: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// The source frame's presentation time on the clip's clock.
        package var source: MediaTime
        /// Its presentation time in ticks of 1/600 s; the first frame's is 0.
        package var ticks: Int64
    }

    /// In ascending order of both times; never empty.
    package let entries: [Entry]
    /// The index of the key photo's frame.
    package let stillIndex: Int
    /// The duration, including the last frame, in ticks of 1/600 s.
    package let durationTicks: Int64
    /// The time in the clip at which the movie starts.
    package let start: MediaTime
    /// The time in the clip at which the movie ends.
    package var end: MediaTime { start + MediaTime(value: durationTicks, timescale: Self.timescale) }

    /// The movie's time scale, as in the movies of all Apple devices.
    package static let timescale: Int32 = 600

    /// - Parameter times: presentation times of the clip's frames in and around the window, in ascending order,
    ///   including those shown at the window's start and at the still time. Nil if empty.
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
        // A frame that began before the window is shown from the window's start on.
        let anchor = max(still, window.start)
        func cell(_ time: MediaTime, _ rounding: FloatingPointRoundingRule) -> Int64 {
            (time - anchor).frames(grid, rounding)
        }
        // If time stamps are coarse, the clip's last frame may seem to end up to a tick late; no frame would fill that
        // cell.
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

    /// Fills the first cell of the movie, and the first cell of each gap, with the frame that the clip shows there,
    /// unless it is already shown, so that the movie does not freeze on an older frame.
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

    /// Removes frames that follow another too soon, but not the still. The last removed frame before a pause in the
    /// clip is kept with a later time.
    private static func thinned(
        _ times: [MediaTime], window: Window, still: MediaTime, limit: FrameRate
    ) -> [(source: MediaTime, place: MediaTime)] {
        // Less than the limit's frame duration, because time stamps may be rounded to milliseconds.
        let spacing = MediaTime(seconds: 0.75 / limit.framesPerSecond, timescale: 1_000_000)
        var kept: [(source: MediaTime, place: MediaTime)] = []
        var removed: MediaTime?
        func restoreRemoved(before next: MediaTime) {
            guard let time = removed, let last = kept.last, next - last.place >= spacing + spacing else { return }
            kept.append((time, last.place + spacing))
        }
        for time in times {
            let place = max(time, window.start)
            if let last = kept.last, place - last.place < spacing {
                guard time == still else {
                    removed = time
                    continue
                }
                kept.removeLast()
            } else {
                restoreRemoved(before: place)
            }
            removed = nil
            kept.append((time, place))
        }
        restoreRemoved(before: window.end)
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

    /// The number of frames of `rate` in this duration.
    fileprivate func frames(_ rate: FrameRate, _ rounding: FloatingPointRoundingRule) -> Int64 {
        let frames = (Int128(value) * Int128(rate.numerator)).divided(
            by: Int128(timescale) * Int128(rate.denominator), rounding)
        return Int64(clamping: frames)
    }
}

extension FrameSchedule {
    /// A part of the requested duration by which a movie may differ from it without a word.
    private static let tolerance = 0.2

    /// Where the frames of the clip are so far apart that the movie does not have the requested duration: one sentence.
    ///
    /// - Parameter text: the duration as the user wrote it; nil if none was requested.
    package func warnings(_ window: Window, requested text: String?) -> [String] {
        let (wanted, actual) = (
            (window.end - window.start).seconds, MediaTime(value: durationTicks, timescale: Self.timescale)
        )
        guard let text, abs(actual.seconds - wanted) > wanted * Self.tolerance else { return [] }
        return [
            "the movie lasts \(actual), not \(text), because the clip's frames are too far apart; write a longer duration"
        ]
    }
}
