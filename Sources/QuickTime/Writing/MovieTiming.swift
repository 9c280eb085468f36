package import MediaModel

/// The times of a finished paired video, all on the grid of `MovieWriter.timescale` unless said otherwise.
package struct MovieTiming: Sendable {
    /// Of the video, from 0 to the end of the last frame.
    package var duration: MediaTime
    /// When the key photo was taken: the presentation time of one of the frames.
    package var stillTime: MediaTime
    /// Which part of the audio is heard; nil where there is none.
    package var audio: AudioEdit?

    package init(duration: MediaTime, stillTime: MediaTime, audio: AudioEdit? = nil) {
        self.duration = duration
        self.stillTime = stillTime
        self.audio = audio
    }
}

/// The part of the audio that is heard, and when.
package struct AudioEdit: Sendable {
    /// The silence before it.
    package var delay: MediaTime
    /// Samples to leave out at the start: the encoder's priming, and what comes before the cut.
    package var firstSample: Int
    /// How long it is heard.
    package var duration: MediaTime

    package init(delay: MediaTime = .zero, firstSample: Int, duration: MediaTime) {
        self.delay = delay
        self.firstSample = firstSample
        self.duration = duration
    }
}
