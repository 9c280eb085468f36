import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

extension Survey {
    /// Decodes the frames of the movie once, if more of them is needed than their times: how the camera moves, and
    /// where a loop joins.
    ///
    /// - Parameter stillCandidates: the best stills, if they were looked for.
    /// - Throws: `StillShapeError` if the plans have to be made for another shape; `LivePhotoError`; `LibavError`.
    init(
        _ decoding: DecodingPlan, _ pictures: PicturePlan, _ reader: ClipReader, stillCandidates: [StillCandidate]
    ) throws {
        self.init()
        self.stillCandidates = stillCandidates
        let settings = decoding.work.preset
        let (isStabilized, effect) = (settings.adjustments.stabilization == .on, settings.motion.effect)
        let motion =
            isStabilized || effect == .longExposure
            ? try MotionReading(pictures.movie, threads: decoding.processingThreads) : nil
        // Of a requested part, all of it is the loop; otherwise it is searched for.
        let isWhole = ["start", "end", "duration"].contains { decoding.work.requestedTimes[$0] != nil }
        let search = effect == .loop && !isWhole ? try LoopSearch(decoding) : nil
        guard motion != nil || search != nil else { return }
        let frames = ScheduledFrames(plan: decoding, movieSize: pictures.geometry.movie.size, reader: reader)
        _ = try frames.decode { frame, index in
            try motion?.add(frame)
            try search?.add(frame, index)
        }
        let schedule = decoding.schedule
        if let path = motion?.path {
            let frameRate = Double(schedule.entries.count) / max((schedule.end - schedule.start).seconds, 0.001)
            steadying = isStabilized ? path.smoothed(over: frameRate * Self.smoothingSeconds) : nil
            exposureSteadying = effect == .longExposure ? path.held(at: schedule.stillIndex) : nil
        }
        loop = try search?.part(steadiedBy: steadying)
    }

    /// The standard deviation of the smoothing of a shaky camera's path.
    private static let smoothingSeconds = 0.4
}
