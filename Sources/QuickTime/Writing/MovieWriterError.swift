package import MediaModel

/// Incorrect use of a movie writer, which is an internal error.
package enum MovieWriterError: Error, Hashable, Sendable {
    case sizeOutOfRange(PixelSize)
    /// The sample rate, channels or configuration of the audio do not fit in a sound description.
    case audioFormatOutOfRange
    /// Audio was given to a movie without an audio format.
    case audioWithoutFormat
    case sampleSizeOutOfRange(Int)
    /// A negative time, one beyond 41 days, or one between two ticks of `MovieWriter.timescale`.
    case timeOffGrid(MediaTime)
    case noFrames
    case firstFrameNotSync
    /// The first frame in decode or presentation order is not at time 0.
    case firstFrameNotAtZero
    case repeatedTime(MediaTime)
    /// The movie would end before its last frame begins.
    case durationTooShort(MediaTime)
    /// No frame has the still time.
    case stillBetweenFrames(MediaTime)
    /// There is audio without an edit, an edit without audio, or an edit that extends beyond the audio.
    case audioEditMismatch
    case finished
}

extension MovieWriterError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sizeOutOfRange(let size): "a picture of \(size) does not fit into a movie"
        case .audioFormatOutOfRange: "the audio format does not fit into a movie"
        case .audioWithoutFormat: "there is audio in a movie without an audio track"
        case .sampleSizeOutOfRange(let size): "a sample of \(size) bytes does not fit into a movie"
        case .timeOffGrid(let time): "the time \(time) is not on the movie's grid"
        case .noFrames: "the movie has no frame"
        case .firstFrameNotSync: "the first frame is not a key frame"
        case .firstFrameNotAtZero: "the first frame is not at 0 s"
        case .repeatedTime(let time): "two frames are at \(time)"
        case .durationTooShort(let duration): "the movie's duration of \(duration) ends before its last frame begins"
        case .stillBetweenFrames(let time): "no frame is at the still time \(time)"
        case .audioEditMismatch: "the audio edit does not fit the audio"
        case .finished: "the movie is finished already"
        }
    }
}
