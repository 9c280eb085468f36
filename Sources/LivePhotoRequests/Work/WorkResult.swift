import LivePhotoKit

/// What work gave. Every number, time, size and text is checked while it is decoded, because the worker that sends it has read
/// files of strangers.
package enum WorkResult: Codable, Sendable {
    case plan(PlanSummary)
    /// The pairs or the movie that were written, in the order of the work.
    case movies([MadeMovie])
    case frames(ExportedMedia)
    case sheet(FrameSheet)
    case smallFrames(SmallFrames)
    case similarity(Similarity)
    case steadiness(PictureSteadiness)
    case still(StillMatch)
    case thumbnail(Thumbnail)
    /// Of each photo, in the order of the work.
    case thumbnails([ThumbnailOutcome])
    /// - Parameter isPresent: whether the movie has any sound.
    case sound(isPresent: Bool)
    case soundLevels(SoundLevels)
    case jpeg
    case environment(ConversionEnvironment)
}

/// A movie that was written, alone or as a part of a pair.
package struct MadeMovie: Codable, Sendable {
    package let plan: PlanSummary
    private let shownWarnings: ShownLines
    /// Each one sentence.
    package var warnings: [String] { shownWarnings.lines }

    package init(_ plan: PlanSummary, warnings: [String]) {
        (self.plan, shownWarnings) = (plan, ShownLines(warnings))
    }
}

// The result of each kind of work; nil if it is another one's.
extension WorkResult {
    var plan: PlanSummary? { if case .plan(let value) = self { value } else { nil } }
    var movies: [MadeMovie]? { if case .movies(let movies) = self { movies } else { nil } }
    var movie: MadeMovie? { movies.flatMap { $0.count == 1 ? $0[0] : nil } }
    var frames: ExportedMedia? { if case .frames(let value) = self { value } else { nil } }
    var sheet: FrameSheet? { if case .sheet(let value) = self { value } else { nil } }
    var smallFrames: SmallFrames? { if case .smallFrames(let value) = self { value } else { nil } }
    var similarity: Double? { if case .similarity(let value) = self { value.value } else { nil } }
    var steadiness: PictureSteadiness? { if case .steadiness(let value) = self { value } else { nil } }
    var still: StillMatch? { if case .still(let value) = self { value } else { nil } }
    var thumbnail: Thumbnail? { if case .thumbnail(let value) = self { value } else { nil } }
    var thumbnails: [ThumbnailOutcome]? { if case .thumbnails(let value) = self { value } else { nil } }
    var hasSound: Bool? { if case .sound(let isPresent) = self { isPresent } else { nil } }
    var soundLevels: SoundLevels? { if case .soundLevels(let value) = self { value } else { nil } }
    var jpeg: Void? { if case .jpeg = self { () } else { nil } }
    var environment: ConversionEnvironment? { if case .environment(let value) = self { value } else { nil } }
}
