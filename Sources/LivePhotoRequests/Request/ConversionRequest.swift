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

    /// How the pair is made; nil is the preset `classic`.
    public var preset: Preset?

    /// Nil makes a new identifier. The same request with the same identifier gives the same bytes on a machine.
    public var contentIdentifier: ContentIdentifier?
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
        replacesExisting = false
    }

    /// How the pair is made.
    package var settings: Preset {
        get throws(ConfigurationError) {
            if let preset { preset } else { try PresetLibrary().preset(named: PresetLibrary.defaultName) }
        }
    }
}
