package import FFmpegKit
import LivePhotoRequests
package import MediaModel

/// How a stored picture is displayed: how it is cropped and turned upright, and its position in the photo and in the
/// movie.
package struct PictureGeometry: Sendable, Hashable {
    /// A picture, with black bars around it if it has another shape.
    package struct Canvas: Sendable, Hashable {
        package let size: PixelSize
        /// The picture's position on the canvas.
        package let picture: PixelRectangle

        /// The same canvas with a picture of another shape, scaled to fit the current picture's rectangle and centred
        /// there.
        func fitting(_ shape: PixelSize) -> Canvas {
            guard !shape.hasShape(of: picture.size) else { return self }
            let scale = min(
                Double(picture.width) / Double(max(shape.width, 1)),
                Double(picture.height) / Double(max(shape.height, 1)))
            func length(_ length: Int, _ limit: Int) -> Int {
                min(max(Int((Double(length) * scale / 2).rounded()) * 2, 2), limit)
            }
            let fitted = PixelSize(
                width: length(shape.width, picture.width), height: length(shape.height, picture.height))
            return Canvas(size: size, picture: picture.centring(fitted))
        }
    }

    package private(set) var stored: PixelSize
    package let orientation: Orientation
    /// The used part of the stored picture, in its pixels.
    package var part: PixelRectangle { fractions.pixels(of: stored) }
    /// Upright, with square pixels, at the source's full resolution.
    package let photo: Canvas
    /// Upright, with square pixels and an even size within the maximum.
    package private(set) var movie: Canvas

    /// The used part of the stored picture, as fractions of its width and height.
    private let fractions: UnitBox

    /// The limit of libavfilter and H.264.
    private static let longestEdge = 16384

    /// - Parameter maximum: the movie's maximum size; nil for none.
    /// - Throws: `FramingError` for a crop rectangle outside the picture.
    package init(
        _ video: VideoParameters, maximum: MaximumSize?, framing: Framing = Framing()
    ) throws(FramingError) {
        stored = video.codedSize
        orientation = video.orientation
        let aperture =
            video.cleanAperture
            ?? CleanAperture(x: 0, y: 0, width: Double(stored.width), height: Double(stored.height))
        let upright = Self.uprightSize(of: aperture, video)
        let crop = framing.crop ?? PixelRectangle(size: upright)
        guard crop.fits(in: upright) else { throw FramingError(crop: crop, upright: upright) }
        let cropped =
            switch framing.shape {
            case .fill(let shape): crop.filling(shape)
            case .fit, nil: crop
            }
        fractions = UnitMap(orientation.inverse).then(UnitMap(from: UnitBox(), to: UnitBox(aperture, of: stored)))
            .place(UnitBox(cropped, of: upright))
        let canvas = framing.shape?.canvas(for: cropped.size) ?? cropped.size
        let bounded = min(1, Double(Self.longestEdge) / Double(canvas.longEdge))
        photo = Self.canvas(canvas, cropped.size, scale: bounded) { max(Int($0.rounded()), 1) }
        let scale =
            maximum.map {
                min(1, Double($0.longEdge) / Double(canvas.longEdge), Double($0.shortEdge) / Double(canvas.shortEdge))
            } ?? 1
        movie = Self.canvas(canvas, cropped.size, scale: scale) { Self.even($0, isScaled: scale < 1) }
    }

    /// From the stored picture to the photo.
    ///
    /// - Parameter adjustments: those that move the upright picture.
    func photoMap(_ adjustments: Adjustments) -> UnitMap {
        let picture = photo.picture
        return UnitMap(from: fractions, to: UnitBox()).then(UnitMap(orientation))
            .then(adjustments.straightening(in: picture.size))
            .then(UnitMap(from: UnitBox(), to: UnitBox(picture, of: photo.size)))
    }

    /// The geometry for pictures of another stored size.
    func storing(_ size: PixelSize) -> PictureGeometry {
        var copy = self
        copy.stored = size
        return copy
    }

    /// The same geometry with a movie of exactly this size without bars.
    func withMovie(_ size: PixelSize) -> PictureGeometry {
        var copy = self
        copy.movie = Canvas(size: size, picture: PixelRectangle(size: size))
        return copy
    }

    /// The size of the used part, upright and in square pixels, if stored pixels have this aspect ratio.
    func croppedSize(_ pixels: AspectRatio) -> PixelSize {
        let width = max(Int((Double(part.width) * pixels.value).rounded()), 1)
        return unturned(PixelSize(width: width, height: part.height))
    }

    /// A size before it is turned upright.
    package func unturned(_ size: PixelSize) -> PixelSize { orientation.swapsAxes ? size.transposed : size }

    /// The height stays and the width becomes what square pixels need, as players do.
    private static func uprightSize(of aperture: CleanAperture, _ video: VideoParameters) -> PixelSize {
        let width = (aperture.width * video.sampleAspectRatio.value).rounded()
        let square = PixelSize(
            width: Int(min(max(width, 1), Double(longestEdge))), height: max(Int(aperture.height.rounded()), 1))
        return video.orientation.swapsAxes ? square.transposed : square
    }

    private static func canvas(
        _ size: PixelSize, _ picture: PixelSize, scale: Double, _ round: (Double) -> Int
    ) -> Canvas {
        func scaled(_ size: PixelSize) -> PixelSize {
            PixelSize(width: round(Double(size.width) * scale), height: round(Double(size.height) * scale))
        }
        let canvas = scaled(size)
        let inner = scaled(picture)
        let fitting = PixelSize(width: min(inner.width, canvas.width), height: min(inner.height, canvas.height))
        return Canvas(size: canvas, picture: PixelRectangle(size: canvas).centring(fitting))
    }

    /// The nearest even number if the picture is scaled, otherwise the nearest lower one; at least 2.
    private static func even(_ length: Double, isScaled: Bool) -> Int {
        max(isScaled ? Int((length / 2).rounded()) * 2 : Int(length) / 2 * 2, 2)
    }
}

extension PixelRectangle {
    /// A rectangle of this size in the middle, at an even offset, so that chroma samples of both coincide.
    fileprivate func centring(_ inner: PixelSize) -> PixelRectangle {
        PixelRectangle(x: x + (width - inner.width) / 4 * 2, y: y + (height - inner.height) / 4 * 2, size: inner)
    }
}

extension UnitBox {
    fileprivate init(_ part: CleanAperture, of size: PixelSize) {
        let (width, height) = (Double(max(size.width, 1)), Double(max(size.height, 1)))
        self.init(
            left: part.x / width, top: part.y / height, right: (part.x + part.width) / width,
            bottom: (part.y + part.height) / height)
    }

    /// The nearest whole pixels of a picture of this size; at least one.
    fileprivate func pixels(of size: PixelSize) -> PixelRectangle {
        func range(_ from: Double, _ to: Double, _ length: Int) -> Range<Int> {
            let first = min(max(Int((from * Double(length)).rounded()), 0), max(length - 1, 0))
            return first..<min(max(Int((to * Double(length)).rounded()), first + 1), max(length, 1))
        }
        let (columns, rows) = (range(left, right, size.width), range(top, bottom, size.height))
        return PixelRectangle(
            x: columns.lowerBound, y: rows.lowerBound, size: PixelSize(width: columns.count, height: rows.count))
    }
}

/// A crop rectangle outside the picture.
package struct FramingError: Error, Sendable, Hashable, CustomStringConvertible {
    let crop: PixelRectangle
    /// The size of the clip's upright picture.
    let upright: PixelSize

    package var description: String {
        "the part \(crop) (x, y, width, height) is not inside the clip's upright picture of \(upright)"
    }
}

extension Framing.Shape {
    /// The canvas size for a picture of this size.
    fileprivate func canvas(for picture: PixelSize) -> PixelSize {
        guard case .fit(let shape) = self else { return picture }
        let (width, height) = (Double(picture.width), Double(picture.height))
        return width > height * shape.value
            ? PixelSize(width: picture.width, height: Int((width / shape.value).rounded()))
            : PixelSize(width: Int((height * shape.value).rounded()), height: picture.height)
    }
}
