import FFmpegKit
import LivePhotoRequests
import MediaModel
import VidStabKit

/// Measures how the picture moves in a plan's movie.
struct MotionReading {
    private let plan: ConversionPlan
    private let reader: ClipReader
    private let cancellation: CancellationFlag

    /// The short edge of the pictures in which motion is measured: more is more exact and slower.
    private static let shortEdge = 360
    private static let longestEdge = 1920
    private static let threadLimit = 4

    init(_ plan: ConversionPlan, _ reader: ClipReader, _ cancellation: CancellationFlag) {
        (self.plan, self.reader, self.cancellation) = (plan, reader, cancellation)
    }

    /// Decodes the movie once.
    func path() throws -> CameraPath {
        let part = plan.movieFilters.pictureInCanvas
        let size = Self.size(of: part.size)
        let shrinking = PictureConverter.Chain(
            "crop=\(part.width):\(part.height):\(part.x):\(part.y),scale=\(size.width):\(size.height):flags=area,format=gray"
        )
        let detector = try MotionDetector(size: size, threads: min(plan.threads, Self.threadLimit))
        var motions: [PictureMotion] = []
        // What adjustments draw does not move with the camera.
        let filters = plan.movieFilters.withoutAdjustments
        try MovieFrames(plan, reader, filters: filters, cancellation).forEachScheduled { picture, _ in
            motions.append(try detector.motion(to: shrinking.convert(picture).lumaPlane()))
        }
        return CameraPath(motions, size: size)
    }

    private static func size(of picture: PixelSize) -> PixelSize {
        let scale = Double(shortEdge) / Double(max(picture.shortEdge, 1))
        func length(_ edge: Int) -> Int { min(max(Int(Double(edge) * scale / 2) * 2, shortEdge), longestEdge) }
        return PixelSize(width: length(picture.width), height: length(picture.height))
    }
}
