import FFmpegKit
import MediaModel
import TestSupport
import Testing

@Suite struct ToneMapperTests {
    private static let size = PixelSize(width: 61, height: 40)

    /// libswscale's conversion to 16 bits is not exact.
    private static let tolerance = 8

    /// A picture of linear light.
    private static func picture(_ pixels: [SIMD3<Float>]) throws -> Frame {
        let planes = [1, 2, 0].map { component in
            pixels.flatMap { pixel in withUnsafeBytes(of: pixel[component].bitPattern.littleEndian, Array.init) }
        }
        return try Frame(
            size: size, format: "gbrpf32le",
            color: ColorDescription(primaries: 1, transfer: 8, matrix: 0, isFullRange: true), planes: planes)
    }

    /// Red, green and blue of all pixels, from 0 to 65535.
    private static func values(_ picture: Frame, _ filters: String = "null") throws -> [[Int]] {
        let graph = try FilterGraph("\(filters),format=rgb48le", like: picture, threads: 1)
        try graph.send(picture)
        let bytes = try #require(try graph.receive()).packedPixels()
        let words = stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        return stride(from: 0, to: words.count, by: 3).map { Array(words[$0..<$0 + 3]) }
    }

    private static let curves: [(ToneCurve, String)] = [
        (.mobius(linearTo: 0.3), "mobius:param=0.3"), (.reinhard(0.5), "reinhard:param=0.5"), (.hable, "hable"),
        (.clip, "clip"),
    ]

    @Test(.seeded, arguments: curves) func `light is compressed as libavfilter's tonemap does`(
        curve: ToneCurve, name: String
    ) throws {
        var random = SeededGenerator()
        let pixels = (0..<Self.size.width * Self.size.height).map { index in
            // Also black, white and what is above the peak.
            index < 12 ? SIMD3<Float>(repeating: Float(index)) : .random(in: 0...Float(index % 11), using: &random)
        }
        let picture = try Self.picture(pixels)
        let expected = try Self.values(picture, "tonemap=\(name):desat=0:peak=10")
        let found = try Self.values(ToneMapper(curve).map(picture))
        let worst = zip(expected.joined(), found.joined()).map { abs($0 - $1) }.max()
        #expect(try #require(worst) <= Self.tolerance)
    }

    @Test(arguments: curves) func `colours outside of BT.709 keep hue and luminance`(curve: ToneCurve, _: String) throws
    {
        let colors: [SIMD3<Float>] = [[0.6, -0.05, 0.02], [-0.2, 0.7, 0.1], [0.05, -0.01, 2], [-0.5, 0.1, 0.1]]
        let pixels = (0..<Self.size.width * Self.size.height).map { colors[$0 % colors.count] }
        let mapped = try Self.values(ToneMapper(curve).map(Self.picture(pixels)))
        for (color, found) in zip(colors, mapped) {
            let largest = color.max()
            // The curve, by a gray pixel as bright as the largest component.
            let gray = try Self.values(
                ToneMapper(curve).map(Self.picture(pixels.map { _ in SIMD3(repeating: largest) })))[0][0]
            let scaled = color * (Float(gray) / 65_535 / largest)
            let luminance = (scaled * [0.2126, 0.7152, 0.0722]).sum()
            let result = SIMD3(Float(found[0]), Float(found[1]), Float(found[2])) / 65_535
            #expect(abs((result * [0.2126, 0.7152, 0.0722]).sum() - max(luminance, 0)) < 1e-4, "\(color): \(result)")
            #expect(abs(result.min()) < 1e-4, "\(color): \(result)")
            // The differences from gray keep their ratios.
            let (before, after) = (scaled - luminance, result - luminance)
            if luminance > 0 { #expect(abs(before.x * after.y - before.y * after.x) < 1e-4, "\(color): \(result)") }
        }
    }

    @Test func `pictures that are still in use are not changed`() throws {
        let mapper = ToneMapper(.clip)
        let count = Self.size.width * Self.size.height
        let first = try mapper.map(Self.picture([SIMD3<Float>](repeating: [0.1, 0.2, 0.3], count: count)))
        let second = try mapper.map(Self.picture([SIMD3<Float>](repeating: [0.6, 0.5, 0.4], count: count)))
        for (picture, expected) in [(first, [6554, 13_107, 19_661]), (second, [39_321, 32_768, 26_214])] {
            let found = try Self.values(picture)[count - 1]
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= Self.tolerance }, "\(found)")
        }
    }
}
