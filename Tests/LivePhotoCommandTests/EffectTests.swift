import Foundation
import TestSupport
import Testing

/// Loop, bounce, long exposure and speed, in `convert`, `edit` and `export`.
@Suite struct EffectTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Frames with their numbers, 30 in 2 s, and a tone.
    private static func numbered(size: String = "320x180") throws -> String {
        try SampleClips.make(
            "numbered.mp4",
            "-f lavfi -i color=black:size=\(size):rate=15:duration=2,geq=lum='if(mod(floor(N/pow(2,floor(8*X/W))),2),220,20)'"
                + ":cb=128:cr=128 -f lavfi -i sine=frequency=500:duration=2:sample_rate=48000"
                + " -c:v libx264 -preset ultrafast -g 12 -pix_fmt yuv420p -c:a aac")
    }

    private func convert(_ clip: String, _ options: [String] = []) throws -> Report {
        try Report(
            try Program.livephoto(
                ["convert", clip, "-o", folder.path("made"), "--start", "0%", "--end", "100%", "--json", "-f"] + options
            ))
    }

    private func edit(_ photo: String, _ options: [String]) throws -> Report {
        try Report(try Program.livephoto(["edit", photo, "-o", folder.path("edited"), "--json", "-f"] + options))
    }

    @Test func `a bounce plays forward and back, keeps the photo and has no sound`() throws {
        let made = try convert(try Self.numbered())
        let report = try edit(made.photo, ["--effect", "bounce"])
        let forward = Array(0..<30)
        #expect(try Reader.numbers(each: [report.movie])[0] == forward + forward.dropFirst().dropLast().reversed())
        #expect(try !Reader.streams(report.movie).contains { $0["codec_type"] as? String == "audio" })
        #expect(abs(report.stillTime - made.stillTime) < 0.001 && abs(report.duration - 58 / 15.0) < 0.002)
        #expect(try Reader.similarity((report.photo, nil), (made.photo, nil)) > 0.999)
        #expect(try Program.livephoto("verify", report.photo, report.movie).status == 0)
    }

    @Test func `large pictures play backward too, though only some fit in memory at a time`() throws {
        let report = try convert(
            try Self.numbered(size: "1920x1440"), ["--effect", "bounce", "--max-size", "1920x1440"])
        let forward = Array(0..<30)
        #expect(try Reader.numbers(each: [report.movie])[0] == forward + forward.dropFirst().dropLast().reversed())
    }

    @Test func `a requested part is the loop, and its end fades into its start`() throws {
        let report = try convert(try Self.numbered(), ["--effect", "loop"])
        let numbers = try Reader.numbers(each: [report.movie])[0]
        // Of 30 frames, 7 are only seen as they fade in.
        #expect(numbers.count == 23 && numbers.prefix(16) == ArraySlice(7..<23) && numbers[22] == 6, "\(numbers)")
        #expect(try !Reader.streams(report.movie).contains { $0["codec_type"] as? String == "audio" })
    }

    @Test func `a loop is found, and its joint is not the worst change of the clip`() throws {
        // A disc that goes round in 1.2 s for 3 s, before a background that changes at the start.
        let clip = try SampleClips.make(
            "round.mp4",
            "-f lavfi -i color=gray:size=320x180:rate=15:duration=3.6,geq=lum='if(lt(hypot(X-160-60*cos(2*PI*N/18)"
                + ",Y-90-60*sin(2*PI*N/18)),25),230,40+if(lt(N,10),20*(10-N),0))':cb=128:cr=128 -c:v libx264"
                + " -preset ultrafast -pix_fmt yuv420p")
        let report = try convert(clip)
        let outcome = try Program.livephoto("edit", report.photo, "--effect", "loop", "--dry-run", "-o", "x")
        #expect(outcome.output.contains("effect: loop of the frames from"), "\(outcome.output)")
        let loop = try edit(report.photo, ["--effect", "loop"])
        #expect(try Reader.frameTimes(loop.movie).count.isMultiple(of: 18))
        let changes = try Self.changes(of: loop.movie)
        let clipChanges = try Self.changes(of: report.movie).dropLast()
        #expect(try #require(changes.last) <= clipChanges.max() ?? 0, "\(changes)")
    }

    /// The mean difference of each frame to the next one, and of the last to the first.
    private static func changes(of movie: String) throws -> [Double] {
        let folder = try TemporaryFolder()
        let raw = folder.path("gray")
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-i", movie, "-map", "0:v", "-vf", "scale=64:36:flags=area,format=gray", "-f"]
                + ["rawvideo", raw])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let pixels = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let size = 64 * 36
        let frames = stride(from: 0, to: pixels.count, by: size).map { Array(pixels[$0..<$0 + size]) }
        return frames.indices.map { index in
            let next = frames[(index + 1) % frames.count]
            return Double(zip(frames[index], next).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(size)
        }
    }

    @Test func `the long exposure of a static scene is that scene, within 1 of 255`() throws {
        let clip = try SampleClips.make(
            "still.mp4",
            "-f lavfi -i color=black:size=320x180:rate=15:duration=0.06,geq=lum='40+X/2+20*sin(Y/9)':cb='120+X/40':cr='130-Y/30'"
                + " -vf loop=29:1 -c:v libx264 -qp 0 -pix_fmt yuv420p")
        let (plain, report) = (
            try convert(clip, ["--name", "plain"]), try convert(clip, ["--effect", "long-exposure"])
        )
        let pictures = try [plain, report].map { made in
            try Program.ffmpeg("-i \(made.photo) -pix_fmt rgb24 -f rawvideo", to: folder.path("rgb"))
            return try Data(contentsOf: URL(fileURLWithPath: folder.path("rgb")))
        }
        #expect(pictures[0].count == 320 * 180 * 3)
        let worst = zip(pictures[0], pictures[1]).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(worst) <= 1)
    }

    @Test func `a long exposure is the mean in linear light, and becomes the photo, with the movie kept`() throws {
        // Half of the frames are black, half are white, for each quarter of the picture in another share.
        let clip = try SampleClips.make(
            "flicker.mp4",
            "-f lavfi -i color=black:size=256x128:rate=15:duration=2,geq=lum='if(lt(mod(N,4),floor(4*X/W)),235,16)'"
                + ":cb=128:cr=128 -c:v libx264 -preset ultrafast -qp 4 -pix_fmt yuv420p")
        let made = try convert(clip)
        let report = try edit(made.photo, ["--effect", "long-exposure"])
        // 0, 8, 8 and 7 of 30 frames are white in the second to last quarter more than in the one before.
        let white = [0, 8, 16, 23]
        for (quarter, count) in white.enumerated() {
            let light = Double(count) / 30
            let signal = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            let found = try Reader.pixel(report.photo, 32 + 64 * quarter, 64)[0]
            #expect(abs(found - Int((signal * 255).rounded())) <= 3, "\(found) of \(signal * 255)")
        }
        #expect(try Reader.frameTimes(report.movie) == Reader.frameTimes(made.movie))
        #expect(
            try Reader.tags(report.photo)["ContentIdentifier"] as? String == report.contentIdentifier
                || Program.livephoto("verify", report.photo, report.movie).status == 0)
    }

    @Test(arguments: [("0.5", 4.0), ("2", 1.0), ("0.25", 8.0), ("1.25", 1.6)])
    func `speed changes pictures and sound alike, at the same pitch`(speed: String, duration: Double) throws {
        let made = try convert(try Self.numbered())
        let report = try edit(made.photo, ["--speed", speed])
        #expect(try Reader.numbers(each: [report.movie])[0] == Array(0..<30))
        #expect(abs(report.duration - duration) < 0.01)
        #expect(abs(report.stillTime - made.stillTime * duration / 2) < 0.003)
        #expect(abs(try Reader.soundLength(report.movie) - duration) < 0.06)
        // The tone is left by a band around its frequency.
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "info", "-nostdin", "-i", report.movie, "-vn", "-af"]
                + ["bandreject=frequency=500:width_type=h:width=200,volumedetect", "-f", "null", "-"])
        let level = try #require(outcome.errors.components(separatedBy: "max_volume: ").dropFirst().first)
        #expect(try #require(Double(level.prefix { $0 != " " })) < -20, "\(level)")
    }

    /// A flash and a beep every 48 frames, of which every movie shows the first.
    @Test(arguments: [["--speed", "0.25"], ["--speed", "2"], ["--speed", "0.5", "--volume", "0.5"]])
    func `sound stays with its picture at every speed`(options: [String]) throws {
        let clip = try SampleClips.make(
            "beeps.mov",
            "-f lavfi -i color=black:size=64x36:rate=60:duration=4"
                + " -f lavfi -i aevalsrc=if(gte(mod(t\\,0.8)\\,32/60)\\,cos(6283*(t-32/60))\\,0):d=4:s=48000"
                + " -vf drawbox=c=white:t=fill:enable='gte(mod(n,48),32)' -c:v libx264 -g 15 -c:a pcm_s16le")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto(
                ["convert", clip, "--start", "0", "--end", "100%", "-o", folder.url.path, "--json"] + options))
        let (beeps, flashes) = try Reader.beepsAndFlashes(report.movie)
        #expect(beeps.count >= 4 && flashes.count >= 4)
        for (beep, flash) in zip(beeps, flashes).prefix(4) { #expect(abs(beep - flash) < 0.005) }
    }

    @Test func `animations and videos show the effect`() throws {
        let made = try convert(try Self.numbered())
        for (format, name) in [("gif", "a.gif"), ("mp4", "a.mp4")] {
            let outcome = try Program.livephoto(
                "export", made.photo, "--as", format, "--effect", "bounce", "-o", folder.path(name))
            #expect(outcome.status == 0, "\(outcome.errors)")
            let numbers = try Reader.numbers(each: [folder.path(name)])[0]
            #expect(numbers == Array(0..<30) + (1..<29).reversed(), "\(numbers)")
        }
        let exposure = try Program.livephoto(
            "export", made.photo, "--as", "jpeg", "--effect", "long-exposure", "-o", folder.path("a.jpg"))
        #expect(exposure.status == 0, "\(exposure.errors)")
        #expect(try Reader.tags(folder.path("a.jpg"))["ImageWidth"] as? Int == 320)
    }

    @Test(arguments: [
        (
            ["edit", "--effect", "spin"],
            "--effect: 'spin' is not an effect; write loop, bounce (a boomerang) or long-exposure"
        ),
        (["edit", "--speed", "9"], "--speed: '9' is not a speed"),
        (["edit", "--speed", "0"], "--speed: '0' is not a speed"),
        (["export", "--as", "gif", "--effect", "long-exposure"], "a long exposure, which is a picture"),
        (["export", "--as", "jpeg", "--effect", "loop"], "a loop or bounce does not apply to jpeg"),
        (["export", "--as", "jpeg", "--speed", "2"], "--speed does not apply to jpeg"),
    ])
    func `what makes no sense is refused with a reason`(arguments: [String], reason: String) throws {
        try SamplePair.copyConverted(to: folder.url)
        let before = try folder.files
        let outcome = try Program.livephoto(
            [arguments[0], folder.path("beach.JPG"), "-o", folder.path("new")] + arguments.dropFirst())
        #expect(outcome.status == 64 && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try folder.files == before)
    }

    @Test func `a photo of one's own and the mean of the frames cannot both be the key photo`() throws {
        try SamplePair.copyConverted(to: folder.url)
        let outcome = try Program.livephoto(
            "convert", folder.path("beach.MOV"), "--photo", folder.path("beach.JPG"), "--effect", "long-exposure", "-o",
            folder.path("new"))
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains("leave out --photo or --effect long-exposure"), "\(outcome.errors)")
    }
}
