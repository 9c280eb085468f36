#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A map from one picture to another. Coordinates are fractions of a picture's width and height, from the left and from
/// the top.
package struct UnitMap: Sendable, Hashable {
    // A point (x, y) goes to (a·x + c·y + left, b·x + d·y + top).
    private var (a, b, c, d, left, top) = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

    /// Every point stays.
    package init() {}

    /// Turns and mirrors the picture.
    package init(_ orientation: Orientation) {
        let matrix = orientation.matrix
        (a, b, c, d) = (Double(matrix.a), Double(matrix.b), Double(matrix.c), Double(matrix.d))
        (left, top) = (0.5 - (a + c) / 2, 0.5 - (b + d) / 2)
    }

    /// Moves a rectangle's corners to those of another one.
    package init(from old: UnitBox, to new: UnitBox) {
        (a, d) = (new.width / max(old.width, 1e-9), new.height / max(old.height, 1e-9))
        (left, top) = (new.left - old.left * a, new.top - old.top * d)
    }

    /// Turns a picture of this size clockwise around its middle and enlarges it; its size stays.
    package init(turning radians: Double, enlarging scale: Double, in size: PixelSize) {
        let aspect = Double(max(size.width, 1)) / Double(max(size.height, 1))
        (a, b) = (scale * cos(radians), scale * sin(radians) * aspect)
        (c, d) = (-scale * sin(radians) / aspect, scale * cos(radians))
        (left, top) = (0.5 - (a + c) / 2, 0.5 - (b + d) / 2)
    }

    /// This map, and then another one.
    package func then(_ next: UnitMap) -> UnitMap {
        var both = UnitMap()
        (both.a, both.b) = (next.a * a + next.c * b, next.b * a + next.d * b)
        (both.c, both.d) = (next.a * c + next.c * d, next.b * c + next.d * d)
        let origin = next.place(left, top)
        (both.left, both.top) = (origin.x, origin.y)
        return both
    }

    package func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (a * x + c * y + left, b * x + d * y + top)
    }

    /// The smallest upright rectangle around what a rectangle becomes.
    package func place(_ box: UnitBox) -> UnitBox {
        let corners = [
            place(box.left, box.top), place(box.right, box.top), place(box.left, box.bottom),
            place(box.right, box.bottom),
        ]
        let (columns, rows) = (corners.map(\.x), corners.map(\.y))
        return UnitBox(
            left: columns.min() ?? 0, top: rows.min() ?? 0, right: columns.max() ?? 1, bottom: rows.max() ?? 1)
    }

    package var isIdentity: Bool {
        zip([a, b, c, d, left, top], [1, 0, 0, 1, 0, 0]).allSatisfy { abs($0 - $1) < 1e-6 }
    }

    /// Whether pictures are turned or mirrored.
    package var turns: Bool { a <= 0 || d <= 0 || abs(b) > 1e-6 || abs(c) > 1e-6 }
}

/// A rectangle whose edges are fractions of a picture's width and height.
package struct UnitBox: Sendable, Hashable {
    package var (left, top, right, bottom) = (0.0, 0.0, 1.0, 1.0)
    package var width: Double { right - left }
    package var height: Double { bottom - top }

    package init(left: Double, top: Double, right: Double, bottom: Double) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// The whole picture.
    package init() {}

    /// A part of a picture of this size.
    package init(_ part: PixelRectangle, of size: PixelSize) {
        let (width, height) = (Double(max(size.width, 1)), Double(max(size.height, 1)))
        self.init(
            left: Double(part.x) / width, top: Double(part.y) / height, right: Double(part.x + part.width) / width,
            bottom: Double(part.y + part.height) / height)
    }

    /// The part of it that is in the picture; nil if none is.
    package var insidePicture: UnitBox? {
        let box = UnitBox(
            left: max(left, 0), top: max(top, 0), right: min(right, 1), bottom: min(bottom, 1))
        return box.width > 1e-6 && box.height > 1e-6 ? box : nil
    }
}
