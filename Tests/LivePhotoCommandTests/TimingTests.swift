import Foundation
import TestSupport
import Testing

/// Clips whose pictures say their own number, in containers that tell times in unusual ways.
@Suite struct TimingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var rate: Double = 30
        var seconds: Double = 6
        var codec = "libx264 -g 30 -bf 2 -pix_fmt yuv420p"
        /// ffmpeg's options of the container.
        var container = ""
        var still = "4.5"
        var frameRate: Double = 15
        var testDescription: String { name }
    }

    private static func numbered(rate: Double, seconds: Double) throws -> String {
        try SampleClips.make(
            "numbered.nut",
            "-f lavfi -i nullsrc=size=160x96:rate=\(rate):duration=\(seconds)"
                + ",geq=lum=235*mod(floor(N/pow(2\\,floor(X/20)))\\,2):cb=128:cr=128 -c:v rawvideo")
    }

    @Test(arguments: [
        (["--fps", "15"], 0), (["--fps", "15", "--end", "0.5"], 0),
        (["--fps", "10", "--start", "0.5", "--end", "1"], 15),
        (["--fps", "10", "--end", "1", "--duration", "0.5"], 15), (["--start", "0.7"], 21),
    ])
    func `an export begins with the first frame of its part, also at a lower rate`(
        part: [String], first: Int
    ) throws {
        let clip = try SampleClips.make(
            "export.mp4", "-i \(try Self.numbered(rate: 30, seconds: 2)) -c:v libx264 -pix_fmt yuv420p")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto(
                "convert", clip, "--start", "0", "--end", "2", "--fps", "30", "-o", folder.url.path, "--json"))
        let out = folder.path("out.mp4")
        let outcome = try Program.livephoto(["export", report.photo, "-o", out] + part)
        try #require(outcome.status == 0, "\(outcome.errors)")
        #expect(try Reader.numbers(each: [out])[0].first == first)
    }

    @Test(
        arguments: sampled(
            [
                Case(name: "no-duration.mkv", container: "-live 1"),
                Case(name: "no-duration.flv", container: "-flvflags no_duration_filesize"),
                Case(name: "late.ts", container: "-output_ts_offset 80000"),
                // The stamps' 33 bits run over 3 s after the beginning.
                Case(name: "wrapping.ts", container: "-output_ts_offset 95440.7 -muxdelay 0"),
                Case(name: "wrapping-early.ts", container: "-output_ts_offset 95440.7 -muxdelay 0", still: "1.2"),
                Case(name: "fragments.mp4", container: "-movflags frag_keyframe+empty_moov+skip_trailer"),
                Case(name: "fragments-index.mp4", container: "-movflags frag_keyframe+empty_moov"),
                Case(name: "segments.mp4", container: "-movflags dash+frag_keyframe+global_sidx"),
                Case(name: "negative.mp4", container: "-movflags negative_cts_offsets"),
                Case(name: "bare.h264"), Case(name: "bare.h265", codec: "libx265 -x265-params log-level=none -g 30"),
                Case(name: "bare.m4v", rate: 25, codec: "libxvid -q:v 3 -g 12", frameRate: 12.5),
                // libavformat knows no rate of it.
                Case(name: "bare.mjpeg", rate: 25, codec: "mjpeg -q:v 3", frameRate: 12.5),
                Case(name: "slides.mp4", rate: 1, seconds: 12, still: "1.5", frameRate: 1),
                Case(name: "slow-motion.mp4", rate: 240, seconds: 1, still: "0.5"),
                Case(name: "fast.mov", rate: 120, seconds: 2, still: "1.99"),
                Case(name: "anim.gif", rate: 10, codec: "gif -loop 3", frameRate: 10),
                Case(name: "anim.apng", rate: 10, codec: "apng", frameRate: 10),
            ], every: 3))
    func `each frame of the movie is the one that the clip shows then`(test: Case) throws {
        let numbered = try Self.numbered(rate: test.rate, seconds: test.seconds)
        let clip = try SampleClips.make(test.name, "-i \(numbered) -c:v \(test.codec) \(test.container)")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", test.still, "-o", folder.url.path, "--json"))
        #expect(report.warnings.isEmpty == (test.frameRate >= 12))
        #expect(abs(report.frameRate - test.frameRate) < 0.01)
        let shown = try Reader.numbers(each: [report.movie, report.photo])
        let (numbers, times) = (shown[0], try Reader.frameTimes(report.movie))
        try #require(numbers.count == report.frames && times.count == report.frames)
        let still = try #require(times.firstIndex { abs($0 - report.stillTime) < 1e-5 })
        #expect(shown[1] == [numbers[still]])
        // Where the clip's first picture comes after its zero, numbers and times are a little apart.
        #expect(abs(report.stillTimeInClip * test.rate - Double(numbers[still])) < 2.1)
        for (number, time) in zip(numbers, times) {
            #expect(abs(Double(number - numbers[still]) / test.rate - (time - times[still])) < 0.002)
        }
    }

    /// Pictures and sound of a movie whose edit list begins within a picture, which libavformat would move apart.
    @Test func `sound fits the pictures of a movie that was cut within a picture`() throws {
        // The sound begins when the picture turns white.
        let whole = try SampleClips.make(
            "turning.mp4",
            "-f lavfi -i color=black:size=64x36:rate=5:duration=4,geq=lum=if(gte(N\\,10)\\,235\\,16):cb=128:cr=128"
                + " -f lavfi -i aevalsrc=if(gte(t\\,2)\\,0.5*sin(2*PI*440*t)\\,0):d=4:s=48000"
                + " -c:v libx264 -bf 0 -g 5 -pix_fmt yuv420p -c:a aac")
        let cut = try SampleClips.make("cut-turning.mov", "-ss 1.01 -i \(whole) -c copy")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto(
                "convert", cut, "--start", "0", "--end", "2", "--fps", "1-60", "-o", folder.url.path, "--json"))
        let (beep, flash) = try Reader.beepAndFlash(report.movie)
        #expect(abs(beep - flash) < 0.03, "white at \(flash), sound at \(beep)")
    }

    @Test(arguments: ["gif", "mp4"]) func `a clip of one frame becomes a pair that does not move`(ending: String) throws
    {
        let clip = try SampleClips.make("one.\(ending)", "-f lavfi -i testsrc2=size=64x36:rate=30 -frames:v 1")
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        #expect(report.frames == 1 && report.stillTime == 0)
        #expect(report.warnings.last == "the movie has only one frame: the Live Photo will not move")
    }
}
