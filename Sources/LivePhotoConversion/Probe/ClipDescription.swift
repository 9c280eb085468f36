package import FFmpegKit
package import MediaModel
package import SystemPackage

/// What a clip is, as far as a plan needs to know. All times are on the clip's clock, where it begins at zero.
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
    package let duration: MediaTime
    package let video: StreamInfo
    package let picture: VideoParameters
    package let audio: AudioTrack?
    /// What the user may want to know of sound that cannot be decoded: each one sentence.
    package let soundWarnings: [String]
    package let metadata: ClipMetadata
    /// Presentation times of the frames in and around the window, in rising order.
    package let frameTimes: [MediaTime]
    /// When the last frame of all ends; nil where the picture goes on after the window.
    package let endOfPicture: MediaTime?
    /// From where on everything in the window can be decoded.
    package let entry: EntryPoint

    package init(
        path: FilePath, containerName: String, duration: MediaTime, video: StreamInfo, picture: VideoParameters,
        audio: AudioTrack?, soundWarnings: [String] = [], metadata: ClipMetadata = ClipMetadata(),
        frameTimes: [MediaTime],
        endOfPicture: MediaTime? = nil, entry: EntryPoint
    ) {
        self.path = path
        self.containerName = containerName
        self.duration = duration
        self.video = video
        self.picture = picture
        self.audio = audio
        self.soundWarnings = soundWarnings
        self.metadata = metadata
        self.frameTimes = frameTimes
        self.endOfPicture = endOfPicture
        self.entry = entry
    }
}
