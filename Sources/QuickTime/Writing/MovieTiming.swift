package import MediaModel

/// The times of a finished paired video, all on the grid of `MovieWriter.timescale` unless stated otherwise.
package struct MovieTiming: Sendable {
    /// The duration of the video, from 0 to the end of the last frame.
    package var duration: MediaTime
    /// When the key photo was taken: the presentation time of one of the frames.
    package var stillTime: MediaTime
    /// Whether that is what a camera wrote, which may be between two frames.
    package var keepsStillOfCamera = false
    /// The audible part of the audio; nil if there is none.
    package var audio: AudioEdit?

    package init(duration: MediaTime, stillTime: MediaTime, audio: AudioEdit? = nil) {
        self.duration = duration
        self.stillTime = stillTime
        self.audio = audio
    }
}

/// The audible part of the audio, and its position in the movie.
package struct AudioEdit: Sendable {
    /// The silence before it.
    package var delay: MediaTime
    /// Samples to leave out at the start: the encoder's priming, and the audio before the cut.
    package var firstSample: Int
    /// The duration of the audible part.
    package var duration: MediaTime

    package init(delay: MediaTime = .zero, firstSample: Int, duration: MediaTime) {
        self.delay = delay
        self.firstSample = firstSample
        self.duration = duration
    }

    /// The edit on the grid of the movie, at least one tick long and not longer than the sound.
    package var onMovieGrid: AudioEdit {
        let tick = MediaTime(value: 1, timescale: MovieWriter.timescale)
        return AudioEdit(
            delay: delay.rescaled(to: MovieWriter.timescale), firstSample: firstSample,
            duration: max(duration.rescaled(to: MovieWriter.timescale, .down), tick))
    }
}
