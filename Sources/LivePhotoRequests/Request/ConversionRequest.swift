public import LivePhotoKit
import StillImage

/// A clip to convert, and how and where. Everything but the clip has a sensible default.
public struct ConversionRequest: Sendable, Hashable {
    /// The clip: a local file that FFmpeg can read.
    public var clip: FilePath
    /// Where to open the clip, if `clip` is only its name in texts: an unnamed file (`SpooledClip`).
    package var openedClip: FilePath?
    /// The folder of the pair; created if missing.
    public var outputDirectory: FilePath
    /// The name of both files without extension. Nil for the clip's, with "-live" at its end where a file of that name
    /// would be the clip or the photo, or differ from it only in case.
    public var name: String?

    /// A photo to use as the key photo instead of the clip's frame. Only the metadata of a JPEG or HEIC changes; a PNG,
    /// TIFF, WebP or AVIF becomes a JPEG.
    public var photo: FilePath?

    /// The settings of the conversion: a preset, or one whose values were changed.
    public var preset: Preset
    /// The times and durations of `preset.window` that were requested for this conversion, as they were written, by their
    /// keys (`still`, `duration`). A requested duration that the clip is too short for is an error; a preset's is shortened.
    package var requestedTimes: [String: String] = [:]

    /// The identifier of the pair; nil creates a new one. The same request with the same identifier gives the same bytes,
    /// whatever the number of threads.
    public var contentIdentifier: ContentIdentifier?
    /// When the clip was recorded. Nil takes the date from the metadata of the clip, of the photo, from a sidecar of
    /// Google Takeout beside the clip, or from the clip's name, in this order.
    public var captureDate: RequestedDate?
    /// `captureDate` and what is known from outside of the clip, once they have been determined.
    package var outsideMetadata: OutsideMetadata?
    /// Whether the clip is the movie of a Live Photo and `photo` its key photo: the crop is in pixels of the photo and also
    /// applies to it, frames keep their times, and the movie its metadata.
    package var isEdit = false
    /// What contains the Live Photo that is edited, if `photo` and `clip` are temporary copies.
    package var container: FilePath?
    /// What the edit changes, which is stored beside the pair; nil or empty stores nothing.
    package var recipe: EditRecipe?
    /// The journals for an edit that replaces `photo` and `clip` themselves; nil for a pair in `outputDirectory`.
    package var journals: EditJournals?
    /// Whether a frame processor changes the pictures, also that of `photo`.
    package var isProcessed = false
    /// Whether an edit makes the movie's frame at the still time the picture of the photo.
    package var makesNewKeyPhoto = false
    /// Whether an edit keeps the pictures and the sound of the movie bit for bit, so that only the photo is made: set by
    /// `prepared`.
    package var keepsMovie = false
    /// What is different about that movie: each one sentence, for the plan's warnings.
    package var movieNotes: [String] = []
    /// Whether `photo` stays a HEIC if its picture is edited, for which libheif needs an encoder.
    package var keepsHEIC = false
    /// The paths of the settings in `Setting.coding` that an edit was given; in the others, it follows the files.
    package var requestedCoding: Set<String> = []
    /// The size that the photo is scaled down to fit, for a preview.
    package var previewSize: MaximumSize?
    /// The best stills, if one of them was taken before the plan is made: set by `choosingStill`.
    package var stillCandidates: [StillCandidate] = []
    /// Whether existing files of the same names are replaced.
    public var replacesExisting: Bool
    /// Number of threads for decoding (half as many for HEVC movies, which take longer to encode), and of parts of the movie that
    /// are encoded at a time; nil is one for each core.
    public var threads: Int?
    /// Bytes of memory that this process may use; nil if they are not limited.
    package var memory: Int?

    /// Whether the result is a Live Photo. If not, only its movie is used, and there are no warnings about the still time
    /// and the cadence.
    package var isLivePhoto = true

    /// A request with the settings of a preset, such as one of `PresetLibrary`.
    public init(clip: FilePath, outputDirectory: FilePath = ".", preset: Preset = .classic) {
        self.clip = clip
        self.outputDirectory = outputDirectory
        self.preset = preset
        replacesExisting = false
    }

    /// A request with the settings of a built-in preset.
    ///
    /// - Throws: `LivePhotoError` if there is no built-in preset of that name.
    public init(
        clip: FilePath, outputDirectory: FilePath = ".", presetNamed name: String
    ) throws(LivePhotoError) {
        self.init(clip: clip, outputDirectory: outputDirectory, preset: try PresetLibrary().preset(named: name))
    }
}

extension ConversionRequest {
    /// Whether the picture of `photo` is changed, so that it is encoded again.
    package var encodesPhoto: Bool {
        isProcessed || !preset.adjustments.isIdentity
            || isEdit && (preset.picture.framing != Framing() || replacesPicture)
    }

    /// The format of the photo that was requested of an edit; nil keeps the one that it has.
    package var requestedPhotoFormat: KeyPhotoFormat? {
        isEdit && isRequested(.photoFormat) ? preset.photo.format : nil
    }

    /// Whether it was requested of an edit to make SDR of HDR, also where nothing else changes.
    package var requestsSDR: Bool { isEdit && isRequested(.hdr) && preset.picture.hdr == .toneMap }

    /// Whether an edit was given a setting of `Setting.coding`.
    package func isRequested(_ setting: Setting) -> Bool { requestedCoding.contains(setting.path) }

    /// Whether an edit gives the photo a picture from the movie.
    package var replacesPicture: Bool { isEdit && (makesNewKeyPhoto || preset.motion.effect == .longExposure) }

    /// The pair's folder and file names. Reads the signature of `photo`, so callers compute it once.
    ///
    /// - Throws: `LivePhotoError`.
    package func target() throws -> PublishTarget {
        let format = try publishedPhotoFormat()
        if journals != nil, let photo {
            let isSame = try (format ?? .jpeg) == PhotoFile.format(photo)
            return try replacedTarget(photo, isSame ? nil : format ?? .jpeg)
        }
        guard name == nil, var name = clip.lastComponent?.base else {
            return try PublishTarget(directory: outputDirectory, name: name ?? "", photo: format)
        }
        var target = PublishTarget(directory: outputDirectory, name: name, photo: format)
        while input(named: target) != nil {
            name = name.appending("-live")
            target = PublishTarget(directory: outputDirectory, name: name, photo: format)
        }
        return target
    }

    /// The names of the files of a pair that is edited in place: those that they have, except for a photo that gets another
    /// format.
    ///
    /// - Parameter format: the photo's new one; nil if it keeps its own.
    private func replacedTarget(_ photo: FilePath, _ format: PhotoMetadata.Format?) throws -> PublishTarget {
        guard let photoName = photo.lastComponent, let movieName = clip.lastComponent else {
            throw LivePhotoError(.invalidRequest, photo, "is not a file; give the photo and the movie of a pair")
        }
        let kind = photo.extension ?? ""
        let isNamedSo = (format == .heic ? ["heic", "heif"] : ["jpg", "jpeg", "jpe"]).contains(kind.lowercased())
        let isLowercase = !kind.isEmpty && kind == kind.lowercased()
        let ending = PublishTarget.photoExtension(of: format)
        let newName = photoName.base.appending(".\(isLowercase ? ending.lowercased() : ending)")
        return PublishTarget(
            directory: photo.folder, photoName: format == nil || isNamedSo ? photoName : newName, movieName: movieName)
    }

    /// The extension of the pair's photo.
    package func publishedPhotoExtension() throws -> String {
        PublishTarget.photoExtension(of: try publishedPhotoFormat())
    }

    /// The format of the pair's photo; nil for a new JPEG.
    private func publishedPhotoFormat() throws -> PhotoMetadata.Format? {
        if let requestedPhotoFormat { return requestedPhotoFormat == .heic ? .heic : nil }
        let format = try photo.flatMap(PhotoFile.format)
        let isEncoded = try encodesPhoto || requestsSDR && photo.map { try PhotoFile($0).isHDR } == true
        if !isEncoded || keepsHEIC && format == .heic, format == .jpeg || format == .heic { return format }
        return preset.photo.format == .heic ? .heic : nil
    }

    /// The clip or photo that has the name of one of the pair's files, except for case.
    private func input(named target: PublishTarget) -> FilePath? {
        [clip, photo].compactMap(\.self).first { input in
            [target.photo, target.movie].contains { Publisher.haveSameName(input, $0) }
        }
    }

    /// One sentence that explains why the pair does not have the clip's name; nil if it does, or if a name was given.
    ///
    /// - Parameters:
    ///   - photo: the pair's key photo, which need not exist yet.
    ///   - movie: its paired video.
    package func renamingNote(photo: FilePath, movie: FilePath) -> String? {
        guard name == nil, let stem = clip.lastComponent?.base, let name = movie.lastComponent?.base, name != stem,
            let input = input(
                named: PublishTarget(
                    directory: movie.folder, photoName: stem.appending(".\(photo.extension ?? "")"),
                    movieName: stem.appending(".\(movie.extension ?? "")")))
        else { return nil }
        return "the pair is named \(name), because \(input.lastComponent ?? stem) is in the same folder; "
            + "--name NAME sets another name"
    }

    /// The file that stores the recipe beside an edited pair; nil for none.
    ///
    /// - Parameter result: the photo of that pair.
    package func adjustmentData(beside result: FilePath) -> AdjustmentData? {
        guard let recipe, !recipe.isEmpty, let photo else { return nil }
        return recipe.adjustmentData(beside: result, of: container.map { [$0] } ?? [photo, clip])
    }

    /// The text of a plan in which temporary copies are named as what contains them.
    package func named(_ text: String) -> String {
        guard let container else { return text }
        return [photo, clip].compactMap(\.self).reduce(text) { text, copy in
            text.replacing(printable(copy.string), with: printable(container.string))
        }
    }

    /// An error about a temporary copy as one about what contains it.
    package func named(_ error: LivePhotoError) -> LivePhotoError {
        guard let container, let file = error.file, file == photo || file == clip else { return error }
        return LivePhotoError(error.code, container, at: error.place, error.reason, cause: error.cause)
    }

    /// Checks that the clip can be read and that the pair can be published.
    ///
    /// - Parameter known: the target, if it has already been computed.
    /// - Throws: `LivePhotoError`.
    @discardableResult
    package func checkedTarget(_ known: PublishTarget? = nil) throws -> PublishTarget {
        // A spooled clip has been checked.
        if openedClip == nil { try InputFileCheck.checkClip(clip) }
        let target = try known ?? target()
        if journals != nil, let photo {
            try PairReplacement.check(photo: photo, movie: clip, newPhoto: target.photoName)
            return target
        }
        try target.check(
            inputs: [openedClip ?? clip] + [photo, container].compactMap(\.self), replacing: replacesExisting)
        try adjustmentData(beside: target.photo)?.check(replacing: replacesExisting)
        // Batches remove the photo of a former result themselves.
        if isEdit { try target.checkOtherPhotos(inputs: [clip]) }
        return target
    }
}
