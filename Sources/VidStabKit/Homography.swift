#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where the points of one picture are in another one that shows the same scene: a 3×3 matrix for homogeneous coordinates.
package struct Homography: Sendable, Hashable {
    /// Nine numbers, row by row.
    package let elements: [Double]

    package static let identity = Homography(1, 0, 0, 0, 1, 0, 0, 0, 1)

    init(
        _ e0: Double, _ e1: Double, _ e2: Double, _ e3: Double, _ e4: Double, _ e5: Double, _ e6: Double, _ e7: Double,
        _ e8: Double
    ) {
        elements = [e0, e1, e2, e3, e4, e5, e6, e7, e8]
    }

    /// The motion of what is in a picture whose centre is at (0, 0).
    package init(_ motion: PictureMotion) {
        let (cosine, sine) = (cos(motion.angle), sin(motion.angle))
        self.init(cosine, -sine, motion.x, sine, cosine, motion.y, 0, 0, 1)
    }

    /// Where a point is in the other picture.
    package func mapping(x: Double, y: Double) -> (x: Double, y: Double) {
        let scale = elements[6] * x + elements[7] * y + elements[8]
        return (
            (elements[0] * x + elements[1] * y + elements[2]) / scale,
            (elements[3] * x + elements[4] * y + elements[5]) / scale
        )
    }

    /// First the one on the right, then the one on the left.
    package static func * (left: Homography, right: Homography) -> Homography {
        let (a, b) = (left.elements, right.elements)
        func element(_ row: Int, _ column: Int) -> Double {
            a[row * 3] * b[column] + a[row * 3 + 1] * b[3 + column] + a[row * 3 + 2] * b[6 + column]
        }
        return Homography(
            element(0, 0), element(0, 1), element(0, 2), element(1, 0), element(1, 1), element(1, 2),
            element(2, 0), element(2, 1), element(2, 2))
    }

    /// The same map for coordinates that are multiplied by `scale`, and then increased by `origin`.
    package func changingCoordinates(
        scale: (x: Double, y: Double), origin: (x: Double, y: Double)
    ) -> Homography {
        let there = Homography(scale.x, 0, origin.x, 0, scale.y, origin.y, 0, 0, 1)
        let back = Homography(
            1 / scale.x, 0, -origin.x / scale.x, 0, 1 / scale.y, -origin.y / scale.y, 0, 0, 1)
        return there * self * back
    }

    /// The same map with the determinant 1; nil if it mirrors the picture, flattens it or is not finite.
    package var normalized: Homography? {
        let e = elements
        let determinant =
            e[0] * (e[4] * e[8] - e[5] * e[7]) - e[1] * (e[3] * e[8] - e[5] * e[6])
            + e[2] * (e[3] * e[7] - e[4] * e[6])
        guard determinant.isFinite, determinant > 1e-9 else { return nil }
        let n = e.map { $0 / cbrt(determinant) }
        return Homography(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8])
    }
}
