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
        let still = try StillDecoder.decodeUpright(PhotoFile(photo))
        let shape = Framing(shape: .fill(AspectRatio(size.width, size.height)))
        let ofPhoto = try PictureGeometry(still.video, maximum: maximum, framing: shape).withMovie(size)
        let filters = PictureFilters(still.video, ofPhoto, to: .movie(ofPhoto))
        self.photo = try PictureConverter(filters, threads: 1).convert(still.frame).lumaPlane()
    }

    /// 1 for equal pictures, about 0 or below for unrelated ones.
    func similarity(to frame: Frame) throws -> Double {
        StructuralSimilarity.mean(photo, try converter.convert(frame).lumaPlane(), size: size)
    }
}
