package import MediaModel
package import VidStabKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// How the picture moves in a series of frames, and how it is steadied.
package struct CameraPath: Sendable, Hashable {
    /// Where the picture of each frame is, relative to the first; lengths are in widths of the picture.
    private let positions: [PictureMotion]
    /// The picture's height divided by its width.
    private let aspect: Double

    /// - Parameters:
    ///   - motions: from each frame to the next; the first is ignored.
    ///   - size: of the pictures in which the motions were measured.
    package init(_ motions: [PictureMotion], size: PixelSize) {
        let width = Double(max(size.width, 1))
        aspect = Double(size.height) / width
        var place = PictureMotion.none
        positions = motions.enumerated().map { index, motion in
            if index > 0 { place = place.followed(by: motion, unit: width) }
            return place
        }
    }

    /// Corrections after which the camera moves smoothly, as far as `longestZoom` allows.
    ///
    /// - Parameter frames: the standard deviation of the smoothing.
    package func smoothed(over frames: Double) -> [PictureCorrection] {
        let reach = Int((frames * 3).rounded(.up))
        let weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * max(frames * frames, 1e-9))) }
        let targets = positions.indices.map { index in
            var (sum, total) = (PictureMotion.none, 0.0)
            for (offset, weight) in zip(-reach...reach, weights) {
                // Beyond its ends, the camera moves on as it does there.
                let position = extrapolated(index + offset)
                sum.x += position.x * weight
                sum.y += position.y * weight
                sum.angle += position.angle * weight
                total += weight
            }
            return PictureMotion(x: sum.x / total, y: sum.y / total, angle: sum.angle / total)
        }
        return limited(to: Self.longestZoom) { share in
            zip(positions, targets).map { position, target in position.blended(with: target, share: share) }
        }
    }

    /// Corrections after which the picture stays where it is in one frame, each with the zoom that it needs; nil for a frame
    /// that would need more than `longestZoom`.
    package func held(at still: Int) -> [PictureCorrection?] {
        guard positions.indices.contains(still) else { return [] }
        let kept = corrections(to: positions.map { _ in positions[still] }).map {
            $0.zoom <= Self.longestZoom ? $0 : nil
        }
        // A camera on a tripod; what is measured is noise.
        if kept.allSatisfy({ $0?.isSlight == true }) { return kept.map { _ in PictureCorrection.none } }
        let zoom = kept.compactMap { $0?.zoom }.max() ?? 1
        return kept.map { $0.map { PictureCorrection($0, zoom: zoom) } }
    }

    /// How much the picture may be enlarged.
    static let longestZoom = 1.2

    private func extrapolated(_ index: Int) -> PictureMotion {
        if let inside = positions.indices.contains(index) ? positions[index] : nil { return inside }
        let edge = positions[index < 0 ? 0 : positions.count - 1]
        let mirrored = index < 0 ? -index : 2 * (positions.count - 1) - index
        let inner = positions[min(max(mirrored, 0), positions.count - 1)]
        return PictureMotion(
            x: 2 * edge.x - inner.x, y: 2 * edge.y - inner.y, angle: 2 * edge.angle - inner.angle)
    }

    /// The corrections with the largest share of the targets that needs no more zoom than `limit`, all with the same zoom.
    private func limited(
        to limit: Double, targets: (_ share: Double) -> [PictureMotion]
    ) -> [PictureCorrection] {
        func zoom(_ share: Double) -> Double { corrections(to: targets(share)).map(\.zoom).max() ?? 1 }
        var (low, high) = (0.0, 1.0)
        if zoom(high) > limit {
            for _ in 0..<20 {
                let middle = (low + high) / 2
                if zoom(middle) > limit { high = middle } else { low = middle }
            }
        } else {
            low = high
        }
        let found = corrections(to: targets(low))
        let zoom = found.map(\.zoom).max() ?? 1
        return found.map { PictureCorrection($0, zoom: zoom) }
    }

    private func corrections(to targets: [PictureMotion]) -> [PictureCorrection] {
        zip(positions, targets).map { PictureCorrection(from: $0, to: $1, aspect: aspect) }
    }
}

/// Which part of a picture is shown, turned and enlarged to the whole picture. Lengths are in widths of the picture.
package struct PictureCorrection: Sendable, Hashable {
    /// Where the middle of the result is in the picture, from its middle.
    private let x: Double
    private let y: Double
    /// How far the part is turned clockwise, in radians.
    private let angle: Double
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
    fileprivate var isSlight: Bool { abs(x) < 0.0005 && abs(y) < 0.0005 && abs(angle) < 0.0005 }

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

extension PictureMotion {
    /// This position, in units of `unit` pixels, after a motion in pixels.
    fileprivate func followed(by motion: PictureMotion, unit: Double) -> PictureMotion {
        let (cosine, sine) = (cos(motion.angle), sin(motion.angle))
        return PictureMotion(
            x: cosine * x - sine * y + motion.x / unit, y: sine * x + cosine * y + motion.y / unit,
            angle: angle + motion.angle)
    }

    fileprivate func blended(with other: PictureMotion, share: Double) -> PictureMotion {
        PictureMotion(
            x: x + (other.x - x) * share, y: y + (other.y - y) * share, angle: angle + (other.angle - angle) * share)
    }
}
