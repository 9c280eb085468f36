import Bytes
import ISOBMFF
package import MediaModel

/// A part of a movie that begins with a key frame, cut without touching a sample.
///
/// Frames are chosen by their presentation times. Of the samples in decode order, everything from the key frame to the
/// last one that is shown is kept, so that no frame loses one that it refers to; what these include besides, such as
/// pictures before the key frame (open GOP), is hidden by the edit list.
package struct MovieCut: Sendable {
    /// The time in the old movie that becomes 0: that of the key frame, or zero.
    package let start: MediaTime
    /// The end of the last frame that is shown; nil if nothing is cut there.
    package let end: MediaTime?
    private let reader: MovieReader
    /// The index of the video among the tracks.
    private let videoIndex: Int
    /// In decode order.
    private let kept: Range<Int>
    /// In ticks of the video's media.
    private let mediaStart: Int64
    /// Whether kept samples are presented after `end`.
    private let hidesFrames: Bool

    /// - Parameters:
    ///   - start: the movie begins with the last key frame at or before this time; nil keeps its start.
    ///   - end: frames from this time on are not shown; nil keeps the end.
    /// - Throws: `MovieEditError` for a movie that cannot be cut; `Errno` of pread(2); `CancellationError`.
    package init(_ reader: MovieReader, from start: MediaTime?, to end: MediaTime?) throws {
        try reader.checkEditable(reader.tracks)
        guard let videoIndex = reader.shownVideoIndex else {
            throw MovieEditError.noVideo
        }
        let video = reader.tracks[videoIndex]
        try video.checkCuttable()
        let frames = try CutFrames(video)
        let entry = try start.flatMap { try frames.entry(before: $0, in: reader, video) }
        let first = entry?.index ?? 0
        let mediaStart = max(entry?.composition ?? .min, frames.timeline.mediaStart.value)
        let endTicks = end.map { frames.mediaTicks(of: $0) } ?? .max
        let count = frames.composition[first...].lastIndex { $0 < endTicks }.map { $0 + 1 } ?? first
        let kept = first..<(end == nil ? frames.composition.count : count)
        guard kept.contains(where: { frames.composition[$0] >= mediaStart && frames.composition[$0] < endTicks }) else {
            throw MovieEditError.nothingKept(start: start ?? .zero, end: end ?? .zero)
        }
        hidesFrames = end != nil && frames.composition[kept].contains { $0 >= endTicks }
        self.reader = reader
        (self.videoIndex, self.kept, self.mediaStart) = (videoIndex, kept, mediaStart)
        self.start = start == nil ? .zero : frames.time(of: mediaStart)
        self.end = end.map { _ in frames.time(of: endTicks) }
    }

    /// The old movie with the tables of this part.
    ///
    /// The samples, and tracks of the still image time, which is set separately, stay as they are. Tracks without a sample
    /// in this part are removed.
    ///
    /// - Throws: as `init`.
    package func apply() throws -> MovieReader {
        var durations: [UInt64] = []
        let clock = Self.clock(of: reader)
        return try reader.editingTracks { index, track, boxes in
            try Task.checkCancellation()
            try clock.rescale(&boxes)
            if track.isStillImageTime || track.isStrippedTimedMetadata { return true }
            let cut =
                index == videoIndex
                ? try videoCut(track, clock.new)
                : try TrackCut(track, from: start, to: end, movieTimescale: clock.new)
            guard let cut else { return false }
            try cut.apply(to: &boxes)
            durations.append(cut.trackDuration)
            return true
        } header: { header in
            clock.rescale(&header)
            header.duration = durations.max() ?? header.duration
            header.playbackTimes = header.playbackTimes.map { _ in 0 }
        }
    }

    /// Edit lists state delays in ticks of the movie, so that coarse ticks would move sound that begins after the video.
    private static func clock(of reader: MovieReader) -> MovieClock {
        let old = Int32(clamping: reader.movie.header.timescale)
        let usual = MovieWriter.timescale
        return MovieClock(old: old, new: old >= usual ? old : old * ((usual + old - 1) / old))
    }

    private func videoCut(_ track: Track, _ movieTimescale: Int32) throws -> TrackCut {
        let samples = try track.samples()
        let timeline = samples.timeline
        let isFromStart = start == .zero
        let skipped = MediaTime(value: mediaStart, timescale: samples.timescale) - timeline.mediaStart
        var shown: MediaTime
        if let end {
            shown = end - timeline.delay - skipped
        } else if let duration = timeline.duration {
            shown = duration - skipped
        } else {
            let media = samples.reduce(MediaTime.zero) { max($0, $1.compositionTime + $1.duration) }
            shown = media - MediaTime(value: mediaStart, timescale: samples.timescale)
        }
        // Rounded up, a frame that is not kept would be shown for a part of a tick.
        let ticks = shown.rescaled(to: movieTimescale, hidesFrames ? .down : .toNearestOrAwayFromZero).value
        let delay = isFromStart ? timeline.delay.rescaled(to: movieTimescale).value : 0
        return TrackCut(
            samples, keeping: kept, delay: UInt64(max(delay, 0)), mediaStart: mediaStart,
            duration: UInt64(max(ticks, 0)))
    }
}

/// The frames of a video that is cut.
private struct CutFrames {
    let timeline: TrackTimeline
    private let timescale: Int32
    /// When each frame is presented, in decode order, in ticks of the media.
    private(set) var composition: [Int64] = []
    private var entries: [Entry] = []

    /// A frame that may be a key frame, with which a cut may begin.
    struct Entry {
        let index: Int
        let composition: Int64
        let offset: Int
        let size: Int
    }

    init(_ video: Track) throws {
        do throws(ParseError) {
            let samples = try video.samples()
            guard samples.count <= MovieLimits.frames else {
                throw video.error(
                    .overLimit, in: SampleSizeBox.type, expected: "at most \(MovieLimits.frames) frames")
            }
            (timeline, timescale) = (samples.timeline, samples.timescale)
            composition.reserveCapacity(samples.count)
            var latest = Int64.min
            for sample in samples {
                let ticks = sample.compositionTime.value
                // Frames that are decoded before a key frame are presented before it.
                if sample.isSync, ticks > latest {
                    entries.append(
                        Entry(index: sample.index, composition: ticks, offset: sample.offset, size: sample.size))
                }
                latest = max(latest, ticks)
                composition.append(ticks)
            }
        } catch {
            throw MovieEditError.damaged(error)
        }
    }

    /// The ticks of the media that are presented at a time, rounded to the nearest.
    func mediaTicks(of time: MediaTime) -> Int64 {
        (time - timeline.delay).rescaled(to: timescale).value + timeline.mediaStart.value
    }

    func time(of ticks: Int64) -> MediaTime {
        timeline.presentationTime(of: MediaTime(value: ticks, timescale: timescale))
    }

    /// The last key frame at or before a time; nil for the first frame in decode order.
    func entry(before time: MediaTime, in reader: MovieReader, _ video: Track) throws -> Entry? {
        let ticks = mediaTicks(of: time)
        guard let format = RandomAccessFormat(video) else { return nil }
        // Their times ascend.
        var end = entries.partitionIndex { $0.composition > ticks }
        for _ in 0..<MovieLimits.keyFrameCandidates where end > 0 {
            try Task.checkCancellation()
            end -= 1
            let entry = entries[end]
            if try reader.isRandomAccessPoint(at: entry.offset, size: entry.size, in: format) { return entry }
        }
        return nil
    }
}

extension [CutFrames.Entry] {
    /// The index of the first element that is in the second part of a partitioned array.
    fileprivate func partitionIndex(_ isInSecondPart: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Track {
    /// Whether it is a track of the still image time.
    fileprivate var isStillImageTime: Bool {
        kind == .metadata && ((try? metadataKeys()) ?? []).contains { $0.key == .stillImageTime }
    }
}
