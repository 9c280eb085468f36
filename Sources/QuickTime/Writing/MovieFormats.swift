package import MediaModel

/// The H.264 video of a movie to be written.
package struct VideoFormat: Sendable {
    package var configuration: AVCConfigurationBox
    /// The size of the upright picture, in square pixels.
    package var size: PixelSize
    /// Limited range: a QuickTime movie has no field for it.
    package var color: ColorDescription

    package init(configuration: AVCConfigurationBox, size: PixelSize, color: ColorDescription) {
        self.configuration = configuration
        self.size = size
        self.color = color
    }
}

/// The AAC audio of a movie to be written.
package struct AudioFormat: Sendable, Hashable {
    /// Samples a second, which is also the timescale of the track; at most 65535, the limit of a sound description.
    package var sampleRate: Int
    package var channels: Int
    /// ISO/IEC 14496-3, 1.6.2.1; libavcodec's `extradata`.
    package var audioSpecificConfig: [UInt8]
    /// Samples a channel in each packet: 1024, or 960 of some broadcasters.
    package var framesPerPacket: Int

    package init(sampleRate: Int, channels: Int, audioSpecificConfig: [UInt8], framesPerPacket: Int = 1024) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.audioSpecificConfig = audioSpecificConfig
        self.framesPerPacket = framesPerPacket
    }
}
