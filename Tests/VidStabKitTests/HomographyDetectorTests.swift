import MediaModel
import Testing
import VidStabKit

/// The motion of pictures, each of which shows the same scene from another place.
@Suite struct HomographyDetectorTests {
    private static let size = PixelSize(width: 320, height: 240)
    private static let corners = [(-150.0, -110.0), (150, -110), (-150, 110), (150, 110), (0, 0)]

    /// Zoom by `zoom` and rotation by `angle` around the centre, then a shift; `tilt` enlarges the right side.
    struct Move: CustomTestStringConvertible {
        var x = 0.0
        var y = 0.0
        var angle = 0.0
        var zoom = 1.0
        var tilt = 0.0

        /// Where a point of the scene is in the picture.
        func place(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
            let scale = zoom / (1 - tilt * x)
            return (
                (cosine(angle) * x - sine(angle) * y) * scale + self.x,
                (sine(angle) * x + cosine(angle) * y) * scale + self.y
            )
        }

        /// The point of the scene that is seen at a place.
        func point(at x: Double, _ y: Double) -> (x: Double, y: Double) {
            var point = (x: x, y: y)
            for _ in 0..<4 {
                let found = place(point.x, point.y)
                point = (point.x + (x - found.x) * 0.9, point.y + (y - found.y) * 0.9)
            }
            return point
        }

        var testDescription: String { "shift (\(x), \(y)), angle \(angle), zoom \(zoom), tilt \(tilt)" }
    }

    private static func picture(_ move: Move, blockAt block: Int? = nil) -> [UInt8] {
        (0..<size.height).flatMap { row in
            (0..<size.width).map { column in
                if let block, (block..<block + 70).contains(column), (60..<130).contains(row) {
                    return UInt8(truncatingIfNeeded: (column - block) &* 37 ^ row &* 11)
                }
                let (x, y) = move.point(at: Double(column) - 159.5, Double(row) - 119.5)
                let value = sine(x * 0.31 + y * 0.05) + sine(y * 0.27 - x * 0.11) + sine(x * 0.083 * y * 0.07)
                return UInt8(128 + 40 * value)
            }
        }
    }

    @Test(arguments: [
        Move(), Move(x: 5.4, y: -2.3), Move(x: 0.4), Move(y: 0.5), Move(angle: 0.02), Move(x: 2, angle: -0.013),
        Move(zoom: 1.02), Move(x: -1.5, y: 3.25, zoom: 0.985), Move(x: 3, tilt: 0.0001),
    ])
    func `shift, rotation, zoom and tilt are measured within a quarter of a pixel`(_ move: Move) throws {
        let detector = try HomographyDetector(size: Self.size)
        #expect(try detector.homography(to: Self.picture(Move())) == .identity)
        let found = try detector.homography(to: Self.picture(move))
        for (x, y) in Self.corners {
            let (expected, measured) = (move.place(x, y), found.mapping(x: x, y: y))
            #expect(
                abs(measured.x - expected.x) < 0.25 && abs(measured.y - expected.y) < 0.25,
                "(\(x), \(y)): \(measured), not \(expected)")
        }
    }

    @Test func `what moves by itself is no motion of the camera`() throws {
        let detector = try HomographyDetector(size: Self.size)
        let move = Move(x: 1.5, y: 0.5)
        _ = try detector.homography(to: Self.picture(Move(), blockAt: 100))
        let found = try detector.homography(to: Self.picture(move, blockAt: 106))
        for (x, y) in Self.corners {
            let (expected, measured) = (move.place(x, y), found.mapping(x: x, y: y))
            #expect(abs(measured.x - expected.x) < 0.3 && abs(measured.y - expected.y) < 0.3, "\(measured)")
        }
    }

    @Test func `pictures without texture, and before and after a cut, have no motion`() throws {
        let detector = try HomographyDetector(size: Self.size)
        for value in [0, 128, 255] as [UInt8] {
            let flat = [UInt8](repeating: value, count: Self.size.width * Self.size.height)
            #expect(try detector.homography(to: flat) == .identity)
        }
        let noise = (0..<Self.size.width * Self.size.height).map {
            UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 13)
        }
        _ = try detector.homography(to: Self.picture(Move()))
        #expect(try detector.homography(to: noise) == .identity)
    }

    @Test func `homographies follow one another and keep their meaning in other coordinates`() throws {
        let turn = Homography(PictureMotion(x: 3, y: -2, angle: 0.1))
        let shift = Homography(PictureMotion(x: 10, y: 20, angle: 0))
        let (first, then) = (turn.mapping(x: 5, y: 7), shift.mapping(x: 1, y: 1))
        let both = (shift * turn).mapping(x: 5, y: 7)
        #expect(abs(both.x - first.x - 10) < 1e-9 && abs(both.y - first.y - 20) < 1e-9 && then == (11, 21))
        let moved = turn.changingCoordinates(scale: (2, 2), origin: (100, 50))
        let (place, expected) = (moved.mapping(x: 110, y: 64), (first.x * 2 + 100, first.y * 2 + 50))
        #expect(abs(place.x - expected.0) < 1e-9 && abs(place.y - expected.1) < 1e-9)
        let doubled = Homography(PictureMotion.none).changingCoordinates(scale: (3, 3), origin: (1, 1)).normalized
        #expect(doubled?.elements.map { ($0 * 1e9).rounded() / 1e9 } == Homography.identity.elements)
    }
}
