package import FFmpegKit
package import MediaModel
package import SystemPackage

/// The properties of a clip that a plan is made from. All times are on the clip's clock, where playback starts at zero.
package struct ClipDescription: Sendable, Hashable {
    package struct AudioTrack: Sendable, Hashable {
        package let stream: StreamInfo
        /// Whether the packets around the window have no gaps or overlaps.
        package let isContinuous: Bool

        package init(stream: StreamInfo, isContinuous: Bool) {
            self.stream = stream
            self.isContinuous = isContinuous
        }
    }

    package let path: FilePath
    package let span: PictureSpan
    package private(set) var picture: VideoParameters
    /// libav's name of the video codec: `hevc`.
    package var videoCodec = ""
    /// Whether `picture` is the picture at the still time; otherwise it is the first one decoded for the movie.
    package private(set) var hasShapeOfStill = false
    package let audio: AudioTrack?
    /// Warnings about the pictures: each one sentence.
    package internal(set) var pictureWarnings: [String] = []
    /// Where the part of the clip that was read is damaged; nil if it is not.
    package internal(set) var damage: ClipDamage?
    /// Warnings about sound that cannot be decoded: each one sentence.
    package internal(set) var soundWarnings: [String] = []
    package internal(set) var metadata = ClipMetadata()
    /// Presentation times of the frames in and around the window, in ascending order.
    package let frameTimes: [MediaTime]
    /// Whether those are the times of packets; otherwise they are those of decoded frames.
    package internal(set) var hasPacketTimes = true
    /// When the clip's last frame ends; nil if there are pictures after the window.
    package internal(set) var endOfPicture: MediaTime?
    /// The same by the duration that the last frame declares; later than `endOfPicture` if that is long.
    package internal(set) var shownUntil: MediaTime?
    /// Where to start decoding to get all frames of the window.
    package let entry: EntryPoint

    package init(
        path: FilePath, span: PictureSpan, picture: VideoParameters, audio: AudioTrack?, frameTimes: [MediaTime],
        endOfPicture: MediaTime? = nil, entry: EntryPoint
    ) {
        self.path = path
        self.span = span
        self.picture = picture
        self.audio = audio
        self.frameTimes = frameTimes
        self.endOfPicture = endOfPicture
        self.entry = entry
    }

    /// The same clip described by the picture at the still time.
    func describing(stillPicture: VideoParameters) -> ClipDescription {
        var copy = self
        (copy.picture, copy.hasShapeOfStill) = (stillPicture, true)
        return copy
    }
}

/// The time range in which a clip has pictures, on the clip's clock.
package struct PictureSpan: Sendable, Hashable {
    package let start: MediaTime
    package let end: MediaTime

    /// - Parameter start: nil if the clip does not declare it; an implausible value is ignored.
    package init(start: MediaTime? = nil, end: MediaTime) {
        self.end = end
        self.start = start.map { $0 > .zero && $0 < end ? $0 : .zero } ?? .zero
    }
}

/// An error that ends reading a clip, as in a truncated file.
package struct ClipDamage: Sendable, Hashable {
    /// The latest presentation time of a picture before the error.
    let time: MediaTime
    /// libav's description of the error.
    let reason: String

    /// One sentence for the user.
    package var warning: String {
        "the clip is damaged after \(time) (\(reason)); what comes after that is left out"
    }
}
