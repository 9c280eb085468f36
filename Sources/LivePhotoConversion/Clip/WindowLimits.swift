import LivePhotoRequests
import MediaModel

/// Checks a requested window against the length of the clip.
struct WindowLimits {
    private let request: Window.Request
    private let clip: MediaTime

    init(_ request: Window.Request, clipDuration: MediaTime) {
        (self.request, clip) = (request, clipDuration)
    }

    /// Checks the request itself.
    func check() throws(WindowError) {
        if request.start != nil, request.end != nil, request.duration != nil {
            throw WindowError("start, end and duration cannot all be given; leave one out")
        }
        if ["before", "after", "duration"].allSatisfy(request.isRequested) {
            throw WindowError("before, after and duration cannot all be given; leave one out")
        }
        try checkInClip("still time", "still", request.still)
        try checkInClip("end", "end", request.end)
        if let start = request.start, start >= clip {
            let place = start == clip ? "at the end of" : "outside"
            throw WindowError(
                "the start \(shown("start", start)) lies \(place) the clip, which lasts \(clip); write an earlier one")
        }
        let hasBothEnds = request.start != nil && request.end != nil
        guard hasBothEnds || request.duration ?? (request.before + request.after) > .zero else {
            throw WindowError("the movie must last longer than 0 s")
        }
    }

    private func checkInClip(_ name: String, _ key: String, _ time: MediaTime?) throws(WindowError) {
        guard let time, time > clip else { return }
        throw WindowError("the \(name) \(shown(key, time)) lies outside the clip, which lasts \(clip); \(most(clip))")
    }

    /// Checks that what follows from the request lies inside the clip.
    func check(_ times: RequestedTimes) throws(WindowError) {
        for (key, length) in [("before", times.before), ("after", times.after)] {
            guard let length, length < .zero, let duration = times.duration else { continue }
            let other = key == "before" ? "after" : "before"
            throw WindowError("\(other) is longer than the duration of \(shown("duration", duration))")
        }
        if let duration = times.duration, duration > clip {
            throw WindowError(
                "the duration \(shown("duration", duration)) is longer than the clip, which lasts \(clip); \(most(clip))"
            )
        }
        if let before = times.before, let after = times.after, before + after > clip {
            throw WindowError(
                "before and after are \(before + after) together, longer than the clip, which lasts \(clip); \(most(clip))"
            )
        }
        if let start = times.start, start < .zero { throw beginsEarly(times) }
        if let end = times.end, end > clip { throw endsLate(times, end) }
        try checkDerivedStill()
    }

    /// Checks that a still time which follows from `before` or `after`, and from the start or end, lies inside the movie.
    private func checkDerivedStill() throws(WindowError) {
        guard request.still == nil, request.start != nil || request.end != nil else { return }
        let (start, end) = (request.start ?? .zero, request.end ?? clip)
        guard start < end else { return }
        let place =
            switch (request.start, request.end) {
            case (let start?, let end?):
                "the movie from \(shown("start", start)) to \(shown("end", end)) lasts only \(end - start)"
            case (_, let end?): "the clip has only \(end) before the end \(shown("end", end))"
            case (_, nil): "the clip has only \(end - start) after the start \(shown("start", start))"
            }
        try check("before", request.before, fitsInto: end - start, place)
        try check("after", request.after, fitsInto: end - start, place)
    }

    private func check(
        _ key: String, _ length: MediaTime, fitsInto room: MediaTime, _ place: String
    ) throws(WindowError) {
        guard request.isRequested(key), length > room else { return }
        throw WindowError("\(key) is \(shown(key, length)), but \(place); \(most(room))")
    }

    private func beginsEarly(_ times: RequestedTimes) -> WindowError {
        if let before = times.before, let still = times.still {
            return WindowError(
                "before is \(shown("before", before)), but the clip has only \(still) before the still time "
                    + "\(shown("still", still)); \(most(still))")
        }
        return WindowError(
            "a duration of \(times.duration.map { shown("duration", $0) } ?? "") to the end "
                + "\(times.end.map { shown("end", $0) } ?? "") begins before the clip; \(most(times.end ?? .zero))")
    }

    private func endsLate(_ times: RequestedTimes, _ end: MediaTime) -> WindowError {
        if let after = times.after, let still = times.still, !request.isRequested("duration") {
            return WindowError(
                "after is \(shown("after", after)), but the clip, which lasts \(clip), has only \(clip - still) after the "
                    + "still time \(shown("still", still)); \(most(clip - still))")
        }
        let start = times.start ?? .zero
        return WindowError(
            "a duration of \(times.duration.map { shown("duration", $0) } ?? "") from \(shown("start", start)) ends after "
                + "the clip, which lasts \(clip); \(most(clip - start))")
    }

    /// Checks that the window does what is requested.
    func check(_ window: Window) throws(WindowError) {
        guard window.start < window.end else {
            throw WindowError(
                "the movie cannot start at \(shown("start", window.start)) and end at \(shown("end", window.end)); "
                    + "write a later end")
        }
        guard window.start <= window.still, window.still <= window.end else {
            throw WindowError(
                "the still time \(shown("still", window.still)) lies outside the movie, which lasts from "
                    + "\(shown("start", window.start)) to \(shown("end", window.end)); write a time between them")
        }
        try check("before", request.before, is: window.still - window.start, of: window)
        try check("after", request.after, is: window.end - window.still, of: window)
        try check("duration", request.duration ?? .zero, is: window.end - window.start, of: window)
    }

    private func check(
        _ key: String, _ wanted: MediaTime, is actual: MediaTime, of window: Window
    ) throws(WindowError) {
        guard request.isRequested(key), abs((wanted - actual).seconds) > Self.tolerance else { return }
        throw WindowError(
            "\(key) cannot be \(shown(key, wanted)) where the movie lasts from \(shown("start", window.start)) to "
                + "\(shown("end", window.end)) with the still time \(shown("still", window.still)); leave one out")
    }

    /// Seconds. Times of very different timescales are rounded when they are added.
    private static let tolerance = 1e-5

    /// Rounded down to what the message shows, so that it can be typed.
    private func most(_ time: MediaTime) -> String {
        "use at most \(max(time, .zero).rescaled(to: 1000, .down))"
    }

    /// A time of the request as the user wrote it. Other times, such as a default still time, have no text.
    private func shown(_ key: String, _ time: MediaTime) -> String {
        let requested = [
            "still": request.still, "start": request.start, "end": request.end, "duration": request.duration,
            "before": request.before, "after": request.after,
        ]
        return time.shown(as: requested[key] == time ? request.texts[key] : nil)
    }
}

extension Window.Request {
    func isRequested(_ key: String) -> Bool { texts[key] != nil }
}
