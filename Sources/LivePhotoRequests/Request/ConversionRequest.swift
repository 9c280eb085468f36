public import LivePhotoKit
import StillImage

/// A clip to convert, and how and where. Everything but the clip has a sensible default.
public struct ConversionRequest: Sendable, Hashable {
    /// The clip: a local file that FFmpeg can read.
    public var clip: FilePath
    /// The folder of the pair; created if missing.
    public var outputDirectory: FilePath
    /// The name of both files without extension; nil for the clip's.
    public var name: String?

    /// A photo to use as the key photo instead of the clip's frame. Only the metadata of a JPEG or HEIC changes; a PNG,
    /// TIFF, WebP or AVIF becomes a JPEG.
    public var photo: FilePath?

    /// The settings of the conversion: a preset, or one whose values were changed.
    public var preset: Preset

    /// The identifier of the pair; nil creates a new one. The same request with the same identifier gives the same bytes
    /// on one machine.
    public var contentIdentifier: ContentIdentifier?
    /// When the clip was recorded; nil takes the date from the clip.
    public var captureDate: CaptureDate?
    /// Whether existing files of the same names are replaced.
    public var replacesExisting: Bool
    /// Number of threads for decoding and encoding; nil is one for each core.
    public var threads: Int?
    /// Number of threads for encoding; nil is derived from `threads`. x264's output depends on it.
    package var encoderThreads: Int?

    /// A request with the settings of a preset, such as one of `PresetLibrary`.
    public init(clip: FilePath, outputDirectory: FilePath = ".", preset: Preset) {
        self.clip = clip
        self.outputDirectory = outputDirectory
        self.preset = preset
        replacesExisting = false
    }

    /// A request with the settings of a built-in preset.
    ///
    /// - Throws: `LivePhotoError` if there is no built-in preset of that name.
    public init(
        clip: FilePath, outputDirectory: FilePath = ".", presetNamed name: String = PresetLibrary.defaultName
    ) throws(LivePhotoError) {
        self.init(clip: clip, outputDirectory: outputDirectory, preset: try PresetLibrary().preset(named: name))
    }
}

extension ConversionRequest {
    /// The pair's folder and file names. Reads the signature of `photo`, so callers compute it once.
    ///
    /// - Throws: `LivePhotoError`.
    package func target() throws -> PublishTarget {
        try PublishTarget(
            directory: outputDirectory, name: name ?? clip.stem ?? "", photo: photo.flatMap(PhotoFile.format))
    }

    /// Checks that the clip can be read and that the pair can be published.
    ///
    /// - Parameter known: the target, if it has already been computed.
    /// - Throws: `LivePhotoError`.
    @discardableResult
    package func checkedTarget(_ known: PublishTarget? = nil) throws -> PublishTarget {
        try InputFileCheck.check(clip)
        let target = try known ?? target()
        try target.check(inputs: [clip] + [photo].compactMap(\.self), replacing: replacesExisting)
        return target
    }
}
