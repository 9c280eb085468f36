import Foundation
import TestSupport
import Testing

/// `--lut`: a lookup table for the colours of photo and movie.
@Suite struct LUTOptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Self.cube { [1 - $0, 1 - $1, 1 - $2] }, to: "negative.cube")
        try folder.write(Self.cube { [$2, $0, $1] }, to: "swapped.cube")
    }

    private static func cube(_ color: (Double, Double, Double) -> [Double]) -> String {
        let corners = [0.0, 1].flatMap { blue in
            [0.0, 1].flatMap { green in [0.0, 1].map { red in color(red, green, blue) } }
        }
        return "LUT_3D_SIZE 2\n" + corners.map { "\($0[0]) \($0[1]) \($0[2])\n" }.joined()
    }

    private static func clip() throws -> String {
        try SampleClips.make(
            "lut.mkv", "-f lavfi -i color=0xC86428:size=128x96:rate=15:duration=0.4,format=gbrp -c:v ffv1")
    }

    private func convert(_ options: String...) throws -> Report {
        try Report(
            try Program.livephoto(
                ["convert", try Self.clip(), "-o", folder.path("out"), "--force", "--json"] + options, in: folder.url))
    }

    private func expect(_ color: [Int], in report: Report, _ place: SourceLocation = #_sourceLocation) throws {
        for file in [report.photo, report.movie] {
            let found = try Reader.pixel(file, 64, 48)
            #expect(zip(found, color).allSatisfy { abs($0 - $1) <= 4 }, "\(found) in \(file)", sourceLocation: place)
        }
    }

    @Test func `photo and movie get the colours of the table, after tone and before filters`() throws {
        try expect([55, 155, 215], in: try convert("--lut", "negative.cube"))
        try expect([40, 200, 100], in: try convert("--lut", folder.path("swapped.cube")))
        // Gray by its luminance, then the negative of that.
        try expect([139, 139, 139], in: try convert("--lut", "negative.cube", "--saturation", "-100"))
        try expect(
            [215, 55, 155], in: try convert("--lut", "swapped.cube", "--filter", "lutrgb=r=negval:g=negval:b=negval"))
    }

    @Test func `an edit maps the colours of the photo too`() throws {
        let source = try convert()
        let report = try Report(
            try Program.livephoto(
                ["edit", source.photo, "-o", folder.path("edited"), "--lut", "negative.cube", "--json"], in: folder.url)
        )
        try expect([55, 155, 215], in: report)
    }

    @Test func `paths in presets and job files are relative to their file`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("looks"), withIntermediateDirectories: true)
        try folder.write("extends: classic\nadjust: {lut: ../negative.cube}\n", to: "looks/mine.yaml")
        try folder.write("extends: looks/mine.yaml\n", to: "other.yaml")
        try expect([55, 155, 215], in: try convert("--preset", "looks/mine.yaml"))
        try expect([55, 155, 215], in: try convert("--preset", "./other.yaml"))
        let clip = try Self.clip()
        try folder.write(
            """
            version: 1
            jobs:
            - {input: \(clip), name: key, lut: ../swapped.cube}
            - {input: \(clip), name: keys, preset: {adjust: {lut: ../swapped.cube}}}
            - {input: \(clip), name: file, preset: mine.yaml}
            """, to: "looks/jobs.yaml")
        let outcome = try Program.livephoto("batch", folder.path("looks/jobs.yaml"), "-o", folder.path("out"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        for (name, color) in [("key", [40, 200, 100]), ("keys", [40, 200, 100]), ("file", [55, 155, 215])] {
            let found = try Reader.pixel(folder.path("out/\(name).JPG"), 64, 48)
            #expect(zip(found, color).allSatisfy { abs($0 - $1) <= 4 }, "\(found) in \(name)")
        }
    }

    @Test func `recipes name a table relative to their file, and store its absolute path`() throws {
        let source = try convert()
        try FileManager.default.createDirectory(atPath: folder.path("looks"), withIntermediateDirectories: true)
        try folder.write("lut: ../swapped.cube\n", to: "looks/recipe.yaml")
        let report = try Report(
            try Program.livephoto(
                [
                    "edit", source.photo, "-o", folder.path("edited"), "--recipe", "looks/recipe.yaml", "--json",
                    "--save-recipe", "looks/saved.yaml",
                ], in: folder.url))
        try expect([40, 200, 100], in: report)
        #expect(
            try folder.text("looks/saved.yaml").contains("lut: \"\(folder.path("looks/../swapped.cube"))\"")
                || folder.text("looks/saved.yaml").contains("lut: \(folder.path("looks/../swapped.cube"))"))
        try folder.write(
            "version: 1\njobs:\n- {input: \(source.photo), name: one, edit: {lut: ../swapped.cube}}\n"
                + "- {input: \(source.photo), name: two, edit: saved.yaml}\n", to: "looks/jobs.yaml")
        func run() throws -> [[Int]] {
            let outcome = try Program.livephoto("batch", folder.path("looks/jobs.yaml"), "-o", folder.path("batch"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try ["one", "two"].map { try Reader.pixel(folder.path("batch/\($0).JPG"), 64, 48) }
        }
        for pixel in try run() { #expect(zip(pixel, [40, 200, 100]).allSatisfy { abs($0 - $1) <= 4 }, "\(pixel)") }
        try folder.write(Self.cube { [1 - $0, 1 - $1, 1 - $2] }, to: "swapped.cube")
        for pixel in try run() { #expect(zip(pixel, [55, 155, 215]).allSatisfy { abs($0 - $1) <= 4 }, "\(pixel)") }
    }

    @Test func `a batch makes a pair again when its table has changed, and only then`() throws {
        try folder.write(
            "version: 1\njobs:\n- {input: \(try Self.clip()), name: job, lut: negative.cube}\n", to: "jobs.yaml")
        func run() throws -> (pixel: [Int], inode: UInt64?) {
            let outcome = try Program.livephoto("batch", folder.path("jobs.yaml"), "-o", folder.path("out"))
            #expect(outcome.status == 0, "\(outcome.errors)")
            let photo = folder.path("out/job.JPG")
            let number = try FileManager.default.attributesOfItem(atPath: photo)[.systemFileNumber] as? NSNumber
            return (try Reader.pixel(photo, 64, 48), number?.uint64Value)
        }
        let first = try run()
        #expect(try run() == first)
        try folder.write(Self.cube { [$2, $0, $1] }, to: "negative.cube")
        let second = try run()
        #expect(second.inode != first.inode && abs(second.pixel[1] - 200) <= 4, "\(second)")
    }

    @Test(
        arguments: [
            ("missing.cube", 66, "missing.cube: no such file"),
            (".", 64, "'.' is not a LUT file; write the path of a .cube file"),
            ("negative.png", 64, "--lut: 'negative.png' is not a LUT file"),
            ("broken.cube", 65, "broken.cube:3:1: has 'LUT_IN_VIDEO_RANGE', which is not supported"),
        ] as [(String, Int32, String)])
    func `a table that cannot be read is an error that names file and line`(name: String, status: Int32, reason: String)
        throws
    {
        try folder.write("# 1\nLUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\n", to: "broken.cube")
        for dry in [[], ["--dry-run"]] {
            try expectFailure(
                ["convert", try Self.clip(), "-o", "out", "--lut", name] + dry, in: folder, status, reason)
        }
    }
}
