package import MediaModel

/// The part of a clip in which the still can be, and what the movie needs around it.
package struct StillPlace: Sendable, Hashable {
    package let start: MediaTime
    package let end: MediaTime
    /// How much movie there is before and after the still, if possible.
    package let before: MediaTime
    package let after: MediaTime

    package init(start: MediaTime, end: MediaTime, before: MediaTime, after: MediaTime) {
        (self.start, self.end, self.before, self.after) = (start, end, before, after)
    }

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
        if request.isRequested("before") { start = start + request.before }
        if request.isRequested("after") { end = end - request.after }
        if let still = times.still { (start, end) = (still, still) }
        // A window without room for the still is an error of `Window`.
        self.init(
            start: min(start, end), end: max(start, end), before: times.before ?? request.before,
            after: times.after ?? request.after)
    }

    /// The same place with an earlier end.
    func ending(at end: MediaTime) -> StillPlace {
        StillPlace(start: start, end: max(start, end), before: before, after: after)
    }

    package var middle: MediaTime { start + (end - start).halved }
}
