package import LivePhotoKit

/// What the worker says: lines of JSON on its standard output. The last one tells how its task ended.
package enum WorkerEvent: Codable, Sendable {
    case progress(frames: Int, totalFrames: Int)
    case plan(PlanSummary)
    case conversion(PlanSummary, warnings: [String])
    case similarity(Double)
    case still(StillMatch)
    case thumbnail(Thumbnail)
    case environment(ConversionEnvironment)
    case failure(LivePhotoError.Code, file: PathText?, reason: String)
    /// The order is of another version than the worker.
    case otherVersion(String)
}
