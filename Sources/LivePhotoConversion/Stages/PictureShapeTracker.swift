import FFmpegKit
import LivePhotoKit

/// Detects whether a clip's pictures change their shape within the movie.
struct PictureShapeTracker {
    private let video: VideoParameters
    private let isFinal: Bool
    private var last: PictureShape?
    private var change: (from: PictureShape, to: PictureShape, time: MediaTime)?

    init(_ plan: DecodingPlan) {
        (video, isFinal) = (plan.picture, plan.clip.hasShapeOfStill)
    }

    /// - Throws: `StillShapeError` if the key photo's picture has another shape than planned.
    mutating func note(_ frame: Frame, at time: MediaTime, isStill: Bool) throws {
        let shape = PictureShape(of: frame, in: video)
        if isStill, !isFinal, shape != PictureShape(of: video) { throw StillShapeError(shape: shape) }
        if let last, last != shape, change == nil { change = (last, shape, time) }
        last = shape
    }

    /// One sentence for the user; nil if the shape did not change.
    func warning(movieSize: PixelSize) -> String? {
        change.map {
            let bars = $0.from.displaySize.hasShape(of: $0.to.displaySize) ? "" : ", with black bars beside the others"
            return "the clip's pictures change from \($0.from) to \($0.to) at \($0.time); the whole movie is"
                + " \(movieSize), made for the picture at the still time\(bars)"
        }
    }
}

/// The key photo's picture has another shape than the first decoded one, so that another plan is needed.
struct StillShapeError: Error {
    let shape: PictureShape
}
