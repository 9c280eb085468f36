/// How a stored picture must be rotated or mirrored to be displayed upright. Raw values are those of Exif's Orientation
/// tag (CIPA DC-008, tag 0x0112).
package enum Orientation: Int, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case rotated180 = 3
    case flipped = 4
    case transposed = 5
    case rotated90Clockwise = 6
    case antitransposed = 7
    case rotated90Counterclockwise = 8

    /// Whether the displayed width is the stored height.
    package var swapsAxes: Bool { rawValue >= 5 }

    /// The orientation of a display matrix's upper left 2×2 part, without its scale: a point (x, y) of the stored
    /// picture is displayed at (a·x + c·y, b·x + d·y), x to the right and y down (QuickTime File Format, "Matrices").
    ///
    /// Nil for a matrix that rotates by other angles than multiples of 90°.
    package init?(a: Double, b: Double, c: Double, d: Double) {
        let largest = max(abs(a), abs(b), abs(c), abs(d))
        guard largest > 0, largest.isFinite else { return nil }
        func sign(_ value: Double) -> Int { abs(value) < largest / 1000 ? 0 : (value > 0 ? 1 : -1) }
        let signs = (sign(a), sign(b), sign(c), sign(d))
        guard let match = Self.allCases.first(where: { $0.matrix == signs }) else { return nil }
        self = match
    }

    /// The display matrix (a, b, c, d), of -1, 0 and 1.
    package var matrix: (a: Int, b: Int, c: Int, d: Int) {
        switch self {
        case .upright: (1, 0, 0, 1)
        case .mirrored: (-1, 0, 0, 1)
        case .rotated180: (-1, 0, 0, -1)
        case .flipped: (1, 0, 0, -1)
        case .transposed: (0, 1, 1, 0)
        case .rotated90Clockwise: (0, 1, -1, 0)
        case .antitransposed: (0, -1, -1, 0)
        case .rotated90Counterclockwise: (0, -1, 1, 0)
        }
    }

    /// The orientation of a picture that is shown in this one, and then turned or mirrored again.
    package func followed(by next: Orientation) -> Orientation {
        let (first, second) = (matrix, next.matrix)
        let product = (
            second.a * first.a + second.c * first.b, second.b * first.a + second.d * first.b,
            second.a * first.c + second.c * first.d, second.b * first.c + second.d * first.d
        )
        return Self.allCases.first { $0.matrix == product } ?? self
    }

    /// The orientation that undoes this one.
    package var inverse: Orientation { Self.allCases.first { followed(by: $0) == .upright } ?? self }
}
