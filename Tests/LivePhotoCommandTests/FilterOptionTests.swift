import Foundation
import TestSupport
import Testing

/// `--filter`: the same filters of FFmpeg for photo and movie.
@Suite struct FilterOptionTests {
    /// Red is the column, green twice the row, in pixels that need no rounding of chroma.
    private static func ramps() throws -> String {
        try SampleClips.make(
            "filtered.mkv",
            "-f lavfi -i color=black:size=128x96:rate=15:duration=0.4,format=gbrp,geq=r=floor(X/8)*14:g=floor(Y/8)*20:b=90"
                + " -c:v ffv1")
    }

    /// A row of the clip after filters of ffmpeg in the layout in which we run them.
    private func expected(_ chain: String, layout: String, in folder: TemporaryFolder) throws -> [Int] {
        let file = folder.path("expected.png")
        try Program.run([
            "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", try Self.ramps(), "-frames:v", "1", "-vf",
            "scale=out_color_matrix=bt709:out_range=limited:flags=accurate_rnd,format=\(layout),\(chain),"
                + "scale=in_color_matrix=bt709:in_range=\(layout == "gbrp" ? "full" : "limited"),format=gbrp",
            file,
        ])
        return try Reader.pixel(file, 0, 44, count: 128)
    }

    @Test(
        arguments: sampled(
            [
                ("eq=brightness=0.2:contrast=1.3", "yuv444p"), ("hue=h=90", "yuv444p"), ("negate", "yuv444p"),
                ("lutyuv=y=val/2", "yuv444p"), ("lutrgb=r=255-val", "gbrp"), ("curves=all='0/0 0.5/0.7 1/1'", "gbrp"),
                ("colorchannelmixer=.3:.6:.1:0:.2:.5:.3", "gbrp"), ("hflip,eq=saturation=0", "yuv444p"),
                ("drawbox=0:0:64:96:orange:fill", "gbrp"), ("lutyuv=u=val+20,lutyuv=v=val-20", "yuv444p"),
            ], every: 2))
    func `photo and movie get what ffmpeg makes`(chain: String, layout: String) throws {
        let folder = try TemporaryFolder()
        let expected = try expected(chain, layout: layout, in: folder)
        let report = try Report(
            try Program.livephoto(
                "convert", try Self.ramps(), "-o", folder.path("out"), "--filter", chain, "--json"))
        #expect(report.warnings.isEmpty, "\(report.warnings)")
        for file in [report.photo, report.movie] {
            let found = try Reader.pixel(file, 0, 44, count: 128)
            // Inside the columns: at their edges, the movie has half the chroma.
            for column in stride(from: 3, to: 128, by: 8) {
                let (found, wanted) = (found[column * 3..<column * 3 + 3], expected[column * 3..<column * 3 + 3])
                #expect(
                    zip(found, wanted).allSatisfy { abs($0 - $1) <= 9 },
                    "\(found) not \(wanted) at \(column) of \(file)")
            }
        }
    }

    @Test func `an edit filters the photo like the movie`() throws {
        let folder = try TemporaryFolder()
        let source = try Report(
            try Program.livephoto("convert", try Self.ramps(), "-o", folder.path("source"), "--json"))
        let report = try Report(
            try Program.livephoto("edit", source.photo, "-o", folder.path("out"), "--filter", "negate,vflip", "--json"))
        let found = try [report.photo, report.movie].map { try Reader.pixel($0, 12, 20) }
        #expect(zip(found[0], found[1]).allSatisfy { abs($0 - $1) <= 6 }, "\(found)")
        // The opposite of the pixel at 12, 75.
        #expect(zip(found[0], [241, 75, 165]).allSatisfy { abs($0 - $1) <= 12 }, "\(found)")
    }

    @Test func `presets and job files filter too, and a warning names filters that count pixels`() throws {
        let folder = try TemporaryFolder()
        let clip = try Self.ramps()
        try folder.write(
            "extends: classic\nadjust: {filter: 'negate,gblur=0.1'}\nvideo: {maxSize: 64x48}\n", to: "mine.yaml")
        let report = try Report(
            try Program.livephoto(
                "convert", clip, "-o", folder.path("out"), "--preset", folder.path("mine.yaml"), "--json"))
        #expect(report.warnings.contains { $0.hasPrefix("the result of gblur depends on the number of pixels") })
        try folder.write(
            "version: 1\njobs:\n- {input: \(clip), name: job, filter: 'negate'}\n", to: "jobs.yaml")
        let outcome = try Program.livephoto("batch", folder.path("jobs.yaml"), "-o", folder.path("out"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let pixels = try [report.photo, folder.path("out/job.JPG")].map { try Reader.pixel($0, 12, 20) }
        #expect(zip(pixels[0], pixels[1]).allSatisfy { abs($0 - $1) <= 4 }, "\(pixels)")
    }

    @Test(arguments: [
        ("lut3d=x.cube", "--filter: 'lut3d=x.cube' is not a filter chain: 'lut3d' is not an allowed filter"),
        (
            "eq=contrst=2",
            "the filter chain 'eq=contrst=2' cannot be used: libavfilter rejects eq (Option 'contrst' not found)"
        ),
        ("rotate=1:ow=64:oh=64", "rotate makes a picture of 64x64 of one of 128x96; use options that keep the size"),
    ])
    func `a chain that cannot be used is a usage error, and nothing is written`(chain: String, reason: String) throws {
        let folder = try TemporaryFolder()
        for dry in [[], ["--dry-run"]] {
            try expectFailure(
                ["convert", try Self.ramps(), "-o", folder.path("out"), "--filter", chain] + dry, in: folder, 64, reason
            )
        }
    }
}
