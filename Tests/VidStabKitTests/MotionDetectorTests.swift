import MediaModel
import Testing
import VidStabKit

// Taylor series suffice, and no C library has to be imported.
func sine(_ x: Double) -> Double {
    let turns = (x / (2 * .pi)).rounded()
    let t = x - turns * 2 * .pi
    var (term, sum) = (t, t)
    for n in 1..<12 {
        term *= -t * t / Double((2 * n) * (2 * n + 1))
        sum += term
    }
    return sum
}

func cosine(_ x: Double) -> Double { sine(x + .pi / 2) }

/// The motion of pictures whose motion is known.
@Suite struct MotionDetectorTests {
    private static let size = PixelSize(width: 320, height: 240)

    /// Smooth texture that is turned by `angle` around the centre and shifted.
    private static func picture(_ motion: PictureMotion) -> [UInt8] {
        (0..<size.height).flatMap { row in
            (0..<size.width).map { column in
                // Back to where it was before the motion.
                let (u, v) = (Double(column) - 160 - motion.x, Double(row) - 120 - motion.y)
                let x = u * cosine(motion.angle) + v * sine(motion.angle)
                let y = -u * sine(motion.angle) + v * cosine(motion.angle)
                let value = sine(x * 0.31 + y * 0.05) + sine(y * 0.27 - x * 0.11) + sine(x * 0.083 * y * 0.07)
                return UInt8(128 + 40 * value)
            }
        }
    }

    @Test(arguments: [(5.0, 0.0, 0.0), (-7, 3, 0), (0, -6, 0), (2, 1, 0.02), (0, 0, -0.03), (0, 0, 0)])
    func `shift and rotation are measured within half a pixel`(x: Double, y: Double, angle: Double) throws {
        let motion = PictureMotion(x: x, y: y, angle: angle)
        let detector = try MotionDetector(size: Self.size, threads: 1)
        #expect(try detector.motion(to: Self.picture(.none)) == .none)
        let found = try detector.motion(to: Self.picture(motion))
        #expect(abs(found.x - x) < 0.5 && abs(found.y - y) < 0.5 && abs(found.angle - angle) < 0.004, "\(found)")
    }

    @Test func `the measured motion is the same each time, with any number of threads`() throws {
        var noise: UInt32 = 1
        let pictures = (0..<4).map { index in
            Self.picture(PictureMotion(x: Double(3 * index), y: Double(-2 * index), angle: 0.01)).map { sample in
                noise = noise &* 1_664_525 &+ 1_013_904_223
                return sample / 2 + UInt8(noise >> 26)
            }
        }
        func motions(threads: Int) throws -> [PictureMotion] {
            let detector = try MotionDetector(size: Self.size, threads: threads)
            return try pictures.map { try detector.motion(to: $0) }
        }
        let expected = try motions(threads: 1)
        for _ in 0..<10 {
            for threads in [2, 4] { #expect(try motions(threads: threads) == expected) }
        }
    }

    @Test func `pictures without texture have no motion`() throws {
        let detector = try MotionDetector(size: Self.size, threads: 2)
        for value in [0, 128, 255] as [UInt8] {
            let picture = [UInt8](repeating: value, count: Self.size.width * Self.size.height)
            #expect(try detector.motion(to: picture) == .none)
        }
    }

    @Test func `pictures that are too small, or of another size, are refused`() throws {
        #expect(throws: VidStabError.self) {
            _ = try MotionDetector(size: PixelSize(width: 100, height: 300), threads: 1)
        }
        let detector = try MotionDetector(size: Self.size, threads: 1)
        #expect(throws: VidStabError.self) { _ = try detector.motion(to: [1, 2, 3]) }
    }
}
