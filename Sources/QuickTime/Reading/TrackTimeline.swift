import Bytes
package import MediaModel

/// The mapping of a track's media to the movie's timeline by its edit list. Empty edits delay the media, and the first
/// other edit selects the part that is shown; later edits are ignored.
package struct TrackTimeline: Sendable, Hashable {
    /// The sum of the empty edits before the media.
    package let delay: MediaTime
    /// The first media time that is shown.
    package let mediaStart: MediaTime
    /// The duration for which the media is shown; nil if it is shown to its end.
    package let duration: MediaTime?

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
            return
        }
        guard let start = UInt64(exactly: start) else {
            throw track.error(.invalidValue, in: EditListBox.type, expected: "a media time of -1 or more")
        }
        mediaStart = try time(start, timescale)
        // The writer of a fragmented movie does not know the length yet and writes 0.
        duration = edit.duration == 0 ? nil : try time(edit.duration, movieTimescale)
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
