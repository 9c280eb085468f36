import LivePhotoRequests

/// What has to be seen of a clip's pictures before the rest can be planned.
package struct Survey: Sendable, Hashable {
    /// The best stills, if they were looked for: the first one was taken.
    var stillCandidates: [StillCandidate] = []
    /// How the frames of the schedule are steadied; nil leaves them as they are.
    var steadying: [PictureCorrection]?
    /// How the frames of a long exposure are laid over each other; nil for a frame that is left out.
    var exposureSteadying: [PictureCorrection?]?
    /// The part of the schedule that a loop shows; nil for all of it.
    var loop: LoopPart?

    package init() {}
}
