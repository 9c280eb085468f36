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
        return limited(towards: targets, reach: max(Int(frames.rounded()), 1))
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

    /// The corrections towards the targets that need no more zoom than `longestZoom`, all with the same zoom. Where they would
    /// need more, pictures go only a part of the way, and less and less of it around that place.
    ///
    /// - Parameter reach: in frames, on each side.
    private func limited(towards targets: [PictureMotion], reach: Int) -> [PictureCorrection] {
        func correction(_ index: Int, _ share: Double) -> PictureCorrection {
            PictureCorrection(
                from: positions[index], to: positions[index].blended(with: targets[index], share: share),
                aspect: aspect)
        }
        let limits = positions.indices.map { index in
            largestShare { correction(index, $0).zoom <= Self.longestZoom }
        }
        // The mean of the lowest ones around changes slowly, and is nowhere above a limit.
        func around(_ index: Int, _ values: [Double]) -> ArraySlice<Double> {
            values[max(index - reach, 0)...min(index + reach, values.count - 1)]
        }
        let lowest = limits.indices.map { around($0, limits).min() ?? limits[$0] }
        let shares = limits.indices.map { index in
            around(index, lowest).reduce(0, +) / Double(around(index, lowest).count)
        }
        let found = shares.indices.map { correction($0, shares[$0]) }
        let zoom = min(found.map(\.zoom).max() ?? 1, Self.longestZoom)
        return found.map { PictureCorrection($0, zoom: zoom) }
    }

    /// The largest share from 0 to 1 that fits.
    private func largestShare(_ fits: (Double) -> Bool) -> Double {
        if fits(1) { return 1 }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<20 {
            let middle = (low + high) / 2
            if fits(middle) { low = middle } else { high = middle }
        }
        return low
    }

    private func corrections(to targets: [PictureMotion]) -> [PictureCorrection] {
        zip(positions, targets).map { PictureCorrection(from: $0, to: $1, aspect: aspect) }
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
