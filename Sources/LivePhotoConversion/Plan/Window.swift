package import MediaModel

/// The part of the clip that becomes the movie, and the moment that becomes the photo; all on the clip's clock,
/// where the clip begins at zero.
package struct Window: Sendable, Hashable {
    package var start: MediaTime
    package var end: MediaTime
    package var still: MediaTime

    /// What was asked for, with frame numbers and percentages already turned into times.
    package struct Wish: Sendable, Hashable {
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

    /// - Throws: a sentence that names the clip's length when a time lies outside of it; nothing is clamped, but
    ///   the window that surrounds the still is moved inside the clip without losing length where the clip has it.
    package init(_ wish: Wish, clipDuration: MediaTime) throws(WindowError) {
        try Self.check(wish, clipDuration)
        let length = wish.duration ?? wish.before + wish.after
        if let bounds = Self.fixedBounds(wish, length: length, clipDuration: clipDuration) {
            (start, end) = bounds
            guard start < end else {
                throw WindowError("the movie cannot start at \(start) and end at \(end)")
            }
            still = wish.still ?? start + (end - start).halved
            guard start <= still, still <= end else {
                throw WindowError("the still time \(still) lies outside the movie, which lasts from \(start) to \(end)")
            }
        } else {
            still = wish.still ?? clipDuration.halved
            var before = wish.before
            if wish.duration != nil {
                let share = wish.before + wish.after
                let part = share == .zero ? 0.5 : wish.before.seconds / share.seconds
                before = MediaTime(seconds: length.seconds * part, timescale: 1_000_000)
            }
            start = min(max(still - before, .zero), max(clipDuration - length, .zero))
            end = min(start + length, clipDuration)
        }
    }

    private static func check(_ wish: Wish, _ clipDuration: MediaTime) throws(WindowError) {
        if wish.start != nil, wish.end != nil, wish.duration != nil {
            throw WindowError("start, end and duration cannot all be given; leave one out")
        }
        for (name, time) in [("still time", wish.still), ("start", wish.start), ("end", wish.end)] {
            if let time, time > clipDuration {
                throw WindowError("the \(name) \(time) lies outside the clip, which lasts \(clipDuration)")
            }
        }
        if let start = wish.start, start >= clipDuration {
            throw WindowError("the start \(start) lies at the end of the clip, which lasts \(clipDuration)")
        }
        let hasBothEnds = wish.start != nil && wish.end != nil
        guard hasBothEnds || wish.duration ?? (wish.before + wish.after) > .zero else {
            throw WindowError("the movie must last longer than 0 s")
        }
    }

    /// The window where the request names one of its ends; nil where it is to surround the still.
    private static func fixedBounds(
        _ wish: Wish, length: MediaTime, clipDuration: MediaTime
    ) -> (MediaTime, MediaTime)? {
        switch (wish.start, wish.end) {
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
