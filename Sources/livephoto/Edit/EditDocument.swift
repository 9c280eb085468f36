import LivePhotoKit
import LivePhotoRequests

/// Output of `edit --json` for a pair. Times are in seconds.
struct EditDocument: Encodable {
    let schema = 1
    let status: String
    let photo: String?
    let movie: String?
    var contentIdentifier: String?
    var way: LivePhotoEditor.Way?
    var reason: String?
    /// The part of the old movie that is kept.
    var keptStart: Double?
    var keptEnd: Double?
    var duration: Double?
    var stillTime: Double?
    var stillMoved: Bool?
    /// Always true: the key photo keeps its picture.
    var photoPictureKept: Bool?
    var soundRemoved: Bool?
    var notes: [String]?
    /// The file with the settings of the edit.
    var recipe: String?
    var error: String?

    /// - Parameter adjustments: the file with the settings of the edit; nil for none.
    init(_ result: LivePhotoEditor.Result, _ adjustments: FilePath?) {
        let pair = result.livePhoto
        (status, photo, movie) = ("edited", pair.photo.string, pair.movie.string)
        set(result.plan)
        contentIdentifier = pair.contentIdentifier.string
        recipe = adjustments?.string
    }

    init(_ plan: LivePhotoEditor.Plan) {
        (status, photo, movie) = ("planned", plan.files.first?.string, plan.files.last?.string)
        set(plan)
    }

    init(_ source: LivePhotoSource, _ error: LivePhotoError) {
        (status, photo, movie) = ("failed", source.photo.string, source.movie.string)
        self.error = "\(error)"
    }

    private mutating func set(_ plan: LivePhotoEditor.Plan) {
        contentIdentifier = plan.contentIdentifier?.string
        (way, reason) = (plan.way, plan.reason)
        (keptStart, keptEnd, duration) = (plan.start.seconds, plan.end.seconds, plan.duration.seconds)
        (stillTime, stillMoved, photoPictureKept) = (plan.stillTime.seconds, plan.movesStill, true)
        soundRemoved = plan.removesSound
        notes = plan.notes
    }
}
