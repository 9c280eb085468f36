package import Bytes
package import MediaModel

/// The presentation times of the frames of a video track.
package struct FrameTimes: Sendable, Hashable {
    /// Presentation times of all frames that are shown at least partly, ascending, on the movie's timeline. The first
    /// is negative if the edit list cuts into that frame.
    package let times: [MediaTime]
    /// The end of the picture: that of the edit list, or of the media if that is earlier; nil if there are no frames.
    package let end: MediaTime?
    /// Frames a second on average, by the frames' durations; nil if these are unknown.
    package let nominalRate: FrameRate?

    init(_ samples: SampleSequence) {
        var times: [MediaTime] = []
        // Fewer than 2⁵² of fewer than 2³².
        var ticks: Int64 = 0
        var end: MediaTime?
        var media = MediaEnd()
        for sample in samples {
            media.add(sample)
            guard sample.isShown else { continue }
            times.append(sample.presentationTime)
            ticks += sample.duration.value
            end = max(end ?? sample.presentationTime, sample.presentationTime + sample.duration)
        }
        self.times = times.sorted()
        self.end = end.map { samples.timeline.end(ofMedia: max($0, media.presentationTime ?? $0)) }
        nominalRate = Self.rate(Int128(times.count) * Int128(samples.timescale), Int128(ticks))
    }

    /// Number of frames that are shown at least partly.
    package var count: Int { times.count }

    /// The number, counted from 0, of the frame shown at a time; nil before the first frame and after the end.
    package func index(at time: MediaTime) -> Int? {
        guard let end, time < end else { return nil }
        return times.lastIndex { $0 <= time }
    }

    /// The fraction in 31-bit numbers, rounded only if necessary.
    private static func rate(_ numerator: Int128, _ denominator: Int128) -> FrameRate? {
        var (numerator, denominator) = (numerator, denominator)
        guard numerator > 0, denominator > 0 else { return nil }
        var (larger, smaller) = (numerator, denominator)
        while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
        (numerator, denominator) = (numerator / larger, denominator / larger)
        while max(numerator, denominator) > Int128(Int32.max) {
            (numerator, denominator) = (numerator / 2, denominator / 2)
        }
        return FrameRate(Int32(numerator), Int32(denominator))
    }
}

extension Track {
    /// The times of all frames, which are kept in memory.
    ///
    /// - Throws: as `samples()` does; `.overLimit` for more frames than a clip has.
    package func frameTimes() throws(ParseError) -> FrameTimes { FrameTimes(try frames()) }

    /// The presentation times of the frame in which the edit list begins, which is before the media's start on the movie's
    /// timeline, and of the frame after it. Nil if the edit list begins with a whole frame.
    ///
    /// - Throws: as `frameTimes()` does.
    package func cutFrame() throws(ParseError) -> (time: MediaTime, next: MediaTime)? {
        let start = try timeline().delay
        var (before, after): (MediaTime?, MediaTime?)
        for frame in try frames() {
            if frame.presentationTime < start {
                before = max(before ?? frame.presentationTime, frame.presentationTime)
            } else {
                after = min(after ?? frame.presentationTime, frame.presentationTime)
            }
        }
        guard let before, let after, after > start else { return nil }
        return (before, after)
    }

    private func frames() throws(ParseError) -> SampleSequence {
        let samples = try samples()
        guard samples.count <= MovieLimits.frames else {
            throw error(.overLimit, in: SampleSizeBox.type, expected: "at most \(MovieLimits.frames) frames")
        }
        return samples
    }
}

/// The end of a track's media. Where frames are reordered, the one that is presented last has the duration of another one.
private struct MediaEnd {
    private var (firstDecoded, firstPresented, lastDecoded): (MediaTime?, MediaTime?, MediaTime?)

    mutating func add(_ sample: Sample) {
        firstDecoded = min(firstDecoded ?? sample.decodeTime, sample.decodeTime)
        firstPresented = min(firstPresented ?? sample.presentationTime, sample.presentationTime)
        let end = sample.decodeTime + sample.duration
        lastDecoded = max(lastDecoded ?? end, end)
    }

    /// On the movie's timeline: the frames take as long to present as to decode.
    var presentationTime: MediaTime? {
        guard let firstDecoded, let firstPresented, let lastDecoded else { return nil }
        return firstPresented + (lastDecoded - firstDecoded)
    }
}
