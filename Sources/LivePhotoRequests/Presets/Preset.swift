public import MediaModel

/// All settings of a conversion that are not specific to one clip.
public struct Preset: Sendable, Hashable, Codable {
    /// The name of the preset.
    public var name: String
    /// One line that describes it.
    public var description: String
    /// The part of the clip that becomes the movie.
    public var window: Window
    /// The visible part of the clip's picture, for both photo and movie.
    public var picture: Picture
    /// How the picture is turned, and how its tone and colour change, in both photo and movie.
    public var adjustments: Adjustments
    /// Effect and speed.
    public var motion: Motion
    /// How the video is encoded.
    public var video: Video
    /// Whether and how the clip's sound is kept.
    public var audio: Audio
    /// How the key photo is encoded.
    public var photo: Photo
    /// Which of the clip's date, place and camera are copied.
    public var metadata: MetadataMode
    /// Limits on the cost of a conversion. They do not change the result.
    public var limits: Limits

    /// The part of the clip around the still that becomes the movie.
    public struct Window: Sendable, Hashable, Codable {
        /// Time of the key photo in the clip, or the best frame; nil is the middle of the clip, or of the part from `start` to
        /// `end`.
        public var still: RequestedStill?
        /// Start of the movie in the clip; nil is `before` seconds before the still.
        public var start: ClipTime?
        /// End of the movie in the clip.
        public var end: ClipTime?
        /// Duration of the movie, above zero; nil is the sum of `before` and `after`. Not allowed together with both `start`
        /// and `end`.
        public var duration: MediaTime?
        /// Duration before the still; not negative.
        public var before: MediaTime
        /// Duration after the still; not negative.
        public var after: MediaTime
    }

    /// The visible part of the clip's picture, for both photo and movie.
    public struct Picture: Sendable, Hashable, Codable {
        /// Crop and aspect ratio.
        public var framing: Framing
        /// Whether HDR clips become HDR or SDR.
        public var hdr: HDRMode
        /// Tone-mapping operator; used for HDR clips only.
        public var toneMapping: ToneMapping
        /// Colour that fills transparent areas of the clip, and of a photo that is re-encoded.
        public var background: BackgroundColor
    }

    /// How the video is encoded.
    public struct Video: Sendable, Hashable, Codable {
        /// The codec, which decides which of the encoders' settings apply.
        public var codec: VideoCodec
        /// Range of frame rates; the clip's rate divided by a whole number is used if it is in this range.
        public var frameRate: FrameRateRange
        /// Larger pictures are scaled down to this size; smaller ones are unchanged.
        public var maxSize: MaximumSize
        /// libx264's preset, from fast to small.
        public var x264Preset: X264Preset
        /// libx264's constant rate factor.
        public var crf: X264RateFactor
        /// libx265's preset, from fast to small.
        public var x265Preset: X265Preset
        /// libx265's constant rate factor.
        public var x265CRF: ConstantRateFactor
        /// Whether frames of a slower clip are shown several times, so that the movie has a rate in the range; nil does not.
        public var repeatFrames: OptionSwitch?
        /// What the records of a live-photo-info track say, which the lock screen is reported to need; nil for no track.
        public var livePhotoInfo: LivePhotoInfoMotion?
        /// Whether the still time has the transform from the frame to the key photo; nil does not.
        public var stillTransform: OptionSwitch?
        /// Whether the movie says that it is worth to be played by itself, with a vitality score of 1; nil does not.
        public var vitality: OptionSwitch?

        /// Whether there is a live-photo-info track.
        package var writesLivePhotoInfo: Bool { livePhotoInfo ?? .omitted != .omitted }
    }

    /// Whether and how the clip's sound is kept.
    public struct Audio: Sendable, Hashable, Codable {
        /// Whether the movie has sound.
        public var mode: AudioMode
        /// Bit rate of re-encoded sound; AAC that fits is copied.
        public var bitrate: BitRate
        /// How much louder or softer the sound becomes; nil leaves it as it is.
        public var volume: AudioVolume?
    }

    /// How the key photo is encoded.
    public struct Photo: Sendable, Hashable, Codable {
        /// Format of a frame, or of a photo that is re-encoded.
        public var format: KeyPhotoFormat
        /// Quality, on JPEG's scale for both formats.
        public var quality: PhotoQuality
    }

    /// Limits on the cost of a conversion in the worker (`livephoto-media`).
    public struct Limits: Sendable, Hashable, Codable {
        /// Longest duration of a conversion.
        public var timeout: TimeLimit
        /// Memory of the worker; nil derives a limit from picture sizes and thread count.
        public var memory: MemoryLimit?

        /// The derived memory limit, and no time limit.
        package static let none = Limits(timeout: TimeLimit(nil), memory: nil)
    }
}
