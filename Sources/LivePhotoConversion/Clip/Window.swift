package import MediaModel

/// The part of the clip that becomes the movie, and the time of the photo; all on the clip's clock, where playback
/// starts at zero.
package struct Window: Sendable, Hashable {
    package let start: MediaTime
    package let end: MediaTime
    package private(set) var still: MediaTime
    /// The still time of the Live Photo that is edited, if it stays and is between two frames, of which `still` is the nearer.
    package private(set) var stillBetweenFrames: MediaTime?
    /// The still time that the clip has as the movie of a Live Photo.
    private let ownStill: MediaTime?
    /// Whether `still` is the still time that the clip has as the movie of a Live Photo.
    package let isOwnStill: Bool
    /// The still time that the clip has as the movie of a Live Photo, if it is outside the window and no other still time
    /// was requested.
    package let outsideOwnStill: MediaTime?

    /// The requested window, with frame numbers and percentages already converted to times.
    package struct Request: Sendable, Hashable {
        package var still: MediaTime?
        package var start: MediaTime?
        package var end: MediaTime?
        package var duration: MediaTime?
        package var before: MediaTime
        package var after: MediaTime
        /// The still time that the clip has as the movie of a Live Photo.
        package var ownStill: MediaTime?
        /// What was requested for this conversion, as it was written, by the names of these properties. A duration,
        /// `before` and `after` that were not requested are defaults.
        package var texts: [String: String] = [:]

        package init(
            still: MediaTime? = nil, start: MediaTime? = nil, end: MediaTime? = nil, duration: MediaTime? = nil,
            before: MediaTime, after: MediaTime
        ) {
            self.still = still
            self.start = start
            self.end = end
            self.duration = duration
            self.before = before
            self.after = after
        }
    }

    /// What is requested is used exactly or is an error, never clamped. Defaults are moved and shortened to fit inside the
    /// clip.
    ///
    /// - Parameter span: the time range that has pictures; its end is the clip's.
    /// - Throws: `WindowError` with the clip's length if the clip is too short.
    package init(_ request: Request, _ span: PictureSpan) throws(WindowError) {
        let limits = WindowLimits(request, clipDuration: span.end)
        try limits.check()
        var times = RequestedTimes(request)
        var isOwnStill = false
        if times.still == nil, times.start == nil, times.end == nil {
            isOwnStill = request.ownStill != nil
            let middle = span.start + (span.end - span.start).halved
            let latest = max(span.end - (times.after ?? .zero), .zero)
            times.still = request.ownStill ?? min(max(middle, times.before ?? .zero), latest)
            times.complete()
        }
        try limits.check(times)
        let length = times.duration ?? request.duration ?? request.before + request.after
        switch (times.start, times.end) {
        case (let start?, let end?): (self.start, self.end) = (start, end)
        case (let start?, nil): (self.start, end) = (start, min(start + length, span.end))
        case (nil, let end?): (start, self.end) = (max(end - length, .zero), end)
        case (nil, nil):
            (start, end) = Self.bounds(around: times.still ?? .zero, length: length, request, times.duration, span)
        }
        if times.still == nil {
            times.still = times.before.map { [start] in start + $0 } ?? times.after.map { [end] in end - $0 }
        }
        var outsideOwnStill: MediaTime?
        if times.still == nil, let own = request.ownStill {
            if start <= own, own <= end { (times.still, isOwnStill) = (own, true) } else { outsideOwnStill = own }
        }
        self.outsideOwnStill = outsideOwnStill
        ownStill = request.ownStill
        still = times.still ?? start + (end - start).halved
        self.isOwnStill = isOwnStill
        try limits.check(self)
    }

    /// The same window with the nearest frame in it as the frame of the still. Its time stays if it is the clip's own.
    ///
    /// - Parameter times: presentation times of frames.
    func withStill(nearestOf times: [MediaTime]) -> Window {
        var copy = self
        if still == ownStill, !times.contains(still) { copy.stillBetweenFrames = still }
        let inside = times.filter { $0 >= start && $0 < end }
        copy.still = inside.min { ($0 - still).magnitude < ($1 - still).magnitude } ?? still
        return copy
    }

    /// The same window with its first frame as that of the still.
    var withStillAtStart: Window {
        var copy = self
        copy.still = start
        return copy
    }

    /// The bounds of a window around the still time, moved inside the clip, at full length if the clip is long enough.
    ///
    /// - Parameter duration: the requested one.
    private static func bounds(
        around still: MediaTime, length: MediaTime, _ request: Request, _ duration: MediaTime?, _ span: PictureSpan
    ) -> (start: MediaTime, end: MediaTime) {
        var before = request.before
        if request.duration != nil {
            let share = request.before + request.after
            let part = share == .zero ? 0.5 : request.before.seconds / share.seconds
            before = MediaTime(seconds: length.seconds * part, timescale: 1_000_000)
        }
        // The movie starts at the still time even if that is before the first picture, and before the first picture if
        // the requested duration needs that.
        let earliest = min(span.start, still, duration.map { span.end - $0 } ?? span.start)
        let start = min(max(still - before, earliest), max(span.end - length, earliest))
        return (start, min(start + length, span.end))
    }
}

/// What was requested of a window, without defaults, and what follows from it.
struct RequestedTimes {
    var start: MediaTime?
    var end: MediaTime?
    var still: MediaTime?
    var duration: MediaTime?
    var before: MediaTime?
    var after: MediaTime?

    init(_ request: Window.Request) {
        (start, end, still) = (request.start, request.end, request.still)
        duration = request.isRequested("duration") ? request.duration : nil
        before = request.isRequested("before") ? request.before : nil
        after = request.isRequested("after") ? request.after : nil
        if let duration {
            if let before { after = duration - before } else if let after { before = duration - after }
        }
        complete()
    }

    /// Computes what follows from two other values. Each step may make the next one possible.
    mutating func complete() {
        for _ in 0..<2 {
            if still == nil { still = Self.sum(start, before) ?? Self.difference(end, after) }
            if start == nil { start = Self.difference(still, before) ?? Self.difference(end, duration) }
            if end == nil { end = Self.sum(still, after) ?? Self.sum(start, duration) }
        }
    }

    private static func sum(_ time: MediaTime?, _ length: MediaTime?) -> MediaTime? {
        time.flatMap { time in length.map { time + $0 } }
    }

    private static func difference(_ time: MediaTime?, _ length: MediaTime?) -> MediaTime? {
        time.flatMap { time in length.map { time - $0 } }
    }
}

package struct WindowError: Error {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}
