import Bytes
import HeifKit
public import LivePhotoKit
public import LivePhotoRequests
public import MediaModel
import StillImage
import Synchronization

/// Edits a Live Photo, as `PHLivePhotoEditingContext` does on Apple's systems: every frame of the movie and the photo alike.
///
/// ```swift
/// let context = try await LivePhotoEditingContext(photo: "beach.JPG", movie: "beach.MOV")
/// var edit = LivePhotoEdit()
/// edit.frameProcessor = { frame in
///     frame.image.changed { rgba in
///         for index in rgba.indices where index % 4 != 3 { rgba[index] = 255 - rgba[index] }
///     }
/// }
/// let result = try await context.save(edit, to: "Negatives")
/// ```
public final class LivePhotoEditingContext: Sendable {
    /// The pair that is edited.
    public let livePhoto: LivePhoto
    /// The size of the photo, upright.
    public let photoSize: PixelSize
    /// The size of the movie, upright.
    public let movieSize: PixelSize
    /// The duration of the movie.
    public let duration: MediaTime
    /// The still time: when in the movie the photo was taken.
    public let photoTime: MediaTime
    /// How the stored picture of the photo is turned upright, by the numbers of Exif's Orientation (1 is upright). Images of
    /// an edit are upright already.
    public let orientation: Int

    private let current = Mutex<(number: Int, task: Task<ConversionResult, any Error>?)>((0, nil))

    /// What the pair was extracted from.
    private let extracted: ExtractedLivePhoto?

    /// Opens a pair.
    ///
    /// - Parameters:
    ///   - photo: the key photo, a JPEG or HEIC.
    ///   - movie: the paired video.
    /// - Throws: `LivePhotoError` for files that are not one Live Photo, or cannot be decoded.
    public convenience init(photo: FilePath, movie: FilePath) async throws(LivePhotoError) {
        try await self.init(photo, movie, extracted: nil)
    }

    /// Opens a bundle (`.pvt`, `.livp`, or a ZIP archive with one pair), a motion photo, or a pair by its photo or movie, whose
    /// other file is beside it and has the same name.
    ///
    /// The files of a bundle or motion photo are copied into a hidden folder, linked as a Live Photo. It exists as long as
    /// this context; `livePhoto` names the files in it.
    ///
    /// - Parameters:
    ///   - path: the file or bundle.
    ///   - directory: where the hidden folder is created; nil for the system's folder of temporary files.
    /// - Throws: `LivePhotoError` for anything that contains no Live Photo, or cannot be decoded.
    public convenience init(opening path: FilePath, temporaryDirectory directory: FilePath? = nil)
        async throws(LivePhotoError)
    {
        let opened: (LivePhoto, ExtractedLivePhoto?)
        do {
            opened = try await BlockingWork.run { _ in
                switch try LivePhotoFiles(path) {
                case .pair(let pair): return (try LivePhoto(photo: pair.photo, movie: pair.movie), nil)
                case .container(let container):
                    let extracted = try ExtractedLivePhoto(container, near: directory)
                    return (extracted.livePhoto, extracted)
                }
            }
        } catch {
            throw error as? LivePhotoError
                ?? LivePhotoError(.internalError, path, "internal error: \(error)", cause: error)
        }
        do throws(LivePhotoError) {
            try await self.init(opened.0.photo, opened.0.movie, extracted: opened.1)
        } catch {
            throw opened.1?.named(error) ?? error
        }
    }

    private init(
        _ photo: FilePath, _ movie: FilePath, extracted: ExtractedLivePhoto?
    ) async throws(LivePhotoError) {
        do {
            let livePhoto = try await BlockingWork.run { _ in try LivePhoto(photo: photo, movie: movie) }
            var request = ConversionRequest(editing: photo, movie, outputDirectory: movie.removingLastComponent())
            request.contentIdentifier = livePhoto.contentIdentifier
            let summary = try await MediaEngine.inProcess.perform(.plan(request.work)) {
                if case .plan(let plan) = $0 { plan } else { nil }
            }
            orientation = try await BlockingWork.run { _ in
                try PhotoMetadata(PhotoFile(PhotoFile.open(photo)).bytes).orientation.rawValue
            }
            self.livePhoto = livePhoto
            self.extracted = extracted
            (photoSize, movieSize) = (summary.photoSize, summary.movieSize)
            (duration, photoTime) = (summary.duration, summary.stillTime)
        } catch let error as LivePhotoError {
            throw error
        } catch {
            throw LivePhotoError(.unusableMedia, photo, "cannot be edited: \(error)", cause: error)
        }
    }

    /// The photo, upright, at its full size.
    ///
    /// - Throws: `LivePhotoError` if it cannot be decoded.
    public func fullSizePhoto() async throws -> LivePhotoImage {
        try await BlockingWork.run { [livePhoto] _ in
            let still = try StillDecoder.decodeUpright(PhotoFile(PhotoFile.open(livePhoto.photo)))
            return try StillEncoder.image(of: still)
        }
    }

    /// Makes a small version of the edited pair quickly.
    ///
    /// A call to this or `save` cancels the one before.
    ///
    /// - Parameters:
    ///   - edit: what to change.
    ///   - targetSize: the largest size of photo and movie.
    ///   - directory: the folder of the pair, which gets the photo's name; created if missing. Files of a preview that are
    ///     there are replaced.
    ///   - progress: called at most ten times a second and at the end, on another thread.
    /// - Returns: the pair and its plan.
    /// - Throws: `LivePhotoError`, with the code `.cancelled` if it was cancelled; or what the frame processor threw.
    @discardableResult
    public func preparePlayback(
        _ edit: LivePhotoEdit, targetSize: PixelSize, in directory: FilePath,
        progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ConversionResult {
        var request = request(edit, directory)
        guard let size = MaximumSize(targetSize.longEdge, targetSize.shortEdge) else {
            throw LivePhotoError(.invalidRequest, nil, "\(targetSize) is no size for a preview")
        }
        request.preset.video.maxSize = size
        request.preset.video.x264Preset = .ultrafast
        request.work.edit?.previewSize = size
        request.replacesExisting = true
        return try await run(request, edit.frameProcessor, progress)
    }

    /// Makes the edited pair, checks it, and publishes it: both files, or none.
    ///
    /// A call to this or `preparePlayback` cancels the one before.
    ///
    /// - Parameters:
    ///   - edit: what to change.
    ///   - directory: the folder of the pair; created if missing.
    ///   - name: of both files, without extension; nil for the photo's.
    ///   - replacesExisting: whether files of those names are replaced.
    ///   - progress: called at most ten times a second and at the end, on another thread.
    /// - Returns: the pair and its plan.
    /// - Throws: `LivePhotoError`, with the code `.cancelled` if it was cancelled; or what the frame processor threw.
    @discardableResult
    public func save(
        _ edit: LivePhotoEdit, to directory: FilePath, name: String? = nil, replacesExisting: Bool = false,
        progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ConversionResult {
        var request = request(edit, directory)
        request.name = name ?? request.name
        request.replacesExisting = replacesExisting
        return try await run(request, edit.frameProcessor, progress)
    }

    /// Replaces the files of the pair by the edited pair: both, or neither, even if the process is killed. A hidden journal in
    /// their folder keeps the old files, and `InPlaceUndo` restores them.
    ///
    /// The pair keeps its content identifier unless the edit has one. A photo that gets another format gets its extension
    /// too. This context describes the pair as it was; open another one to edit the result. A call to this,
    /// `save` or `preparePlayback` cancels the one before.
    ///
    /// - Parameters:
    ///   - edit: what to change.
    ///   - progress: called at most ten times a second and at the end, on another thread.
    /// - Returns: the pair and its plan.
    /// - Throws: `LivePhotoError`, with the code `.temporary` while another run changes pairs in the folder, `.cancelled` if it
    ///   was cancelled; or what the frame processor threw.
    @discardableResult
    public func saveInPlace(
        _ edit: LivePhotoEdit, progress: @escaping @Sendable (ConversionProgress) -> Void = { _ in }
    ) async throws -> ConversionResult {
        if let extracted {
            throw LivePhotoError(
                .invalidRequest, extracted.container,
                "contains a photo and its movie; extract them to edit them in place, or save copies")
        }
        let journals = EditJournals()
        defer { journals.close() }
        var request = request(edit, livePhoto.photo.removingLastComponent())
        request.journals = journals
        request.contentIdentifier = edit.contentIdentifier ?? livePhoto.contentIdentifier
        return try await run(request, edit.frameProcessor, progress)
    }

    /// Cancels the work of `save`, `saveInPlace` or `preparePlayback`, which leaves nothing behind.
    public func cancel() {
        current.withLock { $0.task?.cancel() }
    }

    private func request(_ edit: LivePhotoEdit, _ directory: FilePath) -> ConversionRequest {
        var request = ConversionRequest(
            editing: livePhoto.photo, livePhoto.movie, outputDirectory: directory)
        edit.apply(to: &request)
        request.work.edit?.isProcessed = edit.frameProcessor != nil
        request.work.edit?.keepsHEIC = HEICEncoder.isAvailable
        return request
    }

    private func run(
        _ request: ConversionRequest, _ processor: LivePhotoFrameProcessor?,
        _ progress: @escaping @Sendable (ConversionProgress) -> Void
    ) async throws -> ConversionResult {
        let (number, task) = current.withLock { current in
            current.task?.cancel()
            let previous = current.task
            let task = Task { [extracted] in
                defer { withExtendedLifetime(extracted) {} }
                _ = await previous?.result
                return try await MediaEngine.inProcess(processor, waits: true).convert(request, progress: progress)
            }
            current = (current.number + 1, task)
            return (current.number, task)
        }
        defer { current.withLock { if $0.number == number { $0.task = nil } } }
        return try await withTaskCancellationHandler {
            do {
                return try await task.value
            } catch let error as FrameProcessorError {
                throw error.cause
            }
        } onCancel: {
            task.cancel()
        }
    }
}
