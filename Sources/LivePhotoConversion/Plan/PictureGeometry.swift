package import FFmpegKit
package import MediaModel

/// The sizes a picture goes through: as stored, upright in full, and as the movie shows it.
package struct PictureGeometry: Sendable, Hashable {
    package let stored: PixelSize
    package let orientation: Orientation
    /// Upright, with square pixels, at the source's full resolution: the key photo's size.
    package let full: PixelSize
    /// Upright, with square pixels, inside the maximum and even: the movie's size.
    package let movie: PixelSize

    package init(_ video: VideoParameters, maximum: MaximumSize) {
        stored = video.codedSize
        orientation = video.orientation
        let ratio = video.sampleAspectRatio
        // The height stays and the width becomes what square pixels need, as players do.
        let width = Int((Double(stored.width) * Double(ratio.width) / Double(ratio.height)).rounded())
        let square = PixelSize(width: min(max(width, 1), 16384), height: max(stored.height, 1))
        full = orientation.swapsAxes ? square.transposed : square
        let scale = min(
            1, Double(maximum.longEdge) / Double(full.longEdge), Double(maximum.shortEdge) / Double(full.shortEdge))
        movie = PixelSize(width: Self.even(full.width, scale), height: Self.even(full.height, scale))
    }

    /// The same result from pictures of another stored size.
    func storing(_ size: PixelSize) -> PictureGeometry {
        PictureGeometry(stored: size, orientation: orientation, full: full, movie: movie)
    }

    private init(stored: PixelSize, orientation: Orientation, full: PixelSize, movie: PixelSize) {
        self.stored = stored
        self.orientation = orientation
        self.full = full
        self.movie = movie
    }

    /// A size before it is turned upright.
    package func unturned(_ size: PixelSize) -> PixelSize { orientation.swapsAxes ? size.transposed : size }

    /// The nearest even number that is not above the scaled length, but where rounding up loses less; 2 at least.
    private static func even(_ length: Int, _ scale: Double) -> Int {
        let exact = Double(length) * scale
        let nearest = scale < 1 ? Int((exact / 2).rounded()) * 2 : length / 2 * 2
        return max(nearest, 2)
    }
}
