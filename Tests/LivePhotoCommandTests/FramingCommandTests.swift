import Foundation
import TestSupport
import Testing

@Suite struct FramingCommandTests {
    /// A picture whose red grows with the columns and green with the rows, losslessly.
    private func ramps(_ more: String = "") throws -> String {
        try SampleClips.make(
            "ramps\(more.count).mkv",
            "-f lavfi -i color=black:size=256x128:rate=30:duration=0.2,format=gbrp,geq=r=X:g=Y*2:b=64 -c:v ffv1 \(more)"
        )
    }

    private func isNear(_ pixel: [Int], _ expected: [Int], tolerance: Int = 6) -> Bool {
        pixel.count == 3 && zip(pixel, expected).allSatisfy { abs($0 - $1) <= tolerance }
    }

    @Test(arguments: [("51,31,101,61", 101, 61), ("100,20,80,40", 80, 40)])
    func `a crop shows exactly the part that was asked for, in photo and movie`(part: String, width: Int, height: Int)
        throws
    {
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", try ramps(), "--crop", part, "-o", folder.url.path, "--json"))
        #expect(report.photoWidth == width && report.photoHeight == height)
        let origin = part.split(separator: ",").compactMap { Int($0) }
        for (x, y) in [(4, 4), (width / 2, height / 2), (width - 6, height - 6)] {
            let expected = [origin[0] + x, (origin[1] + y) * 2, 64]
            for file in [report.photo, report.movie] {
                let found = try Reader.pixel(file, x, y)
                #expect(isNear(found, expected), "\(found), not \(expected), at \(x), \(y) of \(file)")
            }
        }
    }

    @Test func `fit adds black, fill cuts off`() throws {
        let folder = try TemporaryFolder()
        let fit = try Report(
            try Program.livephoto("convert", try ramps(), "--fit", "1:1", "-o", folder.path("fit"), "--json"))
        #expect(fit.photoWidth == 256 && fit.photoHeight == 256 && fit.width == 256 && fit.height == 256)
        for file in [fit.photo, fit.movie] {
            #expect(isNear(try Reader.pixel(file, 200, 40), [0, 0, 0]))
            #expect(isNear(try Reader.pixel(file, 200, 128), [200, 128, 64]))
            #expect(isNear(try Reader.pixel(file, 200, 220), [0, 0, 0]))
        }
        let fill = try Report(
            try Program.livephoto("convert", try ramps(), "--fill", "1:1", "-o", folder.path("fill"), "--json"))
        #expect(fill.photoWidth == 128 && fill.photoHeight == 128)
        for file in [fill.photo, fill.movie] { #expect(isNear(try Reader.pixel(file, 64, 64), [128, 128, 64])) }
    }

    @Test(arguments: [
        (["--crop", "200,0,100,10"], "ramps", "the part 200,0,100,10"),
        (["--crop", "1,2,3"], "--crop", "'1,2,3' is not a part of a picture"),
        (["--fill", "wide"], "--fill", "'wide' is not a shape"),
        (["--fill", "1:1", "--fit", "1:1"], "--fit: fill and fit", "exclude each other"),
        (["--tone-map", "best"], "--tone-map", "mobius, reinhard, hable or clip"),
    ])
    func `what cannot be shown is a usage error that says why`(options: [String], about: String, part: String) throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.livephoto(["convert", try ramps(), "-o", folder.path("out")] + options)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains(about) && outcome.errors.contains(part), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test func `the clean aperture of a QuickTime movie is what is shown`() throws {
        let clip = try SampleClips.make(
            "aperture.mov",
            "-f lavfi -i color=black:size=256x128:rate=30:duration=0.2,format=gbrp,geq=r=X:g=Y*2:b=64 -c:v png")
        let folder = try TemporaryFolder()
        let path = folder.path("aperture.mov")
        let numbers: [Int32] = [200, 1, 100, 1, 8, 1, -4, 1]
        try Data(contentsOf: URL(fileURLWithPath: clip)).insertingBox(
            "clap", numbers.flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }, inSampleEntry: "png "
        ).write(to: URL(fileURLWithPath: path))
        let report = try Report(try Program.livephoto("convert", path, "-o", folder.path("out"), "--json"))
        #expect(report.photoWidth == 200 && report.photoHeight == 100)
        // Its left edge is at (256 - 200) / 2 + 8, its upper one at (128 - 100) / 2 - 4.
        #expect(isNear(try Reader.pixel(report.photo, 50, 50), [86, 120, 64]))
    }
}
