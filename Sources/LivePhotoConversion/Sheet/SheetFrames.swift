import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

/// The frames of a clip that a sheet shows, and how to decode them.
struct SheetFrames {
    /// A frame.
    struct Chosen {
        let time: MediaTime
        /// The shortest time that selects it.
        let still: String
        /// Where to start decoding for this frame alone; nil if all frames are decoded together.
        let entry: EntryPoint?
    }

    /// In the order of their times.
    let frames: [Chosen]
    /// The part of the clip with all frames; nil if each is decoded alone.
    let clip: ClipDescription?
    let picture: VideoParameters

    /// The longest part in which frames are decoded together.
    private static let longestPass = MediaTime(value: 30, timescale: 1)

    /// - Parameters:
    ///   - part: the shown part of the clip.
    ///   - best: the best still, which is always shown.
    ///   - suggestions: other good stills, for `FrameSelection.best`.
    ///   - measured: the frames whose scores are known.
    /// - Throws: `LivePhotoError`, also for too many frames.
    init(
        _ selection: FrameSelection, of probe: ClipProbe, span: PictureSpan, part: (start: MediaTime, end: MediaTime),
        best: MediaTime, suggestions: [MediaTime], measured: [MediaTime]
    ) throws {
        let reader = probe.reader
        let targets = try Self.targets(selection, part, reader.path)
        let isSeekable = reader.canSeek && reader.video.keyFrameEvidence != .none
        guard part.end - part.start > Self.longestPass, isSeekable, selection.isSpread else {
            let clip = try probe.describe(from: part.start, to: part.end, span: span)
            (self.clip, picture) = (clip, clip.picture)
            let first = clip.frameTimes.last { $0 <= part.start }
            let all = clip.frameTimes.filter { $0 < part.end && $0 >= first ?? $0 || $0 == first }
            let times =
                switch selection {
                case .around: all
                case .best: suggestions
                case .spread(let count):
                    Self.spread(count, over: part, in: all, measured: measured, reader.nominalFrameDuration)
                case .every: targets.compactMap(all.shown)
                }
            let kept = Self.including(best, in: times.sortedWithoutDuplicates())
            try Self.check(kept.count, reader.path)
            frames = kept.map { time in
                let next = clip.frameTimes.first { $0 > time } ?? span.end
                return Chosen(time: time, still: StillText.text(for: time, before: min(next, span.end)), entry: nil)
            }
            return
        }
        clip = nil
        // In a long clip, the key frame before a place may take the place of the frame there, unless it was asked for.
        var reach: MediaTime?
        if case .spread(let count) = selection { reach = Self.reach(from: part.start, to: part.end, count) }
        var picture: VideoParameters?
        func chosen(_ target: MediaTime, reach: MediaTime?) throws -> Chosen {
            try reader.cancellation.check()
            let clip = try probe.describe(from: target, to: target, span: span)
            picture = picture ?? clip.picture
            var time = clip.frameTimes.shown(at: target) ?? target
            if let reach, let key = clip.entry.keyFrame, key <= time, key >= max(target - reach, part.start),
                clip.frameTimes.contains(key)
            {
                time = key
            }
            let next = clip.frameTimes.first { $0 > time } ?? max(target, time)
            return Chosen(
                time: time, still: StillText.text(for: time, before: min(next, span.end)), entry: clip.entry)
        }
        let others = try (selection.isBest ? suggestions : targets).map { try chosen($0, reach: reach) }
        let all = try others + [chosen(best, reach: nil)]
        let kept = Self.including(best, in: others.map(\.time).sortedWithoutDuplicates())
        frames = kept.compactMap { time in all.last { $0.time == time } }
        self.picture = picture ?? reader.picture
    }

    /// Frames at about the same distance from each other; one whose score is known, if there is one nearby.
    private static func spread(
        _ count: Int, over part: (start: MediaTime, end: MediaTime), in all: [MediaTime], measured: [MediaTime],
        _ frameDuration: MediaTime
    ) -> [MediaTime] {
        guard all.count > count else { return all }
        // A truncated clip ends before the part does.
        let end = min(part.end, (all.last ?? part.end) + frameDuration)
        let reach = reach(from: part.start, to: end, count)
        return part.start.spread(to: max(end, part.start), count: count).compactMap { target in
            let known = measured.last { $0 <= target }
            return all.shown(at: target).map { shown in known.map { shown - $0 < reach ? $0 : shown } ?? shown }
        }
    }

    /// Half of the distance between frames that are spread over a part.
    private static func reach(from start: MediaTime, to end: MediaTime, _ count: Int) -> MediaTime {
        MediaTime(seconds: (end - start).seconds / Double(max(count, 1)) / 2, timescale: FrameSchedule.timescale)
    }

    /// The places of a part at which frames are shown.
    private static func targets(
        _ selection: FrameSelection, _ part: (start: MediaTime, end: MediaTime), _ clip: FilePath
    ) throws(LivePhotoError) -> [MediaTime] {
        switch selection {
        case .spread(let count):
            try check(count, clip)
            return part.start.spread(to: part.end, count: count)
        case .every(let step):
            guard step > .zero else { throw LivePhotoError(.invalidRequest, clip, "pictures cannot be 0 s apart") }
            let count = ((part.end - part.start).seconds / step.seconds).rounded(.up)
            try check(Int(min(count, 1e6)), clip)
            var times: [MediaTime] = []
            var time = part.start
            while time < part.end {
                times.append(time)
                time = time + step
            }
            return times
        case .around, .best: return []
        }
    }

    private static func check(_ count: Int, _ clip: FilePath) throws(LivePhotoError) {
        guard count > FrameSheetRequest.mostPictures else { return }
        throw LivePhotoError(
            .invalidRequest, clip,
            "a sheet has at most \(FrameSheetRequest.mostPictures) pictures, not \(count); write a smaller number, or a "
                + "longer time between them")
    }

    /// The best still takes the place of the frame nearest to it.
    private static func including(_ best: MediaTime, in times: [MediaTime]) -> [MediaTime] {
        var times = times
        let distances = times.map { ($0 - best).magnitude }
        if let least = distances.min(), let nearest = distances.firstIndex(of: least) {
            times[nearest] = best
        } else {
            times.append(best)
        }
        return times.sortedWithoutDuplicates()
    }

    /// Frames that are further apart are decoded from key frames of their own.
    private static let longestGap = MediaTime(value: 2, timescale: 1)

    /// Decodes frames.
    ///
    /// - Parameters:
    ///   - needed: their indices.
    ///   - isApproximate: whether frames may keep the edges of their blocks, which takes less time.
    ///   - body: gets each frame once, with its index.
    func decode(
        _ needed: [Int], _ probe: ClipProbe, _ span: PictureSpan, threads: Int, isApproximate: Bool,
        _ body: (Frame, Int) throws -> Void
    ) throws {
        let reader = probe.reader
        func decode(_ indices: ArraySlice<Int>, from entry: EntryPoint, hasPacketTimes: Bool = true) throws {
            let substitutions = try reader.decodeFrames(
                at: indices.map { frames[$0].time }, hasPacketTimes: hasPacketTimes, from: entry, threads: threads,
                isApproximate: isApproximate
            ) { try body($0, indices[indices.startIndex + $1]) }
            guard substitutions != nil else {
                throw LivePhotoError(.unusableMedia, reader.path, "its frames cannot be decoded; it is damaged")
            }
        }
        guard let clip else {
            for index in needed { try decode([index], from: frames[index].entry ?? .clipStart) }
            return
        }
        guard clip.hasPacketTimes, reader.canSeek, needed.count < frames.count else {
            if !needed.isEmpty { try decode(needed[...], from: clip.entry, hasPacketTimes: clip.hasPacketTimes) }
            return
        }
        var rest = needed[...]
        while let first = rest.first {
            let gap = zip(rest.indices, rest.indices.dropFirst()).first {
                frames[rest[$1]].time - frames[rest[$0]].time > Self.longestGap
            }
            let group = rest.prefix(upTo: gap?.1 ?? rest.endIndex)
            let start = frames[first].time
            let entry =
                start - clip.frameTimes[0] > Self.longestGap
                ? try probe.describe(from: start, to: start, span: span).entry : clip.entry
            try decode(group, from: entry)
            rest = rest.suffix(from: group.endIndex)
        }
    }
}

extension FrameSelection {
    fileprivate var isBest: Bool { if case .best = self { true } else { false } }
    /// Whether the frames are far from each other.
    fileprivate var isSpread: Bool { if case .around = self { false } else { true } }
}

extension [MediaTime] {
    /// The last of these times that is not after a time, or the first.
    fileprivate func shown(at time: MediaTime) -> MediaTime? { last { $0 <= time } ?? first }
}
