import LivePhotoKit
import LivePhotoRequests

/// Output of `convert --json`. Times are in seconds, sizes in pixels.
struct ResultDocument: Encodable {
    /// Increased when a property changes its meaning or is removed.
    static let schema = 1
    private let schema = Self.schema
    let photo: String
    let movie: String
    let contentIdentifier: String?
    let stillTime: Double
    let stillTimeInClip: Double
    let duration: Double
    let frameRate: Double
    let frames: Int
    let width: Int
    let height: Int
    let photoWidth: Int
    let photoHeight: Int
    /// `2025-10-12T23:36:14+1300`
    let captureDate: String?
    let captureDateSource: CaptureDateSource?
    /// With `--still auto`: the best stills, from the one that was taken.
    let stillCandidates: [CandidateDocument]?
    let warnings: [String]
    let dryRun: Bool
    /// Of an edit: `encoded`, or `photo` if the movie is kept bit for bit.
    let way: String?
    /// The file with the settings of an edit.
    var recipe: String?

    init(_ result: ConversionResult) {
        self.init(result.plan, photo: result.photo, movie: result.movie, warnings: result.warnings, dryRun: false)
        recipe = result.adjustments?.string
    }

    init(_ plan: PlanSummary, _ target: PublishTarget) {
        self.init(plan, photo: target.photo, movie: target.movie, warnings: plan.warnings, dryRun: true)
    }

    private init(_ plan: PlanSummary, photo: FilePath, movie: FilePath, warnings: [String], dryRun: Bool) {
        self.photo = photo.string
        self.movie = movie.string
        contentIdentifier = plan.contentIdentifier?.string
        stillTime = plan.stillTime.seconds
        stillTimeInClip = plan.stillInClip.seconds
        duration = plan.duration.seconds
        frameRate = plan.frameRate.framesPerSecond
        frames = plan.frameCount
        width = plan.movieSize.width
        height = plan.movieSize.height
        photoWidth = plan.photoSize.width
        photoHeight = plan.photoSize.height
        captureDate = plan.metadata.captureDate?.iso8601
        captureDateSource = plan.captureDateSource
        stillCandidates = plan.stillCandidates.isEmpty ? nil : plan.stillCandidates.map { CandidateDocument($0) }
        self.warnings = warnings
        self.dryRun = dryRun
        way = plan.keepsMovie.map { $0 ? "photo" : "encoded" }
    }
}
