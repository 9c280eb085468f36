import Bytes
import FFmpegKit
import LivePhotoKit
import LivePhotoRequests
import MediaModel
import QuickTime
import VidStabKit

/// Measures the transform from a movie's frame to a photo of the same scene.
enum PhotoTransform {
    /// Long edge of the pictures in which it is measured, and of those that decide whether both show the same, in pixels.
    private static let (edge, edgeOfSimilarity) = (640, 32)

    /// - Parameter frame: of the movie.
    /// - Returns: nil if frame and photo do not show the same.
    static func measure(_ photo: InputFile, _ frame: Frame) throws -> StillImageTransform? {
        let still = try StillDecoder.decodeUpright(PhotoFile(photo))
        func lumas(longEdge: Int) throws -> (photo: [UInt8], frame: [UInt8], size: PixelSize) {
            let scale = Double(longEdge) / Double(max(frame.size.longEdge, 1))
            func length(_ edge: Int) -> Int { max(Int(Double(edge) * scale / 2) * 2, 2) }
            let size = PixelSize(width: length(frame.size.width), height: length(frame.size.height))
            let chain = PictureConverter.Chain("scale=\(size.width):\(size.height),format=gray")
            return (try still.luma(filling: size), try chain.convert(frame).lumaPlane(), size)
        }
        let small = try lumas(longEdge: edgeOfSimilarity)
        let similarity = StructuralSimilarity.mean(small.photo, small.frame, size: small.size)
        guard similarity >= StillMatch.certainty else { return nil }
        let pictures = try lumas(longEdge: edge)
        // In a narrow strip, nothing can be measured.
        guard pictures.size.shortEdge >= MotionDetector.shortestEdge else {
            return StillImageTransform(dimensions: frame.size)
        }
        let detector = try HomographyDetector(size: pictures.size)
        _ = try detector.homography(to: pictures.frame)
        let found = try detector.homography(to: pictures.photo)
        let dimensions = frame.size
        // From the centre to the lower left corner, upward.
        let transform = found.changingCoordinates(
            scale: (
                Double(dimensions.width) / Double(pictures.size.width),
                -Double(dimensions.height) / Double(pictures.size.height)
            ), origin: (Double(dimensions.width) / 2, Double(dimensions.height) / 2))
        return transform.normalized.map { StillImageTransform(matrix: $0.elements, dimensions: dimensions) }
    }
}
