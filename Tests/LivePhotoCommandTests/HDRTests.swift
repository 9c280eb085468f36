import Foundation
import TestSupport
import Testing

@Suite struct HDRTests {
    /// A clip of one gray in 10-bit BT.2020, tagged with a transfer function of H.273.
    private func gray(_ luma: Int, _ transfer: String) throws -> String {
        try SampleClips.make(
            "gray-\(luma)-\(transfer).mkv",
            "-f lavfi -i color=gray:size=64x64:rate=30:duration=1,format=yuv420p10le,geq=lum=\(luma):cb=512:cr=512"
                + " -vf setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=\(transfer):range=tv -c:v ffv1")
    }

    /// The mean of a picture's luma, as a share of white.
    private func brightness(_ file: String) throws -> Double {
        let outcome = try Program.system(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-i", file, "-frames:v", "1", "-vf",
                "format=gbrp,scale=out_range=limited,format=yuv444p,signalstats,metadata=print:file=-",
            ]
                + ["-f", "null", "-"])
        let text = try #require(outcome.output.components(separatedBy: "YAVG=").dropFirst().first)
        // In limited range, 16 is black, 235 white.
        return (try #require(Double(text.prefix { $0.isNumber || $0 == "." })) - 16) / 219
    }

    @Test(
        arguments: [
            // Code values of 10-bit limited range: 64 + 876 · signal (ITU-R BT.2100).
            (573, "smpte2084", 0.80...0.95),  // PQ, 203 cd/m²: diffuse white
            (721, "arib-std-b67", 0.80...0.95),  // HLG, 75 %: diffuse white
            (723, "smpte2084", 0.95...0.995),  // PQ, 1,000 cd/m²: rolled off, not clipped
            (940, "arib-std-b67", 0.95...0.995),  // HLG, 100 %
            (64, "smpte2084", 0...0.01), (64, "arib-std-b67", 0...0.01),
        ] as [(Int, String, ClosedRange<Double>)])
    func `HDR lands where SDR shows it well, in the photo as in the movie`(
        luma: Int, transfer: String, expected: ClosedRange<Double>
    ) throws {
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", try gray(luma, transfer), "-o", folder.url.path, "--json"))
        let (photo, movie) = try (brightness(report.photo), brightness(report.movie))
        #expect(expected.contains(photo), "\(photo)")
        #expect(abs(photo - movie) < 0.01, "\(photo) in the photo, \(movie) in the movie")
    }

    @Test(arguments: ["yuv444p10le", "yuv420p10le", "yuv422p10le"], ["tv", "pc"])
    func `a kept HDR picture with odd edges has its colours up to the edges`(format: String, range: String) throws {
        let folder = try TemporaryFolder()
        let clip = try SampleClips.make(
            "odd-\(format)-\(range).mkv",
            "-f lavfi -i color=0xc02040:size=65x49:rate=30:duration=0.5,format=\(format)"
                + " -vf setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=smpte2084:range=\(range) -c:v ffv1"
        )
        let report = try Report(
            try Program.livephoto("convert", clip, "--preset", "modern", "-o", folder.url.path, "--json"))
        let png = folder.path("photo.png")
        try #require(try Program.system("heif-convert", [report.photo, png]).status == 0)
        let middle = try Reader.pixel(png, 32, 24)
        for (x, y) in [(64, 24), (32, 48), (64, 48)] {
            let edge = try Reader.pixel(png, x, y)
            #expect(zip(edge, middle).allSatisfy { abs($0 - $1) <= 6 }, "\(edge), in the middle \(middle)")
        }
    }

    /// What `ToneMapping` says of its operators.
    @Test(
        arguments: [
            ("mobius", 0.84, 0.98), ("reinhard", 0.78, 0.95), ("hable", 0.62, 0.91), ("clip", 1, 1),
        ] as [(String, Double, Double)])
    func `tone-mapping operators bring white and highlights where they are said to`(
        name: String, white: Double, highlight: Double
    ) throws {
        let folder = try TemporaryFolder()
        for (luma, expected) in [(573, white), (723, highlight)] {
            let report = try Report(
                try Program.livephoto(
                    "convert", try gray(luma, "smpte2084"), "--tone-map", name, "-o", folder.path("\(luma)"), "--json"))
            let found = try brightness(report.photo)
            #expect(abs(found - expected) < 0.015, "\(found), not \(expected)")
        }
    }

    @Test(arguments: [(5, true), (8, false)])
    func `Dolby Vision without a base layer that others can show gets a warning`(profile: UInt8, isWarned: Bool) throws
    {
        let clip = try SampleClips.make("plain.mp4", "-f lavfi -i testsrc2=size=64x64:duration=0.5 -c:v libx264")
        let folder = try TemporaryFolder()
        // dvcC: version, profile and level, RPU and base layer present, compatibility (Dolby Vision in ISOBMFF 2.2).
        let record = [1, 0, profile << 1, 0b0010_1101, profile == 5 ? 0 : 0x40] + [UInt8](repeating: 0, count: 19)
        try Data(contentsOf: URL(fileURLWithPath: clip)).insertingBox("dvcC", record, inSampleEntry: "avc1")
            .write(to: URL(fileURLWithPath: folder.path("dolby.mp4")))
        let report = try Report(
            try Program.livephoto("convert", folder.path("dolby.mp4"), "-o", folder.path("out"), "--json"))
        #expect(report.warnings.contains { $0.contains("Dolby Vision profile 5") } == isWarned)
    }
}
