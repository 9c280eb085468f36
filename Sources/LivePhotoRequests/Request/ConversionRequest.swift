public import LivePhotoKit
import StillImage

/// A clip to convert, and how and where. Everything but the clip has a sensible default.
public struct ConversionRequest: Sendable, Hashable {
    /// What is done, without where the pair goes.
    package var work: ClipWork

    /// The name of both files without extension. Nil for the clip's, with "-live" at its end where a file of that name
    /// would be the clip or the photo, or differ from it only in case.
    public var name: String?
    /// When the clip was recorded. Nil takes the date from the metadata of the clip, of the photo, from a sidecar of
    /// Google Takeout beside the clip, or from the clip's name, in this order.
    public var captureDate: RequestedDate?
    /// Whether existing files of the same names are replaced.
    public var replacesExisting = false
    /// What contains the Live Photo that is edited, if `photo` and `clip` are temporary copies.
    package var container: FilePath?
    /// What an edit changes, which is stored beside the pair; nil or empty stores nothing.
    package var recipe: EditRecipe?
    /// The journals for an edit that replaces `photo` and `clip` themselves; nil for a pair in `outputDirectory`.
    package var journals: EditJournals?

    /// A request with the settings of a preset, such as one of `PresetLibrary`.
    public init(clip: FilePath, outputDirectory: FilePath = ".", preset: Preset = .classic) {
        work = ClipWork(clip, preset, to: outputDirectory)
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
    /// The clip: a local file that FFmpeg can read.
    public var clip: FilePath {
        get { work.clip }
        set { work.clip = newValue }
    }

    /// The folder of the pair; created if missing.
    public var outputDirectory: FilePath {
        get { work.outputDirectory }
        set { work.outputDirectory = newValue }
    }

    /// A photo to use as the key photo instead of the clip's frame. Only the metadata of a JPEG or HEIC changes; a PNG,
    /// TIFF, WebP or AVIF becomes a JPEG.
    public var photo: FilePath? {
        get { work.photo }
        set { work.photo = newValue }
    }

    /// The settings of the conversion: a preset, or one whose values were changed.
    public var preset: Preset {
        get { work.preset }
        set { work.preset = newValue }
    }

    /// The identifier of the pair; nil creates a new one. The same request with the same identifier gives the same bytes,
    /// whatever the number of threads.
    public var contentIdentifier: ContentIdentifier? {
        get { work.contentIdentifier }
        set { work.contentIdentifier = newValue }
    }

    /// Number of threads for decoding (half as many for HEVC movies, which take longer to encode), and of parts of the movie that
    /// are encoded at a time; nil is one for each core.
    public var threads: Int? {
        get { work.threads }
        set { work.threads = newValue }
    }
}

extension ConversionRequest {
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
        if let requestedPhotoFormat = work.requestedPhotoFormat { return requestedPhotoFormat == .heic ? .heic : nil }
        let format = try photo.flatMap(PhotoFile.format)
        let isEncoded = try work.encodesPhoto || work.requestsSDR && photo.map { try PhotoFile($0).isHDR } == true
        if !isEncoded || work.edit?.keepsHEIC == true && format == .heic, format == .jpeg || format == .heic {
            return format
        }
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
        if work.openedClip == nil { try InputFileCheck.checkClip(clip) }
        let target = try known ?? target()
        if journals != nil, let photo {
            try PairReplacement.check(photo: photo, movie: clip, newPhoto: target.photoName)
            return target
        }
        try target.check(
            inputs: [work.openedClip ?? clip] + [photo, container].compactMap(\.self), replacing: replacesExisting)
        try adjustmentData(beside: target.photo)?.check(replacing: replacesExisting)
        // Batches remove the photo of a former result themselves.
        if work.isEdit { try target.checkOtherPhotos(inputs: [clip]) }
        return target
    }
}
