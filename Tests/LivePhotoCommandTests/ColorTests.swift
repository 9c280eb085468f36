import Foundation
import TestSupport
import Testing

@Suite struct ColorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// ffmpeg's name of the planar pixel format that the samples are written in.
        let format: String
        /// ffmpeg's names of what the samples mean.
        var matrix = "bt709"
        var primaries = "bt709"
        var transfer = "bt709"
        var isFullRange = false
        var isTagged = true
        var coding = "-c:v ffv1"
        var ending = "mkv"
        /// The packed format in which the clip holds the same samples, where it is not `format`.
        var stored: String?
        var patch = (32, 32)
        var testDescription: String {
            "\(stored ?? format) \(matrix) \(primaries)\(isFullRange ? " full" : "")\(isTagged ? "" : " untagged")"
        }

        /// RGB in full range.
        static func rgb(
            _ format: String, _ primaries: String = "bt709", tagged: Bool = true, coding: String = "-c:v ffv1",
            ending: String = "mkv", as stored: String? = nil
        ) -> Case {
            Case(
                format: format, matrix: "gbr", primaries: primaries, transfer: "iec61966-2-1", isFullRange: true,
                isTagged: tagged, coding: coding, ending: ending, stored: stored)
        }
    }

    /// R'G'B' of BT.709: grays, primaries, what is nearly as saturated, skin, and muted colours.
    private static let colors: [RGB] = [
        RGB(0, 0, 0), RGB(0.05, 0.05, 0.05), RGB(0.2, 0.2, 0.2), RGB(0.5, 0.5, 0.5), RGB(0.8, 0.8, 0.8), RGB(1, 1, 1),
        RGB(1, 0, 0), RGB(0, 1, 0), RGB(0, 0, 1), RGB(0.8, 0.2, 0.2), RGB(0.25, 0.75, 0.2), RGB(0.2, 0.25, 0.8),
        RGB(0.9, 0.85, 0.2), RGB(0.2, 0.7, 0.75), RGB(0.7, 0.25, 0.6), RGB(0.95, 0.5, 0.15), RGB(0.82, 0.62, 0.52),
        RGB(0.45, 0.32, 0.26), RGB(0.55, 0.6, 0.5), RGB(0.4, 0.35, 0.5),
    ]

    @Test(arguments: [
        Case(format: "yuv420p"), Case(format: "yuv422p"), Case(format: "yuv444p"),
        Case(format: "yuv420p10le"), Case(format: "yuv422p10le"),
        Case(format: "yuv444p16le"),
        Case(format: "yuv444p", coding: "-c:v libx264 -qp 0", ending: "mp4"),
        Case(format: "yuv420p", matrix: "smpte170m", primaries: "smpte170m", transfer: "smpte170m"),
        Case(format: "yuv411p", matrix: "smpte170m", primaries: "smpte170m", transfer: "smpte170m"),
        Case(format: "yuv420p", matrix: "bt470bg", primaries: "bt470bg", transfer: "smpte170m"),
        Case(format: "yuv422p", matrix: "bt470bg", primaries: "bt709"),
        Case(format: "yuv420p", matrix: "smpte240m"), Case(format: "yuv420p", matrix: "fcc"),
        Case(format: "yuv420p10le", matrix: "bt2020nc", primaries: "bt2020", transfer: "bt2020-10"),
        Case(format: "yuv444p12le", matrix: "bt2020nc", primaries: "bt2020", transfer: "bt2020-12"),
        Case(format: "yuv420p10le", primaries: "smpte432"),
        // FFV1 cannot say that its range is full.
        Case(format: "yuv420p", isFullRange: true, coding: "-c:v libx264 -qp 0"),
        Case(format: "yuv422p10le", isFullRange: true, coding: "-c:v libx264 -qp 0"),
        Case(format: "yuvj420p", isFullRange: true, coding: "-c:v libx264 -qp 0", ending: "mp4"),
        Case(format: "yuv420p", matrix: "smpte170m", isTagged: false),
        Case(format: "yuv420p", isTagged: false, patch: (256, 180)),
        .rgb("gbrp16le"), .rgb("gbrp12le", "smpte432"),
        .rgb("gbrp", tagged: false, as: "bgr0"),
        .rgb("gbrp", tagged: false, coding: "-c:v rawvideo", ending: "nut", as: "rgb24"),
        .rgb("gbrp", "smpte432", coding: "-c:v png", ending: "mov", as: "rgb24"),
        .rgb("gbrp", coding: "-c:v libx264rgb -qp 0", ending: "mp4", as: "bgr24"),
        Case(format: "gray", isFullRange: true, coding: "-c:v libx264 -qp 0"), Case(format: "gray"),
        Case(format: "gray10le", isFullRange: true, coding: "-c:v libx264 -qp 0"),
        Case(format: "gray16le"),
        // Alpha is laid over black.
        Case(format: "yuva420p"), Case(format: "yuva444p10le"), .rgb("gbrap10le"),
        .rgb("gbrap", tagged: false, coding: "-c:v png", ending: "mov", as: "rgba"),
    ])
    func `colours come out as they went in, in the photo and in the movie`(test: Case) throws {
        let layout = PixelLayout(test.format)
        let chart = PatchChart(columns: 5, rows: 4, width: test.patch.0, height: test.patch.1)
        var (patches, expected): ([SIMD4<Double>], [RGB]) = ([], [])
        for (index, color) in Self.colors.enumerated() {
            var coded = ColorFormulas.fromBT709(color, to: test.primaries)
            // What other primaries do not have, their clips do not hold.
            guard coded.min() > -1e-6 && coded.max() < 1 + 1e-6 else { continue }
            let alpha = layout.hasAlpha ? [1, 0.5, 0.25][index % 3] : 1
            if !layout.isRGB { coded = ColorFormulas.luma(coded, test.matrix) }
            patches.append(SIMD4(coded, alpha))
            expected.append((layout.isGray ? RGB(repeating: coded.x) : color) * alpha)
        }
        #expect(patches.count >= 16)
        let name = "patches \(test) \(test.ending)".replacing(" ", with: "-") + ".\(test.ending)"
        let clip = try chart.clip(
            name, patches, layout: layout, isFullRange: test.isFullRange,
            tags: test.isTagged
                ? "colorspace=\(test.matrix):color_primaries=\(test.primaries):color_trc=\(test.transfer)"
                    + (layout.isRGB ? "" : ":range=\(test.isFullRange ? "pc" : "tv")")
                : "",
            // The plus forbids ffmpeg to convert anything.
            coding: test.coding + " -pix_fmt " + (test.stored ?? "+\(test.format)"))

        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        for (half, found) in try chart.patches(of: report) {
            let differences = zip(expected, found).map {
                ColorFormulas.difference(ColorFormulas.lab($0), ColorFormulas.lab($1))
            }
            let mean = differences.reduce(0, +) / Double(differences.count)
            let worst = try #require(differences.indices.max { differences[$0] < differences[$1] })
            #expect(
                mean <= 1 && differences[worst] <= 3,
                "in the \(half), ΔE \(mean) in the mean, \(differences[worst]) at \(expected[worst]): \(found[worst])")
        }
    }

    @Test(arguments: [
        ("hevc", "libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1"), ("h264", "libx264"),
    ])
    func `colours that the container names and the stream does not are the container's`(codec: String, coding: String)
        throws
    {
        let folder = try TemporaryFolder()
        let tagged = try SampleClips.make(
            "tagged-\(codec).mp4",
            "-f lavfi -i color=0x20c040:size=1280x720:rate=30:duration=0.5 -vf scale=out_color_matrix=bt601:out_range=tv,"
                + "format=yuv420p,setparams=colorspace=smpte170m:color_primaries=bt470bg:color_trc=bt709:range=tv -c:v "
                + coding)
        let untagged = folder.path("untagged.mp4")
        let unspecified = "colour_primaries=2:transfer_characteristics=2:matrix_coefficients=2"
        let outcome = try Program.system(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-i", tagged, "-c", "copy", "-bsf:v", "\(codec)_metadata=\(unspecified)",
                "-movflags", "+write_colr", untagged,
            ])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let found = try [tagged, untagged].map { clip in
            let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "-f", "--json"))
            return try Reader.pixel(report.photo, 8, 8) + Reader.pixel(report.movie, 8, 8)
        }
        #expect(zip(found[0], found[1]).allSatisfy { abs($0 - $1) <= 2 }, "\(found)")
    }

    @Test(
        arguments: [
            // From the table of Sharma, Wu and Dalal.
            (RGB(50, 2.6772, -79.7751), RGB(50, 0, -82.7485), 2.0425), (RGB(50, 2.5, 0), RGB(50, 0, -2.5), 4.3065),
            (RGB(50, 2.5, 0), RGB(73, 25, -18), 27.1492),
            (RGB(60.2574, -34.0099, 36.2677), RGB(60.4626, -34.1751, 39.4387), 1.2644),
            (RGB(22.7233, 20.0904, -46.6940), RGB(23.0331, 14.9730, -42.5619), 2.0373),
            (RGB(2.0776, 0.0795, -1.1350), RGB(0.9033, -0.0636, -0.5514), 0.9082),
            // sRGB's red and white.
            (ColorFormulas.lab(RGB(1, 0, 0)), RGB(53.24, 80.09, 67.20), 0),
            (ColorFormulas.lab(RGB(1, 1, 1)), RGB(100, 0, 0), 0),
        ] as [(RGB, RGB, Double)])
    func `the measure of colours gives the published differences`(one: RGB, other: RGB, difference: Double) {
        #expect(abs(ColorFormulas.difference(one, other) - difference) < 0.01)
        #expect(abs(ColorFormulas.difference(other, one) - difference) < 0.01)
    }
}
