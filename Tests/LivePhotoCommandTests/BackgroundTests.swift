import Foundation
import TestSupport
import Testing

/// Clips and photos with alpha, and what fills their transparent parts.
@Suite struct BackgroundTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// ffmpeg's name of the planar pixel format that the samples are written in.
        let format: String
        var matrix = "bt709"
        var isFullRange = false
        var coding = "-c:v ffv1"
        var ending = "mkv"
        /// The format that the clip has, where it is not `format`.
        var stored: String?
        var isGray = false
        /// Whether the clip has no half-transparent pixels.
        var isBinary = false
        var testDescription: String { "\(stored ?? format) \(matrix)\(isFullRange ? " full" : "")" }

        static func rgb(
            _ format: String = "gbrap", _ coding: String = "-c:v ffv1", _ ending: String = "mkv",
            as stored: String? = nil, isGray: Bool = false, isBinary: Bool = false
        ) -> Case {
            Case(
                format: format, matrix: "gbr", isFullRange: true, coding: coding, ending: ending, stored: stored,
                isGray: isGray, isBinary: isBinary)
        }
    }

    private static let backgrounds = [
        "black": RGB(0, 0, 0), "#804020": RGB(128, 64, 32) / 255,
    ]

    private static let palette =
        "-filter_complex split[a][b];[a]palettegen=reserve_transparent=1[c];[b][c]paletteuse=dither=none"

    private static let colors: [RGB] = [
        RGB(0, 0, 0), RGB(1, 1, 1), RGB(0.5, 0.5, 0.5), RGB(0.8, 0.2, 0.2), RGB(0.25, 0.75, 0.2), RGB(0.82, 0.62, 0.52),
    ]

    /// A row of colours that are opaque, one of such that are wholly transparent, and one of half-transparent ones.
    private static let chart = PatchChart(columns: colors.count, rows: 3)

    private static func clip(_ test: Case) throws -> String {
        let layout = PixelLayout(test.format)
        let tags =
            "colorspace=\(test.matrix):color_primaries=bt709:color_trc=bt709:range=\(test.isFullRange ? "pc" : "tv")"
        let patches = [1, 0, test.isBinary ? 1 : 0.5].flatMap { alpha in
            colors.map { color in
                let color = test.isGray ? RGB(repeating: color.y) : color
                return SIMD4(layout.isRGB ? color : ColorFormulas.luma(color, test.matrix), alpha)
            }
        }
        return try chart.clip(
            "background.\(test.ending)", patches, layout: layout, isFullRange: test.isFullRange,
            tags: layout.isRGB ? "" : tags, coding: test.coding + (test.stored.map { " -pix_fmt \($0)" } ?? ""))
    }

    @Test(
        arguments: sampled(
            combined(
                [
                    .rgb(), .rgb("gbrap10le"), .rgb("gbrap", "-c:v png", "mov", as: "rgba"),
                    .rgb("gbrap", "-c:v qtrle", "mov", as: "argb"), .rgb("gbrap", "-c:v png", "mov", as: "rgba64be"),
                    .rgb("gbrap", "-c:v png", "mov", as: "ya8", isGray: true),
                    .rgb("gbrap", "-plays 0", "apng", as: "rgba"),
                    .rgb("gbrap", palette, "gif", isBinary: true),
                    .rgb("gbrap", palette + " -c:v png", "mov", as: "pal8", isBinary: true),
                    Case(format: "yuva420p"),
                    Case(format: "yuva420p", coding: "-c:v libvpx-vp9 -lossless 1", ending: "webm"),
                    Case(format: "yuva422p", isFullRange: true),
                    Case(format: "yuva444p", matrix: "smpte170m"), Case(format: "yuva444p10le"),
                    Case(format: "yuva444p10le", coding: "-c:v prores_ks -profile:v 4444", ending: "mov"),
                ] as [Case], backgrounds.keys.sorted()), every: 3))
    func `transparent parts are filled, opaque ones stay, and others are mixed`(
        test: Case, background: String
    ) throws {
        let color = try #require(Self.backgrounds[background])
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto(
                "convert", try Self.clip(test), "--background", background, "-o", folder.url.path, "--json"))
        let expected = [1, 0, test.isBinary ? 1 : 0.5].flatMap { alpha in
            Self.colors.map { (test.isGray ? RGB(repeating: $0.y) : $0) * alpha + color * (1 - alpha) }
        }
        for (half, found) in try Self.chart.patches(of: report) {
            let differences = zip(expected, found).map {
                ColorFormulas.difference(ColorFormulas.lab($0), ColorFormulas.lab($1))
            }
            let worst = try #require(differences.indices.max { differences[$0] < differences[$1] })
            #expect(
                differences[worst] <= 3,
                "in the \(half), ΔE \(differences[worst]) at \(expected[worst]): \(found[worst])")
        }
        #expect(report.warnings.contains { $0.contains("has transparent areas") })
    }

    private func warnings(_ clip: String, _ options: String...) throws -> [String] {
        let folder = try TemporaryFolder()
        return try Report(
            try Program.livephoto(["convert", clip, "-o", folder.url.path, "--json"] + options)
        ).warnings.filter { $0.contains("transparent") }
    }

    /// A GIF whose right half is opaque, and whose left half is `alpha`.
    private func gif(alpha: Int) throws -> String {
        try SampleClips.make(
            "half\(alpha).gif",
            "-f lavfi -i color=red:size=64x64:rate=10:duration=0.5,format=rgba,geq=r=200:g=9:b=9:a=if(gte(X\\,32)\\,255\\,\(alpha)) "
                + Self.palette)
    }

    @Test func `a transparent clip gets one warning that names what fills it, and how to choose`() throws {
        let clip = try gif(alpha: 0)
        func sentence(_ color: String) -> String {
            "the clip has transparent areas, which are filled with \(color); --background chooses another colour"
        }
        #expect(try warnings(clip) == [sentence("black")])
        #expect(try warnings(clip, "--background", "FFFFFF") == [sentence("white")])
        #expect(try warnings(clip, "--background", "#0a0b0c") == [sentence("#0A0B0C")])
        // Of what is shown.
        #expect(try warnings(clip, "--crop", "32,0,32,64").isEmpty)
        #expect(try warnings(clip, "--crop", "30,0,32,64").count == 1)
    }

    @Test func `an opaque clip in a format with alpha gets no warning`() throws {
        let clip = try gif(alpha: 255)
        #expect(try Reader.streams(clip).first?["pix_fmt"] as? String == "bgra")
        #expect(try warnings(clip).isEmpty)
    }

    @Test func `one transparent picture is enough for the warning, if the movie has it`() throws {
        let clip = try SampleClips.make(
            "late.mov",
            "-f lavfi -i color=red:size=64x64:rate=10:duration=2,format=rgba,geq=r=255:g=0:b=0:a=if(gte(T\\,1.85)\\,0\\,255)"
                + " -c:v png -pix_fmt rgba")
        #expect(try warnings(clip).count == 1)
        #expect(try warnings(clip, "--end", "1.5").isEmpty)
    }

    @Test func `the plan says what would fill a clip whose format has alpha, and nothing of others`() throws {
        let folder = try TemporaryFolder()
        func plan(_ clip: String, _ options: String...) throws -> [Substring] {
            let outcome = try Program.livephoto(["convert", clip, "--dry-run", "-o", folder.path("out")] + options)
            try #require(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").filter {
                $0.contains("background") || $0.contains("transparent")
            }
        }
        for clip in [try gif(alpha: 0), try gif(alpha: 255)] {
            #expect(try plan(clip) == ["background: black (where the clip is transparent)"])
            #expect(
                try plan(clip, "--background", "1e90ff") == ["background: #1E90FF (where the clip is transparent)"])
        }
        #expect(try plan(try SampleClips.beach(), "--background", "white").isEmpty)
    }

    @Test func `a preset chooses the background, and the option comes before it`() throws {
        let folder = try TemporaryFolder()
        try Data("name: mine\nextends: classic\npicture: {background: white}\n".utf8)
            .write(to: folder.url.appendingPathComponent("mine.yaml"))
        let preset = folder.path("mine.yaml")
        let clip = try gif(alpha: 0)
        #expect(try warnings(clip, "--preset", preset).first?.contains("filled with white;") == true)
        #expect(
            try warnings(clip, "--preset", preset, "--background", "red").first?.contains("filled with red;") == true)
    }

    @Test(arguments: ["", "pink", "#FFF", "--json"]) func `a wrong colour is a usage error that says what is right`(
        text: String
    ) throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.livephoto(
            "convert", try SampleClips.beach(), "--background", text, "-o", folder.path("out"))
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "error: --background: '\(text)' is not a colour; write black, white, gray, red, yellow, green, "
                + "blue, or red, green and blue in hexadecimal, such as 1E90FF or '#1E90FF'\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }
}
