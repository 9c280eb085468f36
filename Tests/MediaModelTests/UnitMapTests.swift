import MediaModel
import Testing

@Suite struct UnitMapTests {
    @Test(arguments: [
        (Orientation.upright, 0.2, 0.1), (.mirrored, 0.8, 0.1), (.rotated180, 0.8, 0.9), (.flipped, 0.2, 0.9),
        (.transposed, 0.1, 0.2), (.rotated90Clockwise, 0.9, 0.2), (.antitransposed, 0.9, 0.8),
        (.rotated90Counterclockwise, 0.1, 0.8),
    ])
    func `a point goes where its orientation turns it, and back`(orientation: Orientation, x: Double, y: Double) {
        let map = UnitMap(orientation)
        let place = map.place(0.2, 0.1)
        #expect(abs(place.x - x) < 1e-9 && abs(place.y - y) < 1e-9, "\(place)")
        #expect(map.then(UnitMap(orientation.inverse)).isIdentity)
        #expect(map.turns == (orientation != .upright))
    }

    @Test func `a part of a picture becomes all of it, and what is outside is left out`() throws {
        let part = UnitBox(
            PixelRectangle(x: 20, y: 10, size: PixelSize(width: 40, height: 20)), of: PixelSize(width: 80, height: 40))
        let map = UnitMap(from: part, to: UnitBox())
        #expect(map.place(part) == UnitBox())
        let box = try #require(map.place(UnitBox(left: 0, top: 0.5, right: 0.5, bottom: 0.6)).insidePicture)
        #expect(box.left == 0 && abs(box.right - 0.5) < 1e-9 && abs(box.top - 0.5) < 1e-9)
        #expect(map.place(UnitBox(left: 0, top: 0, right: 0.25, bottom: 1)).insidePicture == nil)
    }

    @Test func `a straightened picture turns clockwise around its middle`() {
        let size = PixelSize(width: 200, height: 100)
        let map = UnitMap(turning: .pi / 2, enlarging: 1, in: size)
        // 50 pixels right of the middle become 50 below it.
        let place = map.place(0.75, 0.5)
        #expect(abs(place.x - 0.5) < 1e-9 && abs(place.y - 1) < 1e-9, "\(place)")
        let larger = UnitMap(turning: 0, enlarging: 2, in: size).place(0.75, 0.25)
        #expect(abs(larger.x - 1) < 1e-9 && abs(larger.y) < 1e-9)
    }
}
