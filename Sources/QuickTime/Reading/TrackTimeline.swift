import Bytes
package import MediaModel

/// The mapping of a track's media to the movie's timeline by its edit list. Empty edits delay the media, and the first
/// other edit selects the part that is shown, together with those that continue it. What later edits show is unknown, but not
/// how long they do.
package struct TrackTimeline: Sendable, Hashable {
    /// The sum of the empty edits before the media.
    package let delay: MediaTime
    /// The first media time that is shown.
    package let mediaStart: MediaTime
    /// The duration for which the media is shown; nil if it is shown to its end.
    package let duration: MediaTime?
    /// The end of the last edit on the movie's timeline, if there are edits of other parts of the media.
    private let endOfLaterEdits: MediaTime?

    init(of track: Track, movieTimescale: Int32) throws(ParseError) {
        let edits = track.box.edit?.list?.entries ?? []
        let timescale = try track.timescale
        func tooLong() -> ParseError {
            track.error(.overLimit, in: EditListBox.type, expected: "times below \(MovieLimits.seconds) s")
        }
        func time(_ ticks: UInt64, _ timescale: Int32) throws(ParseError) -> MediaTime {
            guard ticks <= UInt64(MovieLimits.seconds) * UInt64(timescale) else { throw tooLong() }
            return MediaTime(value: Int64(ticks), timescale: timescale)
        }
        var emptyTicks: UInt64 = 0
        for edit in edits.prefix(while: { $0.mediaTime == nil }) {
            let (sum, overflow) = emptyTicks.addingReportingOverflow(edit.duration)
            guard !overflow else { throw tooLong() }
            emptyTicks = sum
        }
        delay = try time(emptyTicks, movieTimescale)
        guard let edit = edits.first(where: { $0.mediaTime != nil }), let start = edit.mediaTime else {
            mediaStart = MediaTime(value: 0, timescale: timescale)
            // Nothing but empty edits shows nothing; no edit list shows everything.
            duration = edits.isEmpty ? nil : MediaTime(value: 0, timescale: movieTimescale)
            endOfLaterEdits = nil
            return
        }
        guard let start = UInt64(exactly: start) else {
            throw track.error(.invalidValue, in: EditListBox.type, expected: "a media time of -1 or more")
        }
        mediaStart = try time(start, timescale)
        // The writer of a fragmented movie does not know the length yet and writes 0.
        guard edit.duration > 0 else {
            (duration, endOfLaterEdits) = (nil, nil)
            return
        }
        var shown = try time(edit.duration, movieTimescale)
        var rest = edits.drop { $0.mediaTime == nil }.dropFirst()
        // Some editors divide what they show into edits that follow one another in the media.
        while let next = rest.first, let start = next.mediaTime.flatMap({ UInt64(exactly: $0) }),
            next.rate == edit.rate,
            (try time(start, timescale) - mediaStart - shown).isShorter(thanTickOf: movieTimescale)
        {
            shown = shown + (try time(next.duration, movieTimescale))
            rest = rest.dropFirst()
        }
        duration = shown
        while let last = rest.last, last.mediaTime == nil { rest = rest.dropLast() }
        var end = delay + shown
        for edit in rest { end = end + (try time(edit.duration, movieTimescale)) }
        endOfLaterEdits = rest.isEmpty ? nil : min(end, MediaTime(value: MovieLimits.seconds, timescale: 1))
    }

    /// The time in the movie at which the track ends.
    ///
    /// An edit list that ends within a sample ends it; one that is longer than the media shows nothing after it.
    ///
    /// - Parameter mediaEnd: the end of the last sample that is shown, by its own duration.
    func end(ofMedia mediaEnd: MediaTime) -> MediaTime {
        if let endOfLaterEdits { return endOfLaterEdits }
        guard let duration else { return mediaEnd }
        return min(mediaEnd, delay + duration)
    }

    /// The movie time at which a media time is shown.
    ///
    /// - Parameter mediaTime: at most `MovieLimits.seconds`.
    func presentationTime(of mediaTime: MediaTime) -> MediaTime {
        delay.value == 0 ? mediaTime - mediaStart : delay + (mediaTime - mediaStart)
    }

    /// Whether a sample at `mediaTime` is shown, at least partly.
    func shows(_ mediaTime: MediaTime, lasting sampleDuration: MediaTime) -> Bool {
        let start = mediaTime - mediaStart
        let begins = start.value >= 0 || start + sampleDuration > .zero
        guard let duration else { return begins }
        return begins && start < duration
    }
}

extension MediaTime {
    /// Whether this difference is what rounding to ticks makes.
    fileprivate func isShorter(thanTickOf timescale: Int32) -> Bool {
        let tick = MediaTime(value: 1, timescale: timescale)
        return self < tick && MediaTime.zero - tick < self
    }
}
