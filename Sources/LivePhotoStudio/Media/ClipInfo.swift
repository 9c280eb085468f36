import LivePhotoKit
import LivePhotoRequests
import LivePhotoShare
import SystemPackage

/// What the page is told about a clip or a Live Photo when it is opened.
struct ClipInfo: Encodable, Sendable {
    struct Suggestion: Encodable, Sendable {
        let still: String
        let seconds: Double
    }

    let kind: String
    let name: String
    /// Of the clip.
    let seconds: Double
    let frameRate: Double
    /// The size without a crop.
    let width: Int
    let height: Int
    let hasSound: Bool
    /// Whether the page can play the sound.
    let playsSound: Bool
    /// As the camera or a sidecar says; nil if unknown.
    let date: String?
    let hasLocation: Bool
    /// What is made without a choice.
    let stillSeconds: Double
    let windowStart: Double
    let windowEnd: Double
    /// The best stills, from the best on.
    let suggestions: [Suggestion]
    let warnings: [String]

    private static let mostSuggestions = 5
    /// Between two suggestions, in seconds.
    private static let distance = 0.5

    /// - Parameter plan: what is made of the clip without a choice.
    init(clip item: StudioItem, _ plan: PlanSummary, _ sheet: FrameSheet) {
        kind = "clip"
        playsSound = sheet.hasSound && plan.clipDuration <= ClipMedia.longestSound
        name = item.name
        (seconds, frameRate) = (plan.clipDuration.seconds, plan.clipFrameRate.framesPerSecond)
        (width, height) = (plan.photoSize.width, plan.photoSize.height)
        hasSound = sheet.hasSound
        (date, hasLocation) = (plan.metadata.captureDate?.iso8601, plan.metadata.location != nil)
        stillSeconds = plan.stillInClip.seconds
        windowStart = plan.start.seconds
        windowEnd = plan.start.seconds + plan.duration.seconds
        suggestions = Self.suggestions(sheet)
        warnings = plan.warnings
    }

    /// - Throws: `LivePhotoError` for files that are no Live Photo.
    init(livePhoto item: StudioItem, _ pair: PairPaths, _ sheet: FrameSheet, scratch: FilePath) throws(LivePhotoError) {
        let facts = try GallerySource(GalleryItem(item.name, .pair(pair)), copyingTo: scratch).facts
        let moments = try MovieMoments(of: pair.movie)
        kind = "pair"
        playsSound = facts.movie.hasSound && moments.end <= ClipMedia.longestSound
        name = item.name
        seconds = moments.end.seconds
        frameRate = Double(moments.frames.count) / max(moments.end.seconds, 0.001)
        (width, height) = (facts.photo.size.width, facts.photo.size.height)
        hasSound = facts.movie.hasSound
        (date, hasLocation) = (facts.captureDate?.iso8601, false)
        stillSeconds = facts.stillTime?.seconds ?? moments.still(at: nil).seconds
        (windowStart, windowEnd) = (0, moments.end.seconds)
        suggestions = Self.suggestions(sheet)
        warnings = facts.findings.filter { $0.severity != .note }.map(\.message)
    }

    private static func suggestions(_ sheet: FrameSheet) -> [Suggestion] {
        var chosen: [Suggestion] = []
        for candidate in sheet.candidates.sorted(by: { $0.score.total > $1.score.total }) {
            let seconds = candidate.time.seconds
            guard chosen.count < mostSuggestions else { break }
            guard chosen.allSatisfy({ abs($0.seconds - seconds) >= distance }) else { continue }
            let known = sheet.pictures.first { $0.time == candidate.time }?.still
            chosen.append(
                Suggestion(still: known ?? candidate.time.stillText, seconds: seconds))
        }
        return chosen
    }
}

extension MediaTime {
    /// A time in milliseconds at or after this one, which is before the next frame of any camera.
    fileprivate var stillText: String { decimalText(rescaled(to: 1_000, .up).value, places: 3) }
}
