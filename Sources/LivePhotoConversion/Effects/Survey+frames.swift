import FFmpegKit
import LivePhotoKit
import LivePhotoRequests

extension Survey {
    /// Decodes the frames of the movie once, if the request needs more of them than their times: how the camera moves, and
    /// where a loop joins.
    ///
    /// - Throws: `StillShapeError` if the plans have to be made for another shape; `LivePhotoError`; `LibavError`.
    mutating func readFrames(
        _ request: ConversionRequest, _ decoding: DecodingPlan, _ pictures: PicturePlan, _ reader: ClipReader,
        _ cancellation: CancellationFlag
    ) throws {
        let (isStabilized, effect) = (
            request.preset.adjustments.stabilization == .on, request.preset.motion.effect
        )
        let motion =
            isStabilized || effect == .longExposure
            ? try MotionReading(pictures.movie, threads: decoding.processingThreads) : nil
        // Of a requested part, all of it is the loop; otherwise it is searched for.
        let isWhole = ["start", "end", "duration"].contains { request.requestedTimes[$0] != nil }
        let search = effect == .loop && !isWhole ? try LoopSearch(decoding) : nil
        guard motion != nil || search != nil else { return }
        let frames = ScheduledFrames(decoding, movieSize: pictures.geometry.movie.size, reader, cancellation)
        _ = try frames.decode { frame, index in
            try motion?.add(frame)
            try search?.add(frame, index)
        }
        let schedule = decoding.schedule
        if let path = motion?.path {
            steadying = isStabilized ? path.smoothed(in: schedule) : nil
            exposureSteadying = effect == .longExposure ? path.held(at: schedule.stillIndex) : nil
        }
        loop = try search?.part(steadiedBy: steadying)
    }
}
