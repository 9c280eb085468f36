import LivePhotoBatch

/// Output of `export --json` for a pair. Times are in seconds, sizes in pixels.
struct ExportDocument: Encodable {
    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    private let status: String
    private let photo: String
    private let movie: String
    private let format: String
    private let output: String
    private var width: Int?
    private var height: Int?
    private var frames: Int?
    private var duration: Double?
    private var bytes: Int?
    private var warnings: [String]?
    private var code: String?
    private var exitCode: Int32?
    private var error: String?

    private init(_ job: ExportRun.Job, status: String) {
        self.status = status
        (photo, movie) = (job.request.photo.string, job.request.movie.string)
        (format, output) = (job.request.format.rawValue, job.request.output.string)
    }

    init(_ job: ExportRun.Job, _ result: ExportResult) {
        self.init(job, status: result.bytes == nil ? "planned" : "made")
        (width, height, frames) = (result.size.width, result.size.height, result.frames)
        (duration, bytes, warnings) = (result.duration.seconds, result.bytes, result.warnings)
    }

    init(_ job: ExportRun.Job, _ error: LivePhotoError) {
        self.init(job, status: "failed")
        (code, exitCode, self.error) = (error.code.general.rawValue, error.code.exitStatus, "\(error)")
    }
}
