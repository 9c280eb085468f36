/// A reader of files or text that may be hostile, with all that is done with what it reads.
enum FuzzTarget: String, CaseIterable {
    /// `MovieReader` and `BoxTree`.
    case movie
    /// The boxes that follow the description of a fragmented movie.
    case fragments
    /// The description and a sample of a track of timed metadata.
    case timedMetadata = "timed-metadata"
    case livePhotoInfo = "live-photo-info"
    /// Of H.264 and HEVC, as encoders write them.
    case parameterSets = "parameter-sets"
    /// Linked, unlinked, cut and copied movies.
    case movieEdits = "movie-edits"

    /// HEIC and AVIF, read and edited.
    case heif
    /// JPEG, read and edited.
    case jpeg
    /// Exif data and Apple's MakerNote, read and edited.
    case tiff
    /// XMP alone, and in a motion photo.
    case xmp
    /// The list of further pictures in a JPEG, and gain maps.
    case gainMaps = "gain-maps"
    case motionPhotos = "motion-photos"
    /// What Samsung's, Huawei's and Honor's phones append to a photo.
    case trailers
    case zip
    /// ZIP archives and motion photos with a pair.
    case containers
    /// GIF and WebP, as exports are checked.
    case animations

    /// The JSON of Google Takeout.
    case sidecars
    case yaml
    case jobFiles = "job-files"
    case presets
    case recipes

    case workerOrders = "worker-orders"
    case workerAnswers = "worker-answers"
    /// What is done with an answer and the files that came with it.
    case answeredWork = "answered-work"
    /// Orders to the server, and its events.
    case serverLines = "server-lines"
    /// Signed lines.
    case journals
    case undoRecords = "undo-records"
    case manifests
    case importLogs = "import-logs"
    /// Journals and reports of batches.
    case reports

    /// The header of a request, up to the answer's.
    case http
    /// What the page of the studio sends.
    case studioChoices = "studio-choices"

    var reader: FuzzedReader {
        switch self {
        case .movie: .movie
        case .fragments: .fragments
        case .timedMetadata: .timedMetadata
        case .livePhotoInfo: .livePhotoInfo
        case .parameterSets: .parameterSets
        case .movieEdits: .movieEdits
        case .heif: .heif
        case .jpeg: .jpeg
        case .tiff: .tiff
        case .xmp: .xmp
        case .gainMaps: .gainMaps
        case .motionPhotos: .motionPhotos
        case .trailers: .trailers
        case .zip: .zip
        case .containers: .containers
        case .animations: .animations
        case .sidecars: .sidecars
        case .yaml: .yaml
        case .jobFiles: .jobFiles
        case .presets: .presets
        case .recipes: .recipes
        case .workerOrders: .workerOrders
        case .workerAnswers: .workerAnswers
        case .answeredWork: .answeredWork
        case .serverLines: .serverLines
        case .journals: .journals
        case .undoRecords: .undoRecords
        case .manifests: .manifests
        case .importLogs: .importLogs
        case .reports: .reports
        case .http: .http
        case .studioChoices: .studioChoices
        }
    }
}

/// What is done with a reader.
struct FuzzedReader: Sendable {
    /// The form of its input, by which inputs are changed so that they stay nearly valid.
    enum Form: Sendable {
        case bytes
        /// Boxes, whose sizes stay right.
        case boxes
        /// The segments of a JPEG, with what follows the picture.
        case jpeg
        /// The fields of a TIFF, whose offsets lead into the data.
        case tiff
        /// The entries of a ZIP archive, with right sizes and checksums.
        case zip
        /// The values in an answer of the worker, and its files.
        case answer
    }

    /// Folders and files below Sources whose code belongs to the reader.
    let sources: [String]
    var form = Form.bytes
    /// What occurs in its input.
    var words: [String] = []
    let samples: @Sendable () throws -> [[UInt8]]
    /// What is found in an input, as JSON on one line, to be compared with what another program finds.
    var describe: (@Sendable ([UInt8]) throws -> String)?
    let run: @Sendable ([UInt8]) -> Void
}
