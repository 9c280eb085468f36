import LivePhotoKit
import LivePhotoRequests

/// Output of `link --by-name --json` for the files of one name. Times are in seconds.
struct FolderLinkDocument: Encodable {
    private let schema = 1
    private var status: String
    private var files: [String]
    private var photo: String?
    private var movie: String?
    private var contentIdentifier: String?
    private var stillTime: Double?
    private var moment: String?
    private var similarity: Double?
    private var writtenDate: String?
    private var writtenDateSource: CaptureDateSource?
    private var writtenLocation: String?
    private var warnings: [String]?
    private var reason: String?

    init(_ outcome: FolderLinker.Outcome) {
        files = outcome.files.map(\.string)
        switch outcome.status {
        case .linked(let result, let source):
            status = "linked"
            photo = result.livePhoto.photo.string
            movie = result.livePhoto.movie.string
            contentIdentifier = result.livePhoto.contentIdentifier.string
            set(StillMoment(time: result.stillTime, source: source))
            (writtenDate, writtenDateSource) = (result.writtenDate?.iso8601, result.writtenDateSource)
            writtenLocation = result.writtenLocation?.iso6709
            warnings = result.warnings
        case .linkable(let moment, let plan):
            status = "linkable"
            (photo, movie) = (plan.files.first?.string, plan.files.last?.string)
            set(moment)
            (writtenDate, writtenDateSource) = (plan.writtenDate?.iso8601, plan.writtenDateSource)
            writtenLocation = plan.writtenLocation?.iso6709
            warnings = plan.warnings
        case .converted(let pair):
            status = "converted"
            (photo, movie) = (pair.photo.string, pair.movie.string)
            contentIdentifier = pair.contentIdentifier.string
        case .convertible: status = "convertible"
        case .linkedAlready: status = "linked-already"
        case .copy(let photo): (status, reason) = ("copy", "equal to \(photo)")
        case .leftAlone(let reason): (status, self.reason) = ("left-alone", reason)
        case .notAlike(let reason): (status, self.reason) = ("not-alike", reason)
        case .failed(let error): (status, reason) = ("failed", "\(error)")
        }
    }

    private mutating func set(_ still: StillMoment) {
        stillTime = still.time.seconds
        switch still.source {
        case .request: moment = "request"
        case .movie: moment = "movie"
        case .photo(let similarity): (moment, self.similarity) = ("photo", similarity)
        case .photoMetadata: moment = "photo-metadata"
        case .middle: moment = "middle"
        case .guess(let reason): (moment, self.reason) = ("guess", reason)
        }
    }
}
