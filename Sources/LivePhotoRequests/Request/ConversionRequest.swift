public import LivePhotoKit

/// What to make of which clip, and where to put it. Everything but the clip has a sensible default.
public struct ConversionRequest: Sendable, Hashable {
    /// The clip: a local file of any kind that FFmpeg reads.
    public var clip: FilePath
    /// Where the pair goes; created when missing.
    public var outputDirectory: FilePath
    /// Name of both files without extension; nil takes the clip's.
    public var name: String?

    /// A photo to take as the key photo in place of the clip's frame; nil takes the frame. A JPEG or HEIC stays as it
    /// is but for its metadata, a PNG, TIFF, WebP or AVIF becomes a JPEG.
    public var photo: FilePath?

    /// How the pair is made, as far as the values below do not say otherwise; nil is the preset `classic`.
    public var preset: Preset?

    /// The moment of the clip that becomes the key photo, or at which a photo of one's own stands; nil is the preset's,
    /// and where that says none, the middle of the clip or of the part asked for.
    public var still: ClipTime?
    /// Where in the clip the movie starts; nil is the preset's.
    public var start: ClipTime?
    /// Where in the clip the movie ends; nil is the preset's.
    public var end: ClipTime?
    /// How long the movie lasts; nil is the preset's.
    public var duration: MediaTime?
    /// From the movie's start to the still; nil is the preset's.
    public var before: MediaTime?
    /// From the still to the movie's end; nil is the preset's.
    public var after: MediaTime?

    /// What is shown of the clip's picture; what is nil in it is the preset's.
    public var framing: Framing
    /// How HDR clips become SDR; nil is the preset's.
    public var toneMapping: ToneMapping?
    /// What fills the transparent parts of the clip, and of a photo that is encoded; nil is the preset's.
    public var background: BackgroundColor?
    /// Frames a second; nil is the preset's.
    public var frameRate: FrameRateRange?
    /// The largest picture of the movie; nil is the preset's.
    public var maxSize: MaximumSize?
    /// Whether the movie has sound, where the clip has some; nil is the preset's.
    public var audio: AudioMode?
    /// Nil makes a new identifier. The same request with the same identifier gives the same bytes on a machine.
    public var contentIdentifier: ContentIdentifier?
    /// Whether the pair says when, where and with what the clip was shot, as far as the clip says it; nil is the
    /// preset's.
    public var includesMetadata: Bool?
    /// Whether that includes the place; nil is the preset's.
    public var includesLocation: Bool?
    /// When the clip was shot; nil is what the clip says.
    public var captureDate: CaptureDate?
    /// Whether files of the same names are replaced.
    public var replacesExisting: Bool
    /// Threads for decoding and encoding; nil takes one for each core.
    public var threads: Int?
    /// Threads for encoding alone; nil follows from `threads`. With another number x264 makes other bytes.
    package var encoderThreads: Int?

    public init(clip: FilePath, outputDirectory: FilePath = ".") {
        self.clip = clip
        self.outputDirectory = outputDirectory
        framing = Framing()
        replacesExisting = false
    }
}
