import FFmpegKit
import MediaModel
import QuickTime
import VidStabKit

/// Measures how the pictures of a movie move, for its live-photo-info track.
///
/// A camera of Apple takes homographies and blur from its gyroscope and shutter. Here, the homography from each picture to
/// the next is measured in the pictures. How long the shutter was open is not known: the blur is that of a shutter that is
/// open for half of each frame, as in films.
final class MotionRecorder {
    private let pictures: MotionPictures
    private let detector: HomographyDetector
    private let size: PixelSize
    /// From each picture to the next in pixels of the movie; the first is the identity.
    private var steps: [Homography] = []

    private static let openShare = 0.5

    /// - Parameter filters: those of the movie.
    init(_ filters: PictureFilters) throws {
        size = filters.target.canvas.size
        pictures = MotionPictures(filters)
        detector = try HomographyDetector(size: pictures.size)
    }

    /// Adds the next picture of the movie.
    func add(_ picture: Frame) throws {
        let found = try detector.homography(to: pictures.luma(of: picture))
        let (part, measured) = (pictures.part, pictures.size)
        steps.append(
            found.changingCoordinates(
                scale: (Double(part.width) / Double(measured.width), Double(part.height) / Double(measured.height)),
                origin: (Double(part.x) + Double(part.width) / 2, Double(part.y) + Double(part.height) / 2)))
    }

    /// The records of the pictures that were added.
    ///
    /// - Parameter times: those of the frames.
    func records(_ times: [MediaTime]) -> [(time: MediaTime, info: LivePhotoInfo)] {
        let center = (x: Double(size.width) / 2, y: Double(size.height) / 2)
        let moves = steps.map { step in
            let place = step.mapping(x: center.x, y: center.y)
            return (x: center.x - place.x, y: center.y - place.y)
        }
        var (position, pose) = ((x: 0.0, y: 0.0), Homography.identity)
        return zip(times, steps.indices).map { time, index in
            position = (position.x + moves[index].x, position.y + moves[index].y)
            pose = (steps[index] * pose).normalized ?? .identity
            // The mean of the moves before and after the frame.
            let around = moves.dropFirst(max(index, 1)).prefix(index == 0 ? 1 : 2)
            let share = Self.openShare / Double(max(around.count, 1))
            return (
                time,
                LivePhotoInfo(
                    time: UInt64(clamping: time.rescaled(to: 1_000_000_000).value), motion: Self.vector(position),
                    blur: Self.vector(
                        (around.reduce(0) { $0 + $1.x } * share, around.reduce(0) { $0 + $1.y } * share)),
                    homography: pose.elements.map { Float($0) })
            )
        }
    }

    private static func vector(_ vector: (x: Double, y: Double)) -> LivePhotoInfo.Vector {
        LivePhotoInfo.Vector(x: Float(vector.x), y: Float(vector.y))
    }
}
