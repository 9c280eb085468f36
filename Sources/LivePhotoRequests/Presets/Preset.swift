public import MediaModel

/// All settings of a conversion, except those of one clip, such as its path. Each has a value.
public struct Preset: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// One line that says what it is for.
    public var description: String
    /// What part of the clip the movie shows.
    public var window: Window
    /// What is shown of the clip's picture, in photo and movie alike.
    public var picture: Picture
    /// How the movie's pictures are made.
    public var video: Video
    /// What becomes of the clip's sound.
    public var audio: Audio
    /// How the key photo is made.
    public var photo: Photo
    /// How much of the clip's date, place and camera goes into the pair.
    public var metadata: MetadataMode
    /// What making the pair may cost. Two presets that differ in nothing else make the same pair.
    public var limits: Limits

    /// What part of the clip the movie shows, around the still.
    public struct Window: Sendable, Hashable, Codable {
        /// The moment of the clip that becomes the key photo; nil is the middle of the clip, or of the part from
        /// `start` to `end`.
        public var still: ClipTime?
        /// Where in the clip the movie starts; nil is as long before the still as `before` says.
        public var start: ClipTime?
        /// Where in the clip the movie ends.
        public var end: ClipTime?
        /// How long the movie lasts, above zero; nil is `before` and `after` together. With `start` and `end` it is one
        /// too many.
        public var duration: MediaTime?
        /// From the movie's start to the still; not negative.
        public var before: MediaTime
        /// From the still to the movie's end; not negative.
        public var after: MediaTime
    }

    /// What is shown of the clip's picture, in photo and movie alike.
    public struct Picture: Sendable, Hashable, Codable {
        /// Which part of it, in which shape.
        public var framing: Framing
        /// How HDR clips become SDR; nothing to others.
        public var toneMapping: ToneMapping
        /// What fills the transparent parts of the clip, and of a photo that is encoded.
        public var background: BackgroundColor
    }

    /// How the movie's pictures are made.
    public struct Video: Sendable, Hashable, Codable {
        /// Frames a second: the clip's rate divided by a whole number where that falls inside.
        public var frameRate: FrameRateRange
        /// Larger pictures are scaled down to it, smaller ones stay as they are.
        public var maxSize: MaximumSize
        /// How long libx264 searches for what it can leave out.
        public var x264Preset: X264Preset
        /// How much libx264 may lose.
        public var crf: ConstantRateFactor
    }

    /// What becomes of the clip's sound.
    public struct Audio: Sendable, Hashable, Codable {
        /// Whether the movie has sound at all.
        public var mode: AudioMode
        /// Of sound that has to be re-encoded; sound that fits as it is is copied.
        public var bitrate: BitRate
    }

    /// How the key photo is made.
    public struct Photo: Sendable, Hashable, Codable {
        /// How much coding may lose.
        public var quality: PhotoQuality
    }

    /// What making the pair may cost, where decoding is done by the worker (`livephoto-media`).
    public struct Limits: Sendable, Hashable, Codable {
        /// How long it may take.
        public var timeout: TimeLimit
        /// Memory of its process; nil is what the picture's size and the threads need as a rule.
        public var memory: MemoryLimit?

        /// The usual memory, and no time limit.
        package static let none = Limits(timeout: TimeLimit(nil), memory: nil)
    }
}
