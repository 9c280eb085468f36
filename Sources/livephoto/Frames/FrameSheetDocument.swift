import LivePhotoRequests

/// Output of `frames --json`. Times are in seconds, sizes in pixels, scores from 0 to 1.
struct FrameSheetDocument: Encodable {
    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    private let clip: String
    private let sheet: String?
    private let clipDuration: Double
    /// The value for `--still`.
    private let suggestedStill: String
    private let windowStart: Double
    private let windowEnd: Double
    private let width: Int?
    private let height: Int?
    private let frames: [Picture]
    private let candidates: [CandidateDocument]
    private let warnings: [String]

    private struct Picture: Encodable {
        let time: Double
        let still: String
        let frame: Int?
        let suggested: Bool
        let inWindow: Bool
        let score: ScoreDocument?
    }

    init(_ sheet: FrameSheet, _ request: FrameSheetRequest) {
        (clip, self.sheet) = (request.clip.string, request.output?.string)
        (clipDuration, suggestedStill) = (sheet.clipDuration.seconds, sheet.suggestedStill)
        (windowStart, windowEnd) = (sheet.windowStart.seconds, sheet.windowEnd.seconds)
        (width, height, warnings) = (sheet.size?.width, sheet.size?.height, sheet.warnings)
        candidates = sheet.candidates.map { CandidateDocument($0) }
        frames = sheet.pictures.map {
            Picture(
                time: $0.time.seconds, still: $0.still, frame: $0.frame, suggested: $0.isSuggested,
                inWindow: $0.isInWindow, score: $0.score.map { ScoreDocument($0) })
        }
    }
}
