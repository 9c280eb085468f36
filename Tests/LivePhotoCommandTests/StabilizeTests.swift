import Foundation
import TestSupport
import Testing

/// `--stabilize`, and long exposures of a camera that is held by hand.
@Suite struct StabilizeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A part of a still picture that shakes by up to 20 pixels.
    private static func shaky() throws -> String {
        try SampleClips.make(
            "shaky.mp4",
            "-f lavfi -i mandelbrot=size=480x360:rate=15:start_scale=0.4 -vf trim=end_frame=1,loop=44:1"
                + ",crop=400:300:x='40+14*sin(n*1.9)+6*cos(n*2.6)':y='30+12*sin(n*2.3)+5*cos(n*1.4)' -frames:v 45"
                + " -c:v libx264 -preset ultrafast -qp 10 -pix_fmt yuv420p")
    }

    private func convert(_ options: [String]) throws -> Report {
        try Report(
            try Program.livephoto(
                ["convert", Self.shaky(), "-o", folder.path("made"), "--start", "0%", "--end", "100%", "--json", "-f"]
                    + options))
    }

    /// The mean difference from one frame to the next.
    private func change(in movie: String) throws -> Double {
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "info", "-nostdin", "-i", movie, "-vf"]
                + [
                    "tblend=all_mode=difference,signalstats,metadata=print:key=lavfi.signalstats.YAVG", "-f", "null",
                    "-",
                ])
        let values = outcome.errors.components(separatedBy: "signalstats.YAVG=").dropFirst(2).compactMap {
            Double($0.prefix { $0.isNumber || $0 == "." })
        }
        return values.reduce(0, +) / Double(max(values.count, 1))
    }

    @Test func `a shaky movie becomes steady, shows no edge, and its photo is steadied alike`() throws {
        let (plain, steady) = (try convert(["--name", "plain"]), try convert(["--stabilize"]))
        #expect(try change(in: steady.movie) * 4 < change(in: plain.movie))
        #expect(try Reader.frameTimes(steady.movie) == Reader.frameTimes(plain.movie))
        #expect(try Reader.similarity((steady.photo, nil), (steady.movie, steady.stillTime)) > 0.97)
        // Nothing is black, as it would be beside a picture that was only shifted.
        let darkest = try Program.system(
            "ffmpeg",
            ["-v", "info", "-nostdin", "-i", steady.movie, "-vf"]
                + ["crop=iw:2:0:0,signalstats,metadata=print:key=lavfi.signalstats.YHIGH", "-f", "null", "-"])
        #expect(!darkest.errors.contains("signalstats.YHIGH=16\n"))
        let plan = try Program.livephoto("convert", Self.shaky(), "--stabilize", "--dry-run")
        #expect(plan.output.contains("effect: steadied, enlarged by "), "\(plan.output)")
    }

    @Test func `what adjustments draw stays in its place, and is not taken for a still camera`() throws {
        let box = try convert(["--stabilize", "--filter", "drawbox=0:0:24:24:red:fill,drawbox=376:276:24:24:red:fill"])
        for file in [box.photo, box.movie] {
            for place in [(2, 2), (21, 21), (378, 278), (397, 297)] {
                let found = try Reader.pixel(file, place.0, place.1)
                #expect(found[0] > 200 && found[1] < 60 && found[2] < 60, "\(found) at \(place) of \(file)")
            }
        }
        let grid = ["--filter", "drawgrid=w=16:h=16:c=white"]
        let (plain, steady) = (try convert(["--name", "plain"] + grid), try convert(["--stabilize"] + grid))
        #expect(try change(in: steady.movie) * 3 < change(in: plain.movie))
    }

    @Test func `an edit steadies the photo of a pair like its movie`() throws {
        let made = try convert([])
        let report = try Report(
            try Program.livephoto("edit", made.photo, "--stabilize", "-o", folder.path("edited"), "--json"))
        #expect(try Reader.similarity((report.photo, nil), (report.movie, report.stillTime)) > 0.97)
        #expect(try Reader.similarity((report.photo, nil), (made.photo, nil)) < 0.97)
        #expect(try Program.livephoto("verify", report.photo, report.movie).status == 0)
    }

    @Test func `the long exposure of a still scene is sharp though the camera shakes`() throws {
        let made = try convert([])
        let report = try Report(
            try Program.livephoto(
                "edit", made.photo, "--effect", "long-exposure", "-o", folder.path("edited"), "--json"))
        // The middle, as the picture is enlarged: sharp where a mean without steadying is blurred.
        let detail = try [made.photo, report.photo].map { photo in
            let outcome = try Program.system(
                "ffmpeg",
                ["-v", "info", "-nostdin", "-i", photo, "-vf"]
                    + ["sobel,signalstats,metadata=print:key=lavfi.signalstats.YAVG", "-f", "null", "-"])
            let text = try #require(outcome.errors.components(separatedBy: "signalstats.YAVG=").dropFirst().first)
            return try #require(Double(text.prefix { $0.isNumber || $0 == "." }))
        }
        #expect(detail[1] > detail[0] * 0.6, "\(detail)")
        let size = try Reader.tags(report.photo)
        #expect(size["ImageWidth"] as? Int == 400 && size["ImageHeight"] as? Int == 300)
    }

    @Test func `pictures that are flat, small, or only one are not a problem`() throws {
        for source in ["color=gray:size=64x48:rate=15:duration=2", "testsrc2=size=640x20:rate=15:duration=1"] {
            let clip = try SampleClips.make("odd.mp4", "-f lavfi -i \(source) -c:v libx264 -pix_fmt yuv420p")
            let outcome = try Program.livephoto(
                "convert", clip, "--stabilize", "--effect", "long-exposure", "-o", folder.path("odd"), "-f")
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
    }
}
