package import MediaModel

/// The part of the clip that becomes the movie, and the time of the photo; all on the clip's clock, where playback
/// starts at zero.
package struct Window: Sendable, Hashable {
    package var start: MediaTime
    package var end: MediaTime
    package var still: MediaTime

    /// The requested window, with frame numbers and percentages already converted to times.
    package struct Request: Sendable, Hashable {
        package var still: MediaTime?
        package var start: MediaTime?
        package var end: MediaTime?
        package var duration: MediaTime?
        package var before: MediaTime
        package var after: MediaTime

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

    /// A window around the still time is moved inside the clip, at its full length if the clip is long enough.
    /// Requested times are never clamped.
    ///
    /// - Parameter span: the time range that has pictures; its end is the clip's.
    /// - Throws: `WindowError` with the clip's length if a time lies outside the clip.
    package init(_ request: Request, _ span: PictureSpan) throws(WindowError) {
        let clipDuration = span.end
        try Self.check(request, clipDuration)
        let length = request.duration ?? request.before + request.after
        if let bounds = Self.fixedBounds(request, length: length, clipDuration: clipDuration) {
            (start, end) = bounds
            guard start < end else {
                throw WindowError("the movie cannot start at \(start) and end at \(end)")
            }
            still = request.still ?? start + (end - start).halved
            guard start <= still, still <= end else {
                throw WindowError("the still time \(still) lies outside the movie, which lasts from \(start) to \(end)")
            }
        } else {
            still = request.still ?? span.start + (span.end - span.start).halved
            var before = request.before
            if request.duration != nil {
                let share = request.before + request.after
                let part = share == .zero ? 0.5 : request.before.seconds / share.seconds
                before = MediaTime(seconds: length.seconds * part, timescale: 1_000_000)
            }
            // The movie starts at the still time even if that is before the first picture.
            let earliest = min(span.start, still)
            start = min(max(still - before, earliest), max(clipDuration - length, earliest))
            end = min(start + length, clipDuration)
        }
    }

    private static func check(_ request: Request, _ clipDuration: MediaTime) throws(WindowError) {
        if request.start != nil, request.end != nil, request.duration != nil {
            throw WindowError("start, end and duration cannot all be given; leave one out")
        }
        for (name, time) in [("still time", request.still), ("start", request.start), ("end", request.end)] {
            if let time, time > clipDuration {
                throw WindowError("the \(name) \(time) lies outside the clip, which lasts \(clipDuration)")
            }
        }
        if let start = request.start, start >= clipDuration {
            throw WindowError("the start \(start) lies at the end of the clip, which lasts \(clipDuration)")
        }
        let hasBothEnds = request.start != nil && request.end != nil
        guard hasBothEnds || request.duration ?? (request.before + request.after) > .zero else {
            throw WindowError("the movie must last longer than 0 s")
        }
    }

    /// The bounds if the request has a start or an end; nil if the window surrounds the still time.
    private static func fixedBounds(
        _ request: Request, length: MediaTime, clipDuration: MediaTime
    ) -> (MediaTime, MediaTime)? {
        switch (request.start, request.end) {
        case (let start?, let end?): (start, end)
        case (let start?, nil): (start, min(start + length, clipDuration))
        case (nil, let end?): (max(end - length, .zero), end)
        case (nil, nil): nil
        }
    }
}

package struct WindowError: Error {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}

extension MediaTime {
    package var halved: MediaTime {
        timescale <= Int32.max / 2
            ? MediaTime(value: value, timescale: timescale * 2) : MediaTime(value: value / 2, timescale: timescale)
    }
}
