import FFmpegKit
import MediaModel
import VidStabKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Which part of a picture is shown, turned and enlarged to the whole picture. Lengths are in widths of the picture.
package struct PictureCorrection: Sendable, Hashable {
    /// Where the middle of the result is in the picture, from its middle.
    package let x: Double
    package let y: Double
    /// How far the part is turned clockwise, in radians.
    package let angle: Double
    /// How much the part is enlarged; at least 1.
    package let zoom: Double

    /// - Parameters:
    ///   - position: where the picture is.
    ///   - target: where it should be.
    ///   - aspect: the picture's height divided by its width.
    init(from position: PictureMotion, to target: PictureMotion, aspect: Double) {
        angle = position.angle - target.angle
        let (cosine, sine) = (cos(angle), sin(angle))
        x = position.x - (cosine * target.x - sine * target.y)
        y = position.y - (sine * target.x + cosine * target.y)
        // The corners of the turned part, from its middle.
        let reach = (abs(cosine) + aspect * abs(sine), abs(sine) + aspect * abs(cosine))
        let room = (1 - 2 * abs(x), aspect - 2 * abs(y))
        zoom = room.0 > 0.01 && room.1 > 0.01 * aspect ? max(reach.0 / room.0, reach.1 / room.1, 1) : .infinity
    }

    init(_ other: PictureCorrection, zoom: Double) {
        (x, y, angle) = (other.x, other.y, other.angle)
        self.zoom = zoom
    }

    /// No change.
    static let none = PictureCorrection(from: .none, to: .none, aspect: 1)

    /// Whether nothing moves by more than half a pixel in a picture of 1,000.
    var isSlight: Bool { abs(x) < 0.0005 && abs(y) < 0.0005 && abs(angle) < 0.0005 }

    /// Whether nothing changes by as much as a tenth of a pixel in a picture of 1,000.
    var isIdentity: Bool { abs(x) < 0.0001 && abs(y) < 0.0001 && abs(angle) < 0.0001 && zoom < 1.0001 }

    /// The corners of the part in a picture of this size: top left, top right, bottom left, bottom right.
    func corners(in size: PixelSize) -> [(x: Double, y: Double)] {
        let (width, height) = (Double(size.width), Double(size.height))
        let (cosine, sine) = (cos(angle) / zoom, sin(angle) / zoom)
        return [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)].map { side in
            let (u, v) = (side.0 * width / 2, side.1 * height / 2)
            return (width / 2 + x * width + cosine * u - sine * v, height / 2 + y * width + sine * u + cosine * v)
        }
    }
}

extension Frame {
    /// The picture after a correction, in the same size and format.
    func steadied(by correction: PictureCorrection) throws -> Frame {
        guard !correction.isIdentity else { return self }
        let corners = correction.corners(in: size).enumerated().map { index, corner in
            "x\(index)=\(corner.x):y\(index)=\(corner.y)"
        }
        return try PictureConverter.Chain(
            "perspective=\(corners.joined(separator: ":")):interpolation=cubic:sense=source"
        ).convert(self)
    }
}
