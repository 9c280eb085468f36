package import MediaModel

/// Measures where the points of each picture of a series are in the next one: vid.stab finds small fields again in whole
/// pixels, a comparison of their samples adds the fractions, and a homography is fitted to most of them.
package final class HomographyDetector {
    private let size: PixelSize
    private let detector: MotionDetector
    private var previous: [UInt8] = []

    /// The fewest fields to which a homography is fitted; from fewer, only shift and rotation are known.
    private static let fewestFields = 8
    /// In pixels.
    private static let precision = 0.5

    /// - Parameter size: of all pictures; at least `MotionDetector.shortestEdge`.
    package init(size: PixelSize) throws(VidStabError) {
        self.size = size
        // More threads would compete with the encoders, which use all cores.
        detector = try MotionDetector(size: size, threads: 1)
    }

    /// Where the points of the picture before are in this one, in pixels from the picture's centre; the identity for the
    /// first picture, and for pictures that have nothing in common.
    ///
    /// - Parameter luma: row after row without gaps.
    package func homography(to luma: [UInt8]) throws(VidStabError) -> Homography {
        let (motion, fields) = try detector.measure(luma)
        defer { previous = luma }
        guard previous.count == luma.count else { return .identity }
        let unit = Double(size.longEdge) / 2
        let (centerX, centerY) = (Double(size.width - 1) / 2, Double(size.height - 1) / 2)
        let pairs = fields.compactMap { field -> HomographyFit.PointPair? in
            let search = FieldSearch(field, in: size)
            guard let found = search.offset(from: luma, to: previous) else { return nil }
            let (x, y) = (Double(field.x) - centerX, Double(field.y) - centerY)
            return HomographyFit.PointPair(
                from: ((x + found.x) / unit, (y + found.y) / unit), to: (x / unit, y / unit))
        }
        let start = Homography(motion)
        guard pairs.count >= Self.fewestFields else { return start }
        let scaled = start.changingCoordinates(scale: (1 / unit, 1 / unit), origin: (0, 0))
        let fit = HomographyFit(pairs, start: scaled, precision: Self.precision / unit)
        return fit.homography?.changingCoordinates(scale: (unit, unit), origin: (0, 0)).normalized ?? .identity
    }
}

/// Finds the place of a field in the picture before to a fraction of a pixel: by the method of Lucas and Kanade, from the
/// place in whole pixels.
private struct FieldSearch {
    private let field: MeasuredField
    private let size: PixelSize
    /// Half of the edge of the square that is compared.
    private let reach: Int

    private static let longestReach = 15
    private static let rounds = 4
    /// How far the place may be from that in whole pixels.
    private static let farthest = 1.5
    /// Of each pixel, in squares of code values: where there are edges of one direction only, it keeps the place along them.
    private static let damping = 0.5

    init(_ field: MeasuredField, in size: PixelSize) {
        (self.field, self.size) = (field, size)
        reach = min(field.size / 2, Self.longestReach)
    }

    /// How far to the right and down the field was in the picture before; nil if it was at its edge.
    func offset(from picture: [UInt8], to previous: [UInt8]) -> (x: Double, y: Double)? {
        let (picture, previous) = (picture.span, previous.span)
        let margin = reach + 3
        let start = (x: field.x + field.offset.x, y: field.y + field.offset.y)
        guard contains(field.x, field.y, margin), contains(start.x, start.y, margin) else { return nil }
        let (slopes, matrix) = slopes(picture)
        let determinant = matrix.xx * matrix.yy - matrix.xy * matrix.xy
        var (dx, dy) = (0.0, 0.0)
        for _ in 0..<Self.rounds {
            var (sumX, sumY) = (0.0, 0.0)
            let (wholeX, wholeY) = (Int(dx.rounded(.down)), Int(dy.rounded(.down)))
            let (partX, partY) = (dx - Double(wholeX), dy - Double(wholeY))
            var index = 0
            for row in -reach...reach {
                var place = (start.y + row + wholeY) * size.width + start.x - reach + wholeX
                var own = (field.y + row) * size.width + field.x - reach
                for _ in -reach...reach {
                    let upper = Double(previous[place]) * (1 - partX) + Double(previous[place + 1]) * partX
                    let lower =
                        Double(previous[place + size.width]) * (1 - partX)
                        + Double(previous[place + size.width + 1]) * partX
                    let difference = upper * (1 - partY) + lower * partY - Double(picture[own])
                    sumX += slopes[index].x * difference
                    sumY += slopes[index].y * difference
                    index += 1
                    place += 1
                    own += 1
                }
            }
            dx -= (matrix.yy * sumX - matrix.xy * sumY) / determinant
            dy -= (matrix.xx * sumY - matrix.xy * sumX) / determinant
            // No part of the picture moves like that; vid.stab found another place.
            guard abs(dx) <= Self.farthest, abs(dy) <= Self.farthest else { return nil }
        }
        return (Double(field.offset.x) + dx, Double(field.offset.y) + dy)
    }

    private func contains(_ x: Int, _ y: Int, _ margin: Int) -> Bool {
        (margin..<size.width - margin).contains(x) && (margin..<size.height - margin).contains(y)
    }

    /// The slopes of the samples around the field's centre, row by row, and the sums of their products.
    private func slopes(
        _ picture: Span<UInt8>
    ) -> (slopes: [(x: Double, y: Double)], matrix: (xx: Double, xy: Double, yy: Double)) {
        var slopes: [(x: Double, y: Double)] = []
        let edge = 2 * reach + 1
        slopes.reserveCapacity(edge * edge)
        let damping = Self.damping * Double(edge * edge)
        var matrix = (xx: damping, xy: 0.0, yy: damping)
        for row in field.y - reach...field.y + reach {
            for place in row * size.width + field.x - reach...row * size.width + field.x + reach {
                let x = (Double(picture[place + 1]) - Double(picture[place - 1])) / 2
                let y = (Double(picture[place + size.width]) - Double(picture[place - size.width])) / 2
                matrix.xx += x * x
                matrix.xy += x * y
                matrix.yy += y * y
                slopes.append((x, y))
            }
        }
        return (slopes, matrix)
    }
}
