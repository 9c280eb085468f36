import LivePhotoKit

/// A task for the worker: one line of JSON on its standard input. The client keeps the input open until it ends.
package struct WorkerOrder: Codable, Sendable {
    package enum Task: Codable, Sendable {
        case plan(ConversionOrder)
        case planExport(ConversionOrder, ExportFormat, loops: Int)
        /// Writes the pair to these two files, which must exist.
        case convert(ConversionOrder, photo: PathText, movie: PathText)
        case similarity(photo: PathText, movie: PathText, stillTime: MediaTime)
        case findStill(photo: PathText, movie: PathText)
        case thumbnail(photo: PathText, edge: Int, quality: Int)
        /// Writes the sound to this file, which must exist.
        case sound(movie: PathText, output: PathText)
        /// Writes the photo as a JPEG to this file, which must exist.
        ///
        /// - Parameter maximum: nil keeps the size.
        case jpeg(photo: PathText, output: PathText, quality: Int, maximum: MaximumSize?)
        /// Writes the frames of the movie in a format to this file, which must exist.
        case export(ConversionOrder, ExportFormat, loops: Int, output: PathText)
        /// Writes pictures of the clip's frames to this file, which must exist.
        ///
        /// - Parameter output: nil for no pictures.
        case frames(ConversionOrder, FrameSheetLayout, output: PathText?)
        case environment
    }

    /// The client's version. A worker of another version rejects the order.
    package let version: String
    package let task: Task
    package let limits: WorkerLimits
    package let sandbox: SandboxMode
    package let isVerbose: Bool

    /// The quality of a JPEG that is made of another photo: high enough that the loss is hard to see.
    package static let photoQuality = 92

    package init(_ task: Task, limits: WorkerLimits, sandbox: SandboxMode, isVerbose: Bool) {
        version = ProgramVersion.current
        (self.task, self.limits, self.sandbox, self.isVerbose) = (task, limits, sandbox, isVerbose)
    }
}

/// A `ConversionRequest` for the worker, with a resolved preset, an identifier and `outsideMetadata`.
package struct ConversionOrder: Codable, Sendable {
    private let clip: PathText
    private let openedClip: PathText?
    private let photo: PathText?
    /// For errors only.
    private let outputDirectory: PathText
    package let settings: Preset
    private let requestedTimes: [String: String]
    private let contentIdentifier: ContentIdentifier
    private let outsideMetadata: OutsideMetadata?
    private let stillCandidates: [StillCandidate]
    private let isEdit: Bool
    private let makesNewKeyPhoto: Bool
    private let keepsMovie: Bool
    private let movieNotes: [String]
    private let keepsHEIC: Bool
    private let requestedCoding: Set<String>
    private let previewSize: MaximumSize?
    private let threads: Int?
    private let isLivePhoto: Bool

    package init(_ request: ConversionRequest, _ identifier: ContentIdentifier) {
        clip = PathText(request.clip)
        openedClip = request.openedClip.map { PathText($0) }
        photo = request.photo.map { PathText($0) }
        outputDirectory = PathText(request.outputDirectory)
        settings = request.preset
        requestedTimes = request.requestedTimes
        contentIdentifier = identifier
        outsideMetadata = request.outsideMetadata
        stillCandidates = request.stillCandidates
        (isEdit, keepsHEIC, previewSize) = (request.isEdit, request.keepsHEIC, request.previewSize)
        requestedCoding = request.requestedCoding
        (makesNewKeyPhoto, keepsMovie) = (request.makesNewKeyPhoto, request.keepsMovie)
        movieNotes = request.movieNotes
        (threads, isLivePhoto) = (request.threads, request.isLivePhoto)
    }

    package var request: ConversionRequest {
        var request = ConversionRequest(clip: clip.path, outputDirectory: outputDirectory.path, preset: settings)
        request.requestedTimes = requestedTimes
        request.openedClip = openedClip?.path
        request.photo = photo?.path
        request.contentIdentifier = contentIdentifier
        request.outsideMetadata = outsideMetadata
        request.stillCandidates = stillCandidates
        (request.isEdit, request.keepsHEIC, request.previewSize) = (isEdit, keepsHEIC, previewSize)
        request.requestedCoding = requestedCoding
        (request.makesNewKeyPhoto, request.keepsMovie) = (makesNewKeyPhoto, keepsMovie)
        request.movieNotes = movieNotes
        (request.threads, request.isLivePhoto) = (threads, isLivePhoto)
        return request
    }
}

extension WorkerOrder.Task {
    /// The files that the task reads and writes.
    package var files: Set<FilePath> {
        switch self {
        case .plan(let order), .planExport(let order, _, _): order.files
        case .convert(let order, let photo, let movie): order.files.union([photo.path, movie.path])
        case .similarity(let photo, let movie, _), .findStill(let photo, let movie): [photo.path, movie.path]
        case .thumbnail(let photo, _, _): [photo.path]
        case .sound(let movie, let output): [movie.path, output.path]
        case .jpeg(let photo, let output, _, _): [photo.path, output.path]
        case .export(let order, _, _, let output): order.files.union([output.path])
        case .frames(let order, _, let output): order.files.union([output?.path].compactMap(\.self))
        case .environment: []
        }
    }
}

extension ConversionOrder {
    fileprivate var files: Set<FilePath> {
        let table = settings.adjustments.colorTable?.path
        return Set([clip.path, openedClip?.path, photo?.path, outputDirectory.path, table].compactMap(\.self))
    }
}

/// Resource limits of the worker.
package struct WorkerLimits: Codable, Sendable, Hashable {
    /// Bytes of writable memory (`RLIMIT_DATA` of setrlimit(2)); nil for a limit that follows from the picture size and
    /// the number of threads.
    package var memory: Int?
    /// Seconds of processor time of all threads (`RLIMIT_CPU`); nil for no limit.
    package var processorSeconds: Int?
    /// The maximum size of each output file in bytes (`RLIMIT_FSIZE`).
    package var fileSize = 4 << 30

    package init(memory: Int? = nil, processorSeconds: Int? = nil) {
        (self.memory, self.processorSeconds) = (memory, processorSeconds)
    }
}

/// The version of both programs, which must be equal.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
