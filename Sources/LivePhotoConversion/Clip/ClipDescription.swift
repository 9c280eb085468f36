package import FFmpegKit
package import MediaModel
package import SystemPackage

/// What a plan needs to know about a clip. All times are on the clip's clock, where it begins at zero.
package struct ClipDescription: Sendable, Hashable {
    package struct AudioTrack: Sendable, Hashable {
        package let stream: StreamInfo
        /// Whether the packets around the window follow each other without gap or overlap.
        package let isContinuous: Bool

        package init(stream: StreamInfo, isContinuous: Bool) {
            self.stream = stream
            self.isContinuous = isContinuous
        }
    }

    package let path: FilePath
    package let containerName: String
    package let span: PictureSpan
    /// How long the clip lasts.
    package var duration: MediaTime { span.end }
    package let video: StreamInfo
    package let picture: VideoParameters
    /// Whether `picture` is what the clip shows at the still; otherwise it is the first that was decoded for the movie.
    package let hasShapeOfStill: Bool
    package let audio: AudioTrack?
    /// Warnings about the pictures: each one sentence.
    package var pictureWarnings: [String]
    /// Where reading the clip broke off; nil where it did not, as far as the clip was read.
    package var damage: ClipDamage?
    /// Warnings about sound that cannot be decoded: each one sentence.
    package let soundWarnings: [String]
    package let metadata: ClipMetadata
    /// Presentation times of the frames in and around the window, in rising order.
    package let frameTimes: [MediaTime]
    /// Whether those are the times of packets; otherwise those that decoded frames were given.
    package let hasPacketTimes: Bool
    /// When the last frame of all ends; nil where the picture goes on after the window.
    package let endOfPicture: MediaTime?
    /// From where on everything in the window can be decoded.
    package let entry: EntryPoint

    package init(
        path: FilePath, containerName: String, span: PictureSpan, video: StreamInfo, picture: VideoParameters,
        hasShapeOfStill: Bool = false, audio: AudioTrack?, pictureWarnings: [String] = [], soundWarnings: [String] = [],
        damage: ClipDamage? = nil,
        metadata: ClipMetadata = ClipMetadata(), frameTimes: [MediaTime], hasPacketTimes: Bool = true,
        endOfPicture: MediaTime? = nil,
        entry: EntryPoint
    ) {
        self.path = path
        self.containerName = containerName
        self.span = span
        self.video = video
        self.picture = picture
        self.hasShapeOfStill = hasShapeOfStill
        self.audio = audio
        self.pictureWarnings = pictureWarnings
        self.soundWarnings = soundWarnings
        self.damage = damage
        self.metadata = metadata
        self.frameTimes = frameTimes
        self.hasPacketTimes = hasPacketTimes
        self.endOfPicture = endOfPicture
        self.entry = entry
    }
}

/// From when until when a clip has pictures, on the clip's clock.
package struct PictureSpan: Sendable, Hashable {
    package let start: MediaTime
    package let end: MediaTime

    /// - Parameter start: nil if the clip does not declare it; an implausible value is ignored.
    package init(start: MediaTime? = nil, end: MediaTime) {
        self.end = end
        self.start = start.map { $0 > .zero && $0 < end ? $0 : .zero } ?? .zero
    }
}

/// A place from which on a clip cannot be read, as in a file that was cut off.
package struct ClipDamage: Sendable, Hashable {
    /// The latest presentation time of a picture before it.
    package let time: MediaTime
    /// libav's description of the error.
    package let reason: String

    package init(after time: MediaTime, reason: String) {
        self.time = time
        self.reason = reason
    }

    /// One sentence for the user.
    package var warning: String {
        "the clip is damaged after \(time) (\(reason)); what comes after that is left out"
    }
}
