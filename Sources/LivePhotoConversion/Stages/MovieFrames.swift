import FFmpegKit
import LivePhotoKit

/// The pictures of a plan's movie in the order of their times: reads and decodes the clip, selects the frames of the
/// schedule and converts them. They can be read several times, which keeps memory bounded.
final class MovieFrames {
    private let plan: ConversionPlan
    private let reader: ClipReader
    private let filters: PictureFilters
    private let cancellation: CancellationFlag
    /// The clip's decoded frame at the still time, of the last reading.
    private(set) var still: Frame?
    /// Warnings of the last reading: each one sentence.
    private(set) var warnings: [String] = []

    /// - Parameter filters: applied to all frames.
    init(_ plan: ConversionPlan, _ reader: ClipReader, filters: PictureFilters, _ cancellation: CancellationFlag) {
        (self.plan, self.reader, self.filters, self.cancellation) = (plan, reader, filters, cancellation)
    }

    /// Calls `body` with each frame and its index in the plan's schedule.
    ///
    /// - Parameter onSound: called with each packet of the audio stream; returns whether it needs more.
    /// - Throws: `StillShapeError` if another plan is needed; `LivePhotoError`; `LibavError`; errors of `body`.
    func forEach(
        onSound: ((Packet) throws -> Bool)? = nil, _ body: (_ frame: Frame, _ index: Int) throws -> Void
    ) throws {
        let decoder = try ClipDecoder(
            reader, entry: plan.entry, hasSound: onSound != nil, threads: plan.threads,
            neededFrames: plan.neededPackets)
        let deinterlacer = plan.picture.isInterlaced ? Deinterlacer(threads: plan.threads) : nil
        let converter = PictureConverter(filters, threads: plan.threads)
        var matcher = FrameMatcher<Frame>(plan.schedule.entries.map(\.source))
        var shapes = PictureShapeTracker(plan)
        still = nil
        func deliver(_ frame: Frame, _ index: Int) throws {
            try cancellation.check()
            let source = plan.schedule.entries[index].source
            let isStill = index == plan.schedule.stillIndex
            try shapes.note(frame, at: source, isStill: isStill)
            if isStill { still = frame }
            try body(try converter.convert(frame), index)
        }
        func choose(_ frame: (picture: Frame, time: MediaTime)) throws {
            for match in matcher.offer(frame.picture, at: frame.time) { try deliver(match.picture, match.index) }
        }
        try decoder.run(until: plan.start + plan.duration) { frame, time in
            try cancellation.check()
            for ready in try deinterlacer?.offer(frame, at: time) ?? [(frame, time)] { try choose(ready) }
            return !matcher.isComplete
        } onSound: {
            try onSound?($0) ?? false
        }
        for ready in try deinterlacer?.finish() ?? [] { try choose(ready) }
        for match in matcher.finish() { try deliver(match.picture, match.index) }
        guard matcher.isComplete else {
            throw LivePhotoError(
                .unusableMedia, plan.clip, "none of its video around \(plan.stillInClip) can be decoded; it is damaged")
        }
        let count = matcher.substitutions
        warnings = [
            plan.isDamaged ? nil : reader.damage?.warning,
            count == 0 ? nil : "\(counted(count, "frame")) did not decode; the nearest frame is used instead",
            shapes.warning, converter.hasMetTransparency ? plan.background.warning(about: "clip") : nil,
        ].compactMap(\.self)
    }
}
