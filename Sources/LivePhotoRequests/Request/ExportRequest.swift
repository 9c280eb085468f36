public import LivePhotoKit

/// A Live Photo to export as another kind of file, and how and where. Everything but the two files, the format and the
/// output has a sensible default.
public struct ExportRequest: Sendable, Hashable, Codable {
    /// The key photo.
    public var photo: FilePath
    /// The paired video.
    public var movie: FilePath
    /// The kind of file to write.
    public var format: ExportFormat
    /// The file to write, or for `frames` the folder, which must not exist.
    public var output: FilePath
    /// Where the exported part of the movie starts; nil for the start of the movie.
    public var start: ClipTime?
    /// Where the exported part of the movie ends; nil for the end of the movie.
    public var end: ClipTime?
    /// How long the exported part of the movie is; nil for as long as `start` and `end` allow.
    public var duration: MediaTime?
    /// The maximum size; nil for the format's: 480 pixels for GIF and 720 for WebP and AVIF, and the full size for the
    /// other formats.
    public var maximumSize: MaximumSize?
    /// The allowed frame rates; nil for the format's: 12 to 15 frames per second for GIF, at most 30 for WebP and AVIF,
    /// and all frames for the other formats.
    public var frameRate: FrameRateRange?
    /// How often an animation plays, up to 65,535; 0 is forever.
    public var loops = 0
    /// Effect and speed of the movie. A long exposure is a JPEG.
    public var motion = Motion()
    /// Whether an MP4 has no sound.
    public var isMuted = false
    /// The quality of the formats with `hasQuality`; nil for the format's: 75 for WebP, 60 for AVIF, and 92 for JPEG.
    /// A JPEG whose size does not change is not re-encoded without this.
    public var quality: PhotoQuality?
    /// Whether an existing file is replaced.
    public var replacesExisting = false

    /// The times as they were written, by the names of the properties.
    package var requestedTimes: [String: String] = [:]
    /// Where to open the files, if `photo` or `movie` is only a name in texts.
    package var openedPhoto: FilePath?
    package var openedMovie: FilePath?

    /// A request with the defaults of a format.
    ///
    /// - Parameters:
    ///   - photo: the key photo.
    ///   - movie: the paired video.
    ///   - format: the kind of file to write.
    ///   - output: the file or folder to write.
    public init(photo: FilePath, movie: FilePath, as format: ExportFormat, to output: FilePath) {
        (self.photo, self.movie, self.format, self.output) = (photo, movie, format, output)
    }
}

extension ExportRequest {
    package static let loopsLimit = 65_535

    /// Checks what does not depend on the files.
    ///
    /// - Throws: `LivePhotoError`.
    package func check() throws(LivePhotoError) {
        func reject(_ isGiven: Bool, _ what: String) throws(LivePhotoError) {
            if isGiven { throw LivePhotoError(.invalidRequest, nil, "\(what) does not apply to \(format.rawValue)") }
        }
        try reject(loops != 0 && !format.isAnimation, "a number of loops")
        try reject(isMuted && format != .mp4, "muting")
        try reject(quality != nil && !format.hasQuality, "a quality")
        let isExposure = motion.effect == .longExposure
        try reject(isExposure && format != .jpeg, "a long exposure, which is a picture,")
        try reject(motion.effect?.reordersFrames == true && format == .jpeg, "a loop or bounce")
        if format == .jpeg { try reject((motion.speed?.percent ?? 100) != 100, "a speed") }
        if format == .jpeg, !isExposure {
            try reject(start != nil || end != nil || duration != nil, "a part of the movie")
            try reject(frameRate != nil, "a frame rate")
        }
        guard 0...Self.loopsLimit ~= loops else {
            throw LivePhotoError(.invalidRequest, nil, "an animation cannot play \(loops) times; at most 65535, or 0")
        }
        if format == .gif, let frameRate, frameRate.upper > Self.highestGIFRate {
            throw LivePhotoError(
                .invalidRequest, nil,
                "a GIF shows at most \(Self.highestGIFRate) in browsers, not \(frameRate.upper); write a lower rate")
        }
    }

    /// Browsers slow down frames that are shown for less than 0.02 s.
    private static let highestGIFRate = FrameRate.whole(50)

    /// Encoding the movie with this export's part, size, frame rate and sound.
    func clipWork() -> ClipWork {
        var preset = Preset.classic
        preset.window.start = start ?? (duration == nil || end == nil ? ClipTime(text: "0%") : nil)
        preset.window.end = end ?? (duration == nil ? .part(.all) : nil)
        preset.window.duration = duration
        preset.video.frameRate = frameRate ?? format.frameRate ?? preset.video.frameRate
        preset.video.maxSize = maximumSize ?? format.maximumSize ?? preset.video.maxSize
        preset.motion = motion
        preset.audio.mode = format == .mp4 && !isMuted ? .keep : .discard
        preset.photo.quality = quality ?? format.quality ?? preset.photo.quality
        var work = ClipWork(movie, preset, to: output.folder, .media)
        work.openedClip = openedMovie
        work.requestedTimes = requestedTimes
        if let duration { work.requestedTimes["duration"] = requestedTimes["duration"] ?? duration.optionText }
        return work
    }

    /// The JPEG quality of a photo that is encoded.
    var photoQuality: Int { (quality ?? format.quality)?.value ?? Work.photoQuality }
}

extension ExportFormat {
    /// The default maximum size.
    fileprivate var maximumSize: MaximumSize? {
        switch self {
        case .gif: MaximumSize(480, 480)
        case .webp, .avif: MaximumSize(720, 720)
        case .mp4, .jpeg, .frames: MaximumSize(8192, 8192)
        }
    }

    /// The default frame rates.
    fileprivate var frameRate: FrameRateRange? {
        switch self {
        case .gif: FrameRateRange(text: "12-15")
        case .webp, .avif: FrameRateRange(text: "1-30")
        case .mp4, .jpeg, .frames: .everyFrame
        }
    }

    /// The default quality.
    fileprivate var quality: PhotoQuality? {
        switch self {
        case .webp: PhotoQuality(75)
        case .avif: PhotoQuality(60)
        case .jpeg, .frames: PhotoQuality(92)
        case .mp4, .gif: nil
        }
    }
}
