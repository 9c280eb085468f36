import LivePhotoKit
package import SystemPackage

/// A clip to decode and encode, with all settings. Where the result is published is not part of it, except for the output folder,
/// which errors name.
package struct ClipWork: Codable, Sendable, Hashable {
    /// What is made of the clip.
    package enum Product: Codable, Sendable, Hashable {
        /// A Live Photo.
        case livePhoto
        /// An edited Live Photo. The clip is its movie, and `photo` its key photo.
        case edit(EditWork)
        /// Frames or a movie that are no Live Photo, without warnings about the still time and the cadence.
        case media
    }

    package var product = Product.livePhoto
    /// The clip: a local file that FFmpeg can read.
    package var clip: FilePath
    /// Where to open the clip, if `clip` is only its name in texts: an unnamed file (`SpooledClip`).
    package var openedClip: FilePath?
    /// A photo that becomes the key photo instead of the clip's frame.
    package var photo: FilePath?
    package var preset: Preset
    /// The times and durations of `preset.window` that were requested for this clip, as they were written, by their keys
    /// (`still`, `duration`). A requested duration that the clip is too short for is an error; a preset's is shortened.
    package var requestedTimes: [String: String] = [:]
    /// The identifier of the pair; nil for a new one.
    package var contentIdentifier: ContentIdentifier?
    /// What is known from outside of the clip; nil if it has not been determined.
    package var outsideMetadata: OutsideMetadata?
    /// The best stills, if one of them has been chosen already.
    package var stillCandidates: [StillCandidate] = []
    /// Number of threads for decoding, and of parts of the movie that are encoded at a time; nil is one for each core.
    package var threads: Int?
    /// Bytes of memory that may be used; nil if they are not limited.
    package var memory: Int?
    /// The name of the output folder, for errors.
    package var outputDirectory: FilePath

    package init(_ clip: FilePath, _ preset: Preset, to outputDirectory: FilePath, _ product: Product = .livePhoto) {
        (self.clip, self.preset, self.outputDirectory, self.product) = (clip, preset, outputDirectory, product)
    }

    /// The files that are read, and the output folder, which errors may name.
    package var files: Set<FilePath> {
        let table = preset.adjustments.colorTable?.path
        return Set([clip, openedClip, photo, outputDirectory, table].compactMap(\.self))
    }
}

/// What an edit of a Live Photo changes, besides what the preset of its `ClipWork` says. The crop is in pixels of the photo and
/// also applies to it, frames keep their times, and the movie its metadata.
package struct EditWork: Codable, Sendable, Hashable {
    /// Whether a frame processor changes the pictures, also that of the photo.
    package var isProcessed = false
    /// Whether the movie's frame at the still time becomes the picture of the photo.
    package var makesNewKeyPhoto = false
    /// Whether a movie whose start is between key frames is encoded, to begin exactly there.
    package var startsExactly = false
    /// What is different about a movie that keeps its pictures and sound bit for bit, each one sentence; nil for a movie that
    /// is encoded.
    package var keptMovieNotes: [String]?
    /// Whether the photo stays a HEIC if its picture is edited, for which libheif needs an encoder.
    package var keepsHEIC = false
    /// The paths of the settings in `Setting.coding` that were given; in the others, the edit follows the files.
    package var requestedCoding: Set<String> = []
    /// The size that the photo is scaled down to fit, for a preview.
    package var previewSize: MaximumSize?

    package init() {}
}

extension ClipWork {
    /// What an edit changes; nil for anything else.
    package var edit: EditWork? {
        get { if case .edit(let edit) = product { edit } else { nil } }
        set { if let newValue { product = .edit(newValue) } }
    }

    package var isEdit: Bool { edit != nil }

    package var isLivePhoto: Bool { product != .media }

    /// Whether an edit keeps the pictures and the sound of the movie bit for bit, so that only the photo is made.
    package var keepsMovie: Bool { edit?.keptMovieNotes != nil }

    /// Whether the picture of `photo` is changed, so that it is encoded again.
    package var encodesPhoto: Bool {
        edit?.isProcessed == true || !preset.adjustments.isIdentity
            || isEdit && (preset.picture.framing != Framing() || replacesPicture)
    }

    /// The format of the photo that was requested of an edit; nil keeps the one that it has.
    package var requestedPhotoFormat: KeyPhotoFormat? { isRequested(.photoFormat) ? preset.photo.format : nil }

    /// Whether it was requested of an edit to make SDR of HDR, also where nothing else changes.
    package var requestsSDR: Bool { isRequested(.hdr) && preset.picture.hdr == .toneMap }

    /// Whether an edit was given a setting of `Setting.coding`.
    package func isRequested(_ setting: Setting) -> Bool { edit?.requestedCoding.contains(setting.path) == true }

    /// Whether an edit gives the photo a picture from the movie.
    package var replacesPicture: Bool {
        edit.map { $0.makesNewKeyPhoto || preset.motion.effect == .longExposure } ?? false
    }
}

extension ClipWork {
    /// The video of a motion photo: all frames at their times, in full size, without sound.
    ///
    /// - Parameter output: the file, for errors.
    package init(encodingVideoOf movie: FilePath, to output: FilePath) {
        var preset = Preset.wholeMovie
        preset.audio.mode = .discard
        preset.metadata = .discard
        self.init(movie, preset, to: output.folder, .media)
    }
}

extension Preset {
    /// The settings for encoding a whole movie again: all frames at their times, in full size, with little loss.
    package static var wholeMovie: Preset {
        var preset = Preset.classic
        preset.window.start = ClipTime(text: "0%")
        preset.window.end = .part(.all)
        preset.video.frameRate = .everyFrame
        preset.video.maxSize = MaximumSize(8192, 8192) ?? preset.video.maxSize
        preset.video.crf = X264RateFactor(hundredths: 1800) ?? preset.video.crf
        preset.video.x265CRF = ConstantRateFactor(hundredths: 1900) ?? preset.video.x265CRF
        return preset
    }
}

// Paths in work are readable text where they can be, whatever SystemPackage's own form is.
extension KeyedEncodingContainer {
    mutating func encode(_ path: FilePath, forKey key: Key) throws { try encode(PathText(path), forKey: key) }

    mutating func encodeIfPresent(_ path: FilePath?, forKey key: Key) throws {
        try encodeIfPresent(path.map { PathText($0) }, forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decode(_: FilePath.Type, forKey key: Key) throws -> FilePath { try decode(PathText.self, forKey: key).path }

    func decodeIfPresent(_: FilePath.Type, forKey key: Key) throws -> FilePath? {
        try decodeIfPresent(PathText.self, forKey: key)?.path
    }
}
