package import Bytes
package import MediaModel

/// The video of a movie to be written.
package struct VideoFormat: Sendable {
    enum Configuration: Sendable {
        case h264(AVCConfigurationBox)
        case hevc(HEVCParameterSets)
    }

    let configuration: Configuration
    /// The size of the upright picture, in square pixels.
    package var size: PixelSize
    /// Limited range: a QuickTime movie has no field for it.
    package var color: ColorDescription
    /// HEVC only.
    package var hdrMetadata: HDRMetadata?

    /// - Parameter parameterSets: NAL units between start codes; other units are left out.
    /// - Throws: `ParseError` unless there is a parameter set of each type.
    package init(
        _ codec: VideoCodec, parameterSets: Span<UInt8>, size: PixelSize, color: ColorDescription
    ) throws(ParseError) {
        configuration =
            switch codec {
            case .h264: .h264(try AVCConfigurationBox(annexB: parameterSets))
            case .hevc: .hevc(try HEVCParameterSets(annexB: parameterSets))
            }
        self.size = size
        self.color = color
    }

    var codec: VideoCodec {
        switch configuration {
        case .h264: .h264
        case .hevc: .hevc
        }
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
