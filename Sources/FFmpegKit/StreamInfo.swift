package import MediaModel

/// A stream of a clip, as its container declares it.
package struct StreamInfo: Sendable, Hashable {
    /// libav's stream index in the clip.
    package let index: Int
    /// The container's number of the stream, such as a QuickTime track's ID.
    package internal(set) var id = 0
    /// Nil unless it is a video stream.
    package internal(set) var video: VideoParameters?
    /// Nil unless it is an audio stream.
    package internal(set) var audio: AudioParameters?
    /// libav's name of the codec: `h264`; for a codec unknown to libav, the container's four characters.
    package let codecName: String
    /// Whether the linked libavcodec has a decoder for it.
    package internal(set) var isDecodable = true
    /// Whether it cannot be decoded without a key.
    package internal(set) var isEncrypted = false
    /// How many pictures a decoder may have to reorder; 0 if none or unknown.
    package internal(set) var reorderedPictures = 0
    /// How to recognize a picture at which decoding can start.
    package internal(set) var keyFrameEvidence = KeyFrameEvidence.picture
    /// First presentation time on the container's clock.
    package internal(set) var startTime: MediaTime?
    package internal(set) var duration: MediaTime?
    /// Whether it is a picture that illustrates the clip (cover art).
    package internal(set) var isAttachedPicture = false
    package internal(set) var isDefault = true
    /// How many pictures or packets the container declares; nil if it does not.
    package internal(set) var frameCount: Int?

    package init(index: Int, video: VideoParameters? = nil, audio: AudioParameters? = nil, codecName: String) {
        self.index = index
        self.video = video
        self.audio = audio
        self.codecName = codecName
    }
}

/// The pictures of a video stream, as stored.
package struct VideoParameters: Sendable, Hashable {
    package var codedSize: PixelSize
    /// Nil if the whole stored picture is shown.
    package var cleanAperture: CleanAperture?
    /// Width and height of one pixel; (1, 1) if square or unknown.
    package var sampleAspectRatio: AspectRatio
    /// Whether that is the container's ratio, which applies to all pictures regardless of the codec's.
    package var hasContainerAspectRatio = false
    /// How the stored picture is turned upright; from the display matrix.
    package var orientation: Orientation
    package var pixelFormat: PixelFormat
    /// As tagged; 2 (unspecified) for missing tags.
    package var color: ColorDescription
    /// As declared by the container, or measured by libav in the first packets.
    package var averageFrameRate: FrameRate?
    package var isInterlaced: Bool
    /// Whether chroma samples are located at the left of the pixels that share them, as nearly always in video.
    package var hasChromaAtLeft = true
    /// Whether the components are already multiplied by alpha.
    package var hasPremultipliedAlpha = false
    /// The static HDR metadata of the container; those of the pictures come first.
    package var hdrMetadata: HDRMetadata?
    /// 0 for video other than Dolby Vision.
    package var dolbyVisionProfile = 0

    package init(
        codedSize: PixelSize, sampleAspectRatio: AspectRatio = AspectRatio(1, 1), orientation: Orientation = .upright,
        pixelFormat: PixelFormat, color: ColorDescription, averageFrameRate: FrameRate?, isInterlaced: Bool = false
    ) {
        self.codedSize = codedSize
        self.sampleAspectRatio = sampleAspectRatio
        self.orientation = orientation
        self.pixelFormat = pixelFormat
        self.color = color
        self.averageFrameRate = averageFrameRate
        self.isInterlaced = isInterlaced
    }
}

/// The part of a stored picture that is shown, in pixels; its edges may lie within pixels.
package struct CleanAperture: Sendable, Hashable {
    package let x: Double
    package let y: Double
    package let width: Double
    package let height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}

/// The properties of a pixel format (libav's AVPixFmtDescriptor) that affect a plan.
package struct PixelFormat: Sendable, Hashable {
    /// libav's name: `yuv420p10le`.
    package let name: String
    package let bitsPerComponent: Int
    package let isRGB: Bool
    package var hasAlpha: Bool
    /// Whether samples are indices into a palette.
    package let isPaletted: Bool
    /// How many pixels of a row and of a column share a chroma sample: 2 and 2 for 4:2:0.
    package let chromaSpacing: PixelSize
    /// Whether it is one of the deprecated `yuvj` formats, which imply full range.
    package var isFullRangeByName: Bool { name.hasPrefix("yuvj") }

    /// Whether it has luma alone.
    package var isGray: Bool { name.hasPrefix("gray") }

    package init(
        name: String, bitsPerComponent: Int = 8, isRGB: Bool = false, hasAlpha: Bool = false, isPaletted: Bool = false,
        chromaSpacing: PixelSize = PixelSize(width: 2, height: 2)
    ) {
        self.name = name
        self.bitsPerComponent = bitsPerComponent
        self.isRGB = isRGB
        self.hasAlpha = hasAlpha
        self.isPaletted = isPaletted
        self.chromaSpacing = isRGB ? PixelSize(width: 1, height: 1) : chromaSpacing
    }
}

/// The format of an audio stream, as stored.
package struct AudioParameters: Sendable, Hashable {
    /// Samples a second; 0 if unknown.
    package var sampleRate: Int
    package var channels: Int
    /// The AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1) of AAC-LC with a header; otherwise nil.
    package var aacLCConfiguration: [UInt8]?

    package init(sampleRate: Int, channels: Int, aacLCConfiguration: [UInt8]? = nil) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.aacLCConfiguration = aacLCConfiguration
    }
}
