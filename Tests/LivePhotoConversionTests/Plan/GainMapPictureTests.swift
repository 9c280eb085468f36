import FFmpegKit
import Foundation
import LivePhotoConversion
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct GainMapPictureTests {
    private static let size = PixelSize(width: 5, height: 3)
    private static let half = PixelSize(width: 3, height: 2)

    private func light(_ pixels: [SIMD3<Float>]) throws -> Frame {
        let planes = [1, 2, 0].map { component in
            pixels.flatMap { pixel in withUnsafeBytes(of: pixel[component].bitPattern.littleEndian, Array.init) }
        }
        return try Frame(
            size: Self.size, format: "gbrpf32le",
            color: ColorDescription(primaries: 1, transfer: 8, matrix: 0, isFullRange: true), planes: planes)
    }

    @Test(.seeded) func `luminance is the mean of up to four pixels, black around the picture`() throws {
        var random = SeededGenerator()
        let pixels = (0..<15).map { _ in SIMD3<Float>.random(in: -0.1...4, using: &random) }
        let canvas = PixelSize(width: 8, height: 5)
        let found = try light(pixels).halvedLuminance(
            at: PixelRectangle(x: 1, y: 1, size: Self.size), of: canvas)
        try #require(found.count == 4 * 3)
        for row in 0..<3 {
            for column in 0..<4 {
                var (sum, count) = (0.0, 0.0)
                for y in 2 * row..<min(2 * row + 2, 5) {
                    for x in 2 * column..<min(2 * column + 2, 8) {
                        count += 1
                        guard (1..<6).contains(x), (1..<4).contains(y) else { continue }
                        let pixel = pixels[(y - 1) * 5 + x - 1]
                        sum += 0.2126 * Double(pixel.x) + 0.7152 * Double(pixel.y) + 0.0722 * Double(pixel.z)
                    }
                }
                #expect(abs(Double(found[row * 4 + column]) - sum / count) < 1e-5)
            }
        }
        #expect(throws: LibavError.self) {
            try light(pixels).halvedLuminance(at: PixelRectangle(size: canvas), of: canvas)
        }
    }

    @Test(.seeded) func `both statements about a map give back the HDR light from its rendering`() throws {
        var random = SeededGenerator()
        let sdr = (0..<600).map { _ in Float.random(in: 0.0001...1, using: &random) }
        let hdr = sdr.map { $0 * exp2(.random(in: -1.4...2.3, using: &random)) }
        let map = GainMapPicture(PixelSize(width: 30, height: 20), hdr: hdr, sdr: sdr)
        let parameters = map.parameters
        let headroom = parameters.alternateHeadroom
        #expect(parameters.maximum == headroom && parameters.minimum < -1)
        for index in sdr.indices {
            let (base, light) = (Double(sdr[index]), Double(hdr[index]))
            let share = pow(Double(map.samples[index]) / 255, 1 / parameters.gamma)
            let gain = parameters.minimum + (parameters.maximum - parameters.minimum) * share
            let found = (base + parameters.baseOffset) * exp2(gain) - parameters.alternateOffset
            // Half a step of 255 in less than four stops.
            #expect(abs(log2((found + 0.001) / (light + 0.001))) < 0.0075)

            let signal = Double(map.appleSamples[index]) / 255
            let linear = signal < 0.081 ? signal / 4.5 : pow((signal + 0.099) / 1.099, 1 / 0.45)
            let factor = 1 + (exp2(headroom) - 1) * linear
            #expect(abs(log2(factor / max((light + 0.001) / (base + 0.001), 1))) < 0.03)
        }
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, -1, 3e38]) func `light of any value makes a valid map`(
        light: Float
    ) {
        let map = GainMapPicture(Self.half, hdr: [light, 0, 1, 2, 3, 4], sdr: [0, light, 1, 1, 1, 1])
        #expect(map.samples.count == 6 && map.appleSamples.count == 6)
        #expect(map.parameters.maximum.isFinite && map.parameters.minimum <= map.parameters.maximum)
    }

    @Test func `a map without gain is valid`() {
        let black = [Float](repeating: 0, count: 6)
        let map = GainMapPicture(Self.half, hdr: black, sdr: black)
        #expect(map.samples == [0, 0, 0, 0, 0, 0] && map.appleSamples == map.samples)
        #expect(map.parameters.minimum == 0 && map.parameters.maximum == 0 && map.parameters.alternateHeadroom == 0.01)
    }
}
