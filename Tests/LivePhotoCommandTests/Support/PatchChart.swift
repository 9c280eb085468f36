import Foundation
import TestSupport
import Testing

/// How samples lie, read from ffmpeg's name of a planar pixel format: `yuv422p10le`, `gbrp`, `yuva444p`, `gray16le`.
struct PixelLayout {
    let name: String
    let bits: Int
    var isRGB: Bool { name.hasPrefix("gb") }
    var isGray: Bool { name.hasPrefix("gray") }
    var hasAlpha: Bool { name.hasPrefix("yuva") || name.hasPrefix("gbrap") }
    /// How many luma samples share a chroma sample, across and down.
    let chroma: (across: Int, down: Int)

    init(_ name: String) {
        self.name = name
        // yuv 422 p 10 le, but gray 10 le.
        let numbers = name.split { !$0.isNumber }.compactMap { Int($0) }
        bits = name.hasPrefix("yuv") ? numbers.dropFirst().first ?? 8 : numbers.first ?? 8
        chroma =
            switch name.drop(while: \.isLetter).prefix(3) {
            case "420": (2, 2)
            case "422": (2, 1)
            case "411": (4, 1)
            default: (1, 1)
            }
    }
}

/// A picture of flat patches in a grid, row by row, as big as a clip needs them.
struct PatchChart {
    let columns: Int
    let rows: Int
    /// Of a patch, in pixels.
    let width: Int
    let height: Int

    var size: (width: Int, height: Int) { (columns * width, rows * height) }

    init(columns: Int, rows: Int, width: Int = 32, height: Int = 32) {
        (self.columns, self.rows, self.width, self.height) = (columns, rows, width, height)
    }

    /// A clip of two frames, both this picture, coded without loss.
    ///
    /// - Parameters:
    ///   - patches: Y'CbCr or R'G'B' as `layout` wants it, with alpha last; black fills the grid up.
    ///   - tags: parameters of ffmpeg's filter `setparams`, and filters after it; empty for none.
    ///   - coding: options that name the codec.
    func clip(
        _ name: String, _ patches: [SIMD4<Double>], layout: PixelLayout, isFullRange: Bool, tags: String,
        coding: String
    ) throws -> String {
        try SampleClips.make(
            name,
            "-f rawvideo -pixel_format \(layout.name) -video_size \(size.width)x\(size.height)"
                + " -framerate 10 -stream_loop 1 -i patches" + (tags.isEmpty ? "" : " -vf setparams=\(tags)") + " "
                + coding,
            files: ["patches": picture(patches, layout, isFullRange: isFullRange)])
    }

    private func picture(_ patches: [SIMD4<Double>], _ layout: PixelLayout, isFullRange: Bool) -> Data {
        let peak = Double(1 << layout.bits) - 1
        let unit = Double(1 << layout.bits) / 256
        /// The plane of one component.
        func plane(_ component: Int) -> Data {
            let isChroma = !layout.isRGB && (component == 1 || component == 2)
            let share = isChroma ? layout.chroma : (across: 1, down: 1)
            var data = Data()
            for row in 0..<rows {
                let line = stride(from: 0, to: size.width, by: share.across).reduce(into: Data()) { line, column in
                    let index = row * columns + column / width
                    let value = index < patches.count ? patches[index][component] : 0
                    let code =
                        switch (layout.isRGB || component == 3, isFullRange, isChroma) {
                        case (true, _, _), (_, true, false): value * peak
                        case (_, true, true): value * peak + 128 * unit
                        case (_, false, false): (16 + 219 * value) * unit
                        case (_, false, true): (128 + 224 * value) * unit
                        }
                    let sample = Int(min(max(code.rounded(), 0), peak))
                    line.append(UInt8(sample & 0xFF))
                    if layout.bits > 8 { line.append(UInt8(sample >> 8)) }
                }
                for _ in 0..<height / share.down { data += line }
            }
            return data
        }
        let order = layout.isGray ? [0] : layout.isRGB ? [1, 2, 0] : [0, 1, 2]
        return (order + (layout.hasAlpha ? [3] : [])).reduce(into: Data()) { $0 += plane($1) }
    }

    /// The R'G'B' of each patch in the first pictures of photo and movie of a pair of the chart's size: a movie's samples
    /// are BT.709's in limited range, a photo's JFIF's, whatever the files say.
    func patches(of pair: Report) throws -> [(half: String, patches: [RGB])] {
        let folder = try TemporaryFolder()
        // Without a pixel format, ffmpeg writes what it decodes.
        let raw = ["-frames:v", "1", "-f", "rawvideo"]
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-noautorotate", "-i", pair.photo, "-i", pair.movie]
                + ["-map", "0:v"] + raw + [folder.path("photo")] + ["-map", "1:v"] + raw + [folder.path("movie")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try ["photo", "movie"].map { half in
            let samples = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path(half))))
            let means = try means(samples)
            return (
                half,
                means.map { mean in
                    let (luma, chroma) = (mean.x, mean - 128)
                    return half == "photo"
                        ? ColorFormulas.color(RGB(luma, chroma.y, chroma.z) / 255, "bt470bg")
                        : ColorFormulas.color(RGB((luma - 16) / 219, chroma.y / 224, chroma.z / 224), "bt709")
                }
            )
        }
    }

    /// The mean samples of the middle of each patch in a planar picture of 4:2:0 or 4:4:4.
    private func means(_ samples: [UInt8]) throws -> [RGB] {
        let pixels = size.width * size.height
        try #require([pixels * 3, pixels * 3 / 2].contains(samples.count), "\(samples.count) samples")
        let halving = samples.count == pixels * 3 ? 1 : 2
        func mean(_ component: Int, _ index: Int) -> Double {
            let share = component == 0 ? 1 : halving
            let start = component == 0 ? 0 : pixels + (component - 1) * pixels / (share * share)
            let (left, top) = (index % columns * width / share, index / columns * height / share)
            let (width, height) = (width / share, height / share)
            var (sum, count) = (0, 0)
            for row in top + height / 4..<top + height - height / 4 {
                let line = start + row * size.width / share
                for column in left + width / 4..<left + width - width / 4 {
                    sum += Int(samples[line + column])
                    count += 1
                }
            }
            return Double(sum) / Double(count)
        }
        return (0..<columns * rows).map { RGB(mean(0, $0), mean(1, $0), mean(2, $0)) }
    }
}
