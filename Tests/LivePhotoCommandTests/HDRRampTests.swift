import Foundation
import TestSupport
import Testing

@Suite struct HDRRampTests {
    /// HEVC, as cameras record HDR; also with the mastering display and the light levels of HDR10.
    private static let hevc = "-c:v libx265 -preset ultrafast -x265-params lossless=1:log-level=none:repeat-headers=1"
    private static let mastered =
        hevc + ":hdr10=1:max-cll=1000,400"
        + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"

    @Test(
        arguments: [
            ("smpte2084", "-c:v ffv1", "mkv"), ("smpte2084", hevc, "mov"), ("smpte2084", mastered, "mp4"),
            ("arib-std-b67", "-c:v ffv1", "mkv"), ("arib-std-b67", hevc, "mp4"), ("arib-std-b67", mastered, "mov"),
        ])
    func `grays of HDR stay gray and in order up to 1,000 candela, and diffuse white is near white`(
        transfer: String, coding: String, ending: String
    ) throws {
        // In cd/m².
        let luminances = [0.0, 1, 2, 5, 10, 20, 40, 70, 100, 150, 203, 300, 400, 600, 800, 1000]
        let signal = transfer == "smpte2084" ? ColorFormulas.pq : ColorFormulas.hlg
        let chart = PatchChart(columns: 4, rows: 4)
        let clip = try chart.clip(
            "ramp-\(transfer)-\(coding.count).\(ending)", luminances.map { SIMD4(signal($0), 0, 0, 1) },
            layout: PixelLayout("yuv420p10le"), isFullRange: false,
            tags: "colorspace=bt2020nc:color_primaries=bt2020:color_trc=\(transfer):range=tv",
            coding: coding + " -pix_fmt +yuv420p10le")

        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        for (half, found) in try chart.patches(of: report) {
            for (luminance, color) in zip(luminances, found) {
                let lab = ColorFormulas.lab(color)
                #expect(hypot(lab.y, lab.z) <= 2, "\(luminance) cd/m² is \(color) in the \(half)")
            }
            let brightness = found.map { ColorFormulas.luma($0, "bt709").x }
            for (darker, brighter) in zip(brightness, brightness.dropFirst()) {
                #expect(brighter > darker, "\(brightness)")
            }
            #expect((0.80...0.95).contains(brightness[10]), "203 cd/m² is \(brightness[10])")
            #expect(brightness[15] - brightness[13] > 0.01, "1,000 cd/m² is \(brightness[15]), 600 \(brightness[13])")
        }
    }
}
