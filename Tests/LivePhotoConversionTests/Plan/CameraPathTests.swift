import LivePhotoConversion
import MediaModel
import Testing
import VidStabKit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How pictures are steadied along the path of a camera.
@Suite struct CameraPathTests {
    private static let size = PixelSize(width: 640, height: 480)

    /// The motion of a camera that shakes by some pixels.
    private static func shaking(_ index: Int) -> PictureMotion {
        PictureMotion(
            x: 9 * sin(Double(index) * 2.1), y: 7 * sin(Double(index) * 1.7), angle: 0.004 * sin(Double(index)))
    }

    private static func corrections(_ motions: [PictureMotion]) -> [PictureCorrection] {
        CameraPath(motions, size: size).smoothed(over: 6)
    }

    @Test func `all pictures are enlarged alike, and no more than by a fifth`() {
        for scale in [0.5, 1, 10, 1_000] {
            let motions = (0..<60).map { index in
                let motion = Self.shaking(index)
                return PictureMotion(x: motion.x * scale, y: motion.y * scale, angle: motion.angle * scale)
            }
            let zooms = Set(Self.corrections(motions).map(\.zoom))
            #expect(zooms.count == 1 && zooms.allSatisfy { (1...1.2).contains($0) }, "\(zooms)")
        }
    }

    @Test func `a jolt that cannot be hidden does not end the steadying of what is far from it`() {
        let calm = (0..<90).map { Self.shaking($0) }
        var jolted = calm
        jolted[60].x += 400
        let (before, after) = (Self.corrections(calm), Self.corrections(jolted))
        for index in 0..<20 {
            #expect(abs(before[index].x - after[index].x) < 1e-4 && abs(before[index].y - after[index].y) < 1e-4)
        }
        #expect(before[..<20].contains { abs($0.x) > 0.005 })
        #expect(abs(after[60].x) < 0.12)
    }

    @Test func `a steady pan stays as it is`() {
        let pan = (0..<60).map { _ in PictureMotion(x: -4, y: 1, angle: 0) }
        for correction in Self.corrections(pan) {
            #expect(abs(correction.x) < 1e-6 && abs(correction.y) < 1e-6 && correction.zoom < 1.001)
        }
    }
}
