import FFmpegKit
import LivePhotoRequests
import VidStabKit

/// Measures how the picture moves in a plan's movie.
struct MotionReading {
    private let plan: ConversionPlan
    private let reader: ClipReader
    private let cancellation: CancellationFlag

    private static let threadLimit = 4

    init(_ plan: ConversionPlan, _ reader: ClipReader, _ cancellation: CancellationFlag) {
        (self.plan, self.reader, self.cancellation) = (plan, reader, cancellation)
    }

    /// Decodes the movie once.
    func path() throws -> CameraPath {
        let pictures = MotionPictures(plan.movieFilters)
        let detector = try MotionDetector(size: pictures.size, threads: min(plan.processingThreads, Self.threadLimit))
        var motions: [PictureMotion] = []
        // What adjustments draw does not move with the camera.
        let filters = plan.movieFilters.withoutAdjustments
        try MovieFrames(plan, reader, filters: filters, cancellation).forEachScheduled { picture, _ in
            motions.append(try detector.motion(to: pictures.luma(of: picture)))
        }
        return CameraPath(motions, size: pictures.size)
    }
}
