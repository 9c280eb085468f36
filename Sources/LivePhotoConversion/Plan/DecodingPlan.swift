package import FFmpegKit
package import LivePhotoRequests

/// Which frames of a clip a movie needs, and how they are decoded.
package struct DecodingPlan: Sendable, Hashable {
    package let work: ClipWork
    package let clip: ClipDescription
    package let window: Window
    /// The format of the clip's pictures at the movie's start, or at the still time if that is known to differ.
    package let picture: VideoParameters
    package let schedule: FrameSchedule
    let cadence: Cadence
    /// How often the movie shows each frame of a clip that is slower than it may be.
    let frameRepeats: Int
    /// The movie's rate before a change of its speed.
    let frameRate: FrameRate
    /// The clip's frame rate around the movie.
    package let clipFrameRate: FrameRate
    package let decodingThreads: Int
    package let processingThreads: Int

    /// - Throws: `LivePhotoError` for a clip without frames.
    package init(_ work: ClipWork, _ clip: ClipDescription, _ window: Window) throws(LivePhotoError) {
        let settings = work.preset
        let source = SourceRate(times: clip.frameTimes, nominal: clip.picture.averageFrameRate)
        let range = settings.video.frameRate.ofClip(playedAt: settings.motion.speed, clipRate: source.rate)
        cadence = Cadence(source: source, range: range)
        frameRepeats = settings.video.repeatFrames == .on ? cadence.repeats(in: range) : 1
        frameRate = cadence.frameRate.multiplied(by: Int32(frameRepeats)) ?? cadence.frameRate
        self.window =
            switch work.product {
            case .livePhoto: window
            case .edit: window.withStill(nearestOf: clip.frameTimes)
            // Where frames are left out, the first one stays.
            case .media: settings.window.still == nil ? window.withStillAtStart : window
            }
        guard let schedule = FrameSchedule(times: clip.frameTimes, window: self.window, cadence: cadence) else {
            throw LivePhotoError(.unusableMedia, clip.path, "has no frame that can be decoded")
        }
        (self.work, self.clip, self.schedule, clipFrameRate) = (work, clip, schedule, source.rate)
        picture = clip.picture.turned(by: settings.adjustments)
        decodingThreads = work.decodingThreads(ofClip: clip.videoCodec)
        processingThreads = work.processingThreads
    }
}
