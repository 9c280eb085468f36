package import MediaModel

/// The part of a clip in which the still can be, and what the movie needs around it.
package struct StillPlace: Sendable, Hashable {
    package let start: MediaTime
    package let end: MediaTime
    /// How much of the place the movie needs before and after the still, if possible; 0 if the room for it is outside.
    package let before: MediaTime
    package let after: MediaTime
    /// How long the movie is outside of the place.
    private var outside = MediaTime.zero

    package init(start: MediaTime, end: MediaTime, before: MediaTime, after: MediaTime) {
        (self.start, self.end, self.before, self.after) = (start, end, before, after)
    }

    /// How long the movie is, if possible.
    var length: MediaTime { before + after + outside }

    /// The place that a requested window leaves for the still.
    ///
    /// - Parameters:
    ///   - request: without a still time.
    ///   - span: the time range that has pictures.
    /// - Throws: `WindowError` for a window outside of the clip.
    package init(_ request: Window.Request, _ span: PictureSpan) throws(WindowError) {
        try WindowLimits(request, clipDuration: span.end).check()
        let times = RequestedTimes(request)
        let length = times.duration ?? request.duration ?? request.before + request.after
        var start = times.start ?? times.end.map { max($0 - length, span.start) } ?? span.start
        var end = times.end ?? times.start.map { min($0 + length, span.end) } ?? span.end
        // These are exact, so the movie must have room for them.
        if let before = times.before { start = start + before }
        if let after = times.after { end = end - after }
        if let still = times.still { (start, end) = (still, still) }
        // A window without room for the still is an error of `Window`.
        self.init(
            start: min(start, end), end: max(start, end), before: times.before == nil ? request.before : .zero,
            after: times.after == nil ? request.after : .zero)
        outside = (times.before ?? .zero) + (times.after ?? .zero)
    }

    /// Where the still is looked for: in a place of more than twice the movie's length, not where more than a quarter of the
    /// movie before or after it would be missing.
    var searched: (start: MediaTime, end: MediaTime) {
        guard end - start + outside > length + length else { return (start, end) }
        return (start + before - before.halved.halved, end - after + after.halved.halved)
    }

    /// The same place with an earlier end.
    func ending(at end: MediaTime) -> StillPlace {
        var place = StillPlace(start: start, end: max(start, end), before: before, after: after)
        place.outside = outside
        return place
    }

    package var middle: MediaTime { start + (end - start).halved }
}
