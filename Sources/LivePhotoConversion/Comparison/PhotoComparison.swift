import Bytes
import FFmpegKit
import LivePhotoKit
import MediaModel

/// Compares frames of a movie with a photo, which is scaled down, turned upright and cropped to the movie's shape.
final class PhotoComparison {
    private let photo: [UInt8]
    private let size: PixelSize
    private let converter: PictureConverter

    /// - Parameter edge: long edge of the compared pictures, in pixels.
    init(_ photo: InputFile, with video: VideoParameters, edge: Int) throws {
        let maximum = try MaximumSize("\(edge)x\(edge)")
        let ofMovie = try PictureGeometry(video, maximum: maximum)
        size = ofMovie.movie.size
        converter = PictureConverter(PictureFilters(video, ofMovie, to: .movie(ofMovie)), threads: 1)
        self.photo = try StillDecoder.decodeUpright(PhotoFile(photo)).luma(filling: size)
    }

    /// 1 for equal pictures, about 0 or below for unrelated ones.
    func similarity(to frame: Frame) throws -> Double {
        StructuralSimilarity.mean(photo, try converter.convert(frame).lumaPlane(), size: size)
    }
}

extension DecodedStill {
    /// The luma samples of the picture, cropped to the shape of a movie's frames, as in Photos, and scaled to their size, row after
    /// row.
    func luma(filling size: PixelSize) throws -> [UInt8] {
        let edge = size.longEdge
        let shape = Framing(shape: .fill(AspectRatio(size.width, size.height)))
        let geometry = try PictureGeometry(video, maximum: MaximumSize("\(edge)x\(edge)"), framing: shape).withMovie(
            size)
        let filters = PictureFilters(video, geometry, to: .movie(geometry))
        return try PictureConverter(filters, threads: 1).convert(frame).lumaPlane()
    }
}
