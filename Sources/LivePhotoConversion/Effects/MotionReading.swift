import FFmpegKit
import VidStabKit

/// Measures how the picture moves from frame to frame of a movie.
final class MotionReading {
    private let pictures: MotionPictures
    private let detector: MotionDetector
    private let converter: PictureConverter
    private var motions: [PictureMotion] = []

    /// - Parameter filters: those of the movie.
    init(_ filters: PictureFilters, threads: Int) throws {
        pictures = MotionPictures(filters)
        // More threads would spend most of their time waiting, on cores that the decoder needs.
        detector = try MotionDetector(size: pictures.size, threads: 1)
        // What adjustments draw does not move with the camera.
        converter = PictureConverter(filters.withoutAdjustments, threads: threads)
    }

    /// Adds the next frame of the movie, as the clip shows it.
    func add(_ frame: Frame) throws {
        motions.append(try detector.motion(to: pictures.luma(of: converter.convert(frame))))
    }

    /// The path of the camera in the frames that were added.
    var path: CameraPath { CameraPath(motions, size: pictures.size) }
}
