package import MediaModel

/// What a clip's container declares about one of its streams.
package struct StreamInfo: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case video(VideoParameters)
        case audio(AudioParameters)
        case other
    }

    /// libav's stream index in the clip.
    package let index: Int
    /// The container's own number of the stream, such as a QuickTime track's ID.
    package let id: Int
    package let kind: Kind
    /// libav's name of the codec: `h264`; for one that it does not know, the container's four characters.
    package let codecName: String
    /// Whether this libav has a decoder for it.
    package let isDecodable: Bool
    /// Whether it cannot be decoded without a key.
    package let isEncrypted: Bool
    /// How many pictures a decoder may hold back to show them in order; 0 where they are coded in order, or unknown.
    package let reorderedPictures: Int
    /// What shows that decoding may begin at one of its pictures.
    package let keyFrameEvidence: KeyFrameEvidence
    /// First presentation time on the container's own clock.
    package let startTime: MediaTime?
    package let duration: MediaTime?
    /// A picture that illustrates the clip (cover art), not the clip's picture.
    package let isAttachedPicture: Bool
    package let isDefault: Bool

    package init(
        index: Int, id: Int = 0, kind: Kind, codecName: String, isDecodable: Bool = true,
        isEncrypted: Bool = false, keyFrameEvidence: KeyFrameEvidence = .picture, reorderedPictures: Int = 0,
        startTime: MediaTime? = nil,
        duration: MediaTime? = nil, isAttachedPicture: Bool = false, isDefault: Bool = true
    ) {
        self.index = index
        self.id = id
        self.kind = kind
        self.codecName = codecName
        self.isDecodable = isDecodable
        self.isEncrypted = isEncrypted
        self.keyFrameEvidence = keyFrameEvidence
        self.reorderedPictures = reorderedPictures
        self.startTime = startTime
        self.duration = duration
        self.isAttachedPicture = isAttachedPicture
        self.isDefault = isDefault
    }

    package var video: VideoParameters? {
        if case .video(let parameters) = kind { parameters } else { nil }
    }

    package var audio: AudioParameters? {
        if case .audio(let parameters) = kind { parameters } else { nil }
    }
}

/// The picture of a video stream, as stored.
package struct VideoParameters: Sendable, Hashable {
    package var codedSize: PixelSize
    /// The part of the stored picture that is meant to be seen, in its pixels; nil is all of it.
    package var cleanAperture: CleanAperture?
    /// Width and height of one pixel; (1, 1) when square or unknown.
    package var sampleAspectRatio: AspectRatio
    /// Whether that is the container's ratio, which applies to all pictures regardless of the codec's.
    package var hasContainerAspectRatio = false
    /// How the stored picture is turned upright; from the display matrix.
    package var orientation: Orientation
    package var pixelFormat: PixelFormat
    /// As tagged; 2 (unspecified) where the clip does not say.
    package var color: ColorDescription
    /// Frames over time, as the container or libav's look at the first packets has it.
    package var averageFrameRate: FrameRate?
    package var isInterlaced: Bool
    /// Whether chroma samples are located at the left of the pixels that share them, as nearly always in video.
    package var hasChromaAtLeft = true
    /// Whether the components have been multiplied by alpha already.
    package var hasPremultipliedAlpha = false
    /// 0 for what is not Dolby Vision.
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

/// The part of a stored picture that is meant to be seen, in its pixels; edges need not be whole ones.
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

/// What of a pixel format (libav's AVPixFmtDescriptor) matters to a plan.
package struct PixelFormat: Sendable, Hashable {
    /// libav's name: `yuv420p10le`.
    package let name: String
    package let bitsPerComponent: Int
    package let isRGB: Bool
    package var hasAlpha: Bool
    /// Whether its numbers are places in a palette.
    package let isPaletted: Bool
    /// How many pixels of a row and of a column share a chroma sample: 2 and 2 for 4:2:0.
    package let chromaSpacing: PixelSize
    /// The old `yuvj` names, which say full range by name.
    package var isFullRangeByName: Bool { name.hasPrefix("yuvj") }

    private static let fullChroma = PixelSize(width: 1, height: 1)

    package init(
        name: String, bitsPerComponent: Int = 8, isRGB: Bool = false, hasAlpha: Bool = false, isPaletted: Bool = false,
        chromaSpacing: PixelSize = PixelSize(width: 2, height: 2)
    ) {
        self.name = name
        self.bitsPerComponent = bitsPerComponent
        self.isRGB = isRGB
        self.hasAlpha = hasAlpha
        self.isPaletted = isPaletted
        self.chromaSpacing = isRGB ? Self.fullChroma : chromaSpacing
    }
}

/// The sound of an audio stream, as stored.
package struct AudioParameters: Sendable, Hashable {
    /// Samples a second; 0 when unknown.
    package var sampleRate: Int
    package var channels: Int
    /// AAC's AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), when the stream is AAC-LC and has it in its header.
    package var aacLCConfiguration: [UInt8]?

    package init(sampleRate: Int, channels: Int, aacLCConfiguration: [UInt8]? = nil) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.aacLCConfiguration = aacLCConfiguration
    }
}
