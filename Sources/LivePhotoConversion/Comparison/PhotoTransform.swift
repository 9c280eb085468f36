import Bytes
import FFmpegKit
import LivePhotoKit
import MediaModel
import QuickTime
import VidStabKit

/// Measures the transform from a movie's frame to a photo of the same scene.
enum PhotoTransform {
    /// Long edge of the compared pictures, in pixels.
    private static let edge = 640
    /// Below this structural similarity after the transform, the pictures do not show the same.
    private static let leastSimilarity = 0.5

    /// - Parameters:
    ///   - frame: of the clip.
    ///   - video: describes the clip's pictures.
    ///   - size: of the movie's frames.
    /// - Returns: nil if frame and photo do not show the same.
    static func measure(
        _ photo: InputFile, _ frame: Frame, _ video: VideoParameters, dimensions size: PixelSize
    ) throws -> StillImageTransform? {
        let comparison = try PhotoComparison(photo, with: video, edge: edge)
        let measured = comparison.size
        guard measured.shortEdge >= MotionDetector.shortestEdge else { return nil }
        guard try comparison.similarity(to: frame) >= leastSimilarity else { return nil }
        let detector = try HomographyDetector(size: measured)
        _ = try detector.homography(to: comparison.luma(of: frame))
        let found = try detector.homography(to: comparison.photo)
        let scale = (
            x: Double(size.width) / Double(measured.width), y: Double(size.height) / Double(measured.height)
        )
        // From the centre to the lower left corner, upward.
        let transform = found.changingCoordinates(
            scale: (scale.x, -scale.y), origin: (Double(size.width) / 2, Double(size.height) / 2))
        return transform.normalized.map { StillImageTransform(matrix: $0.elements, dimensions: size) }
    }
}
