import Foundation
import TestSupport
import Testing

/// What `convert --json` printed.
struct Report: Decodable {
    let photo: String
    let movie: String
    let contentIdentifier: String?
    let stillTime: Double
    let stillTimeInClip: Double
    let duration: Double
    let frameRate: Double
    let frames: Int
    let width: Int
    let height: Int
    let photoWidth: Int
    let photoHeight: Int
    let warnings: [String]
    let dryRun: Bool
    let way: String?

    init(_ outcome: Outcome) throws {
        try #require(outcome.status == 0, "\(outcome.errors)")
        self = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }
}

@Suite struct ConvertTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var size = "320x180"
        var rate = "30"
        var codec = "libx264 -g 30"
        var filters = "null"
        var sound: String? = "aac"
        var more = ""
        /// How a player turns the clip's stored picture upright.
        var turn = "null"
        let movie: String
        let frameRate: Double
        var testDescription: String { name }
    }

    @Test(
        arguments: sampled(
            [
                Case(name: "h264.mp4", movie: "320x180", frameRate: 15),
                Case(
                    name: "bframes.mkv", codec: "libx264 -bf 3 -g 60", sound: "libopus", movie: "320x180", frameRate: 15
                ),
                Case(name: "pal.mov", rate: "25", sound: "pcm_s16le", movie: "320x180", frameRate: 12.5),
                Case(name: "film.mp4", rate: "24000/1001", movie: "320x180", frameRate: 11.988),
                Case(name: "fast.mp4", rate: "120", sound: nil, movie: "320x180", frameRate: 15),
                Case(name: "slow.mp4", rate: "10", movie: "320x180", frameRate: 10),
                Case(
                    name: "vp9.webm", codec: "libvpx-vp9 -deadline realtime -cpu-used 8", sound: "libvorbis",
                    movie: "320x180",
                    frameRate: 15),
                Case(name: "odd.mkv", size: "321x181", codec: "ffv1", movie: "320x180", frameRate: 15),
                Case(name: "portrait.mp4", size: "180x320", movie: "180x320", frameRate: 15),
                Case(
                    name: "large.mp4", size: "2560x1440", rate: "15", codec: "libx264 -preset ultrafast", sound: nil,
                    movie: "1920x1080", frameRate: 15),
                Case(name: "anamorphic.mp4", size: "240x180", filters: "setsar=4/3", movie: "320x180", frameRate: 15),
                Case(name: "mpeg.ts", codec: "mpeg2video -q:v 2", sound: "mp2", movie: "320x180", frameRate: 15),
                Case(name: "old.avi", codec: "mpeg4 -q:v 2", sound: "libmp3lame", movie: "320x180", frameRate: 15),
                Case(name: "mono.mp4", more: "-ac 1 -ar 22050", movie: "320x180", frameRate: 15),
            ], every: 2))
    func `a clip becomes a pair that independent readers accept`(test: Case) throws {
        let clip = try SampleClips.moving(
            test.name, size: test.size, rate: test.rate, codec: test.codec, filters: test.filters, sound: test.sound,
            more: test.more)
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "--output", folder.path("out"), "--json"))
        #expect(report.warnings.isEmpty == (test.frameRate >= 11.9))
        #expect("\(report.width)x\(report.height)" == test.movie)
        #expect(abs(report.frameRate - test.frameRate) < 0.001)

        let streams = try Reader.streams(report.movie)
        let video = try #require(streams.first { $0["codec_type"] as? String == "video" })
        #expect(video["codec_name"] as? String == "h264" && video["profile"] as? String == "High")
        #expect(video["pix_fmt"] as? String == "yuv420p" && video["color_space"] as? String == "bt709")
        #expect(video["color_primaries"] as? String == "bt709" && video["color_transfer"] as? String == "bt709")
        #expect(video["nb_read_frames"] as? String == String(report.frames))
        #expect((streams.contains { $0["codec_name"] as? String == "aac" }) == (test.sound != nil))
        let still = try #require(streams.first { $0["codec_tag_string"] as? String == "mebx" })
        #expect(Double(still["start_time"] as? String ?? "").map { abs($0 - report.stillTime) < 1e-5 } == true)

        let times = try Reader.frameTimes(report.movie)
        #expect(times.first == 0)
        #expect(times.contains { abs($0 - report.stillTime) < 1e-5 })
        #expect(abs(report.duration - 3) < 0.1)

        let (photoTags, movieTags) = try Reader.tags(of: report)
        #expect(movieTags["ContentIdentifier"] as? String == report.contentIdentifier)
        let identifier = (photoTags["ContentIdentifier"] ?? photoTags["MediaGroupUUID"]) as? String
        #expect(identifier == report.contentIdentifier)
        #expect(photoTags["Warning"] == nil && movieTags["Warning"] == nil)
        #expect(photoTags["ImageWidth"] as? Int == report.photoWidth)

        #expect(try Reader.similarity((report.movie, report.stillTime), (report.photo, nil)) > 0.9)
    }

    @Test(arguments: ["90", "180", "270"]) func `a rotated clip comes out upright, as ffmpeg shows it`(rotation: String)
        throws
    {
        let flat = try SampleClips.moving("flat.mp4", sound: nil)
        let name = "rotated\(rotation).mp4"
        // The first is for FFmpeg 6 and newer.
        let clip =
            try (try? SampleClips.make(name, "-display_rotation -\(rotation) -i \(flat) -c copy"))
            ?? SampleClips.make(name, "-i \(flat) -c copy -metadata:s:v:0 rotate=\(rotation)")
        try #require(try Reader.streams(clip).first?["side_data_list"] != nil, "ffmpeg did not rotate the sample")
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "--output", folder.url.path, "--json"))
        #expect("\(report.width)x\(report.height)" == (rotation == "180" ? "320x180" : "180x320"))
        let upright = try SampleClips.make("upright\(rotation).mkv", "-i \(clip) -c:v ffv1")
        #expect(try Reader.similarity((upright, report.stillTimeInClip), (report.photo, nil)) > 0.95)
        #expect(try Reader.similarity((upright, report.stillTimeInClip), (report.movie, report.stillTime)) > 0.9)
    }

    @Test(arguments: ["2.5", "0", "3.99", "1500ms", "0:01.7", "50%", "#37"])
    func `the photo is the frame that the clip shows at the still time`(still: String) throws {
        let clip = try SampleClips.beach()
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", still, "-o", folder.url.path, "--json"))
        let written = ["1500ms": 1.5, "0:01.7": 1.7, "50%": 2, "#37": 37.0 / 30]
        let wanted = try #require(written[still] ?? Double(still))
        #expect(report.stillTimeInClip <= wanted + 1e-6 && report.stillTimeInClip > wanted - 1.0 / 30 - 1e-6)
        #expect(try Reader.frameTimes(report.movie).contains { abs($0 - report.stillTime) <= 1.0 / 600 })
        #expect(try Reader.similarity((clip, report.stillTimeInClip), (report.photo, nil)) >= 0.95)
    }

    @Test func `the same command with the same identifier gives the same bytes`() throws {
        let clip = try SampleClips.beach()
        let folder = try TemporaryFolder()
        let identifier = "ceee58df-95fe-4d41-8b9a-f0af1103a2dc"
        for name in ["one", "two"] {
            let outcome = try Program.livephoto(
                "convert", clip, "--id", identifier, "-o", folder.url.path, "--name", name)
            #expect(outcome.status == 0)
            #expect(outcome.output == "\(folder.path("\(name).JPG"))\n\(folder.path("\(name).MOV"))\n")
        }
        for ending in ["JPG", "MOV"] {
            let (one, two) = (folder.path("one.\(ending)"), folder.path("two.\(ending)"))
            #expect(FileManager.default.contentsEqual(atPath: one, andPath: two))
        }
        #expect(try Reader.tags(folder.path("one.MOV"))["ContentIdentifier"] as? String == identifier.uppercased())
        #expect(folder.contents == ["one.JPG", "one.MOV", "two.JPG", "two.MOV"])
    }

    @Test(
        arguments: [
            (["--start", "1", "--end", "2"], 1.0), (["--start", "1", "--duration", "0.5"], 0.5),
            (["--before", "0.2", "--after", "0.4"], 0.6), (["--duration", "2"], 2), (["--end", "25%"], 1),
        ] as [([String], Double)])
    func `the movie lasts as long as it was asked to`(arguments: [String], seconds: Double) throws {
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto(["convert", try SampleClips.beach(), "-o", folder.url.path, "--json"] + arguments))
        #expect(abs(report.duration - seconds) < 0.07)
        #expect(abs(try Reader.soundLength(report.movie) - report.duration) < 0.01)
    }

    @Test func `fps, max-size, no-audio and a preset are obeyed`() throws {
        let clip = try SampleClips.moving("tall.mp4", size: "720x1280", codec: "libx264 -preset ultrafast -g 30")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto(
                "convert", clip, "-o", folder.url.path, "--json", "--preset", "smooth", "--max-size", "640x360",
                "--no-audio"))
        #expect(report.frameRate == 30 && report.width == 360 && report.height == 640)
        #expect(report.photoWidth == 720 && report.photoHeight == 1280)
        #expect(try !Reader.streams(report.movie).contains { $0["codec_type"] as? String == "audio" })
        let slow = try Report(
            try Program.livephoto("convert", clip, "-o", folder.url.path, "--json", "--fps", "5-6", "--name", "slow"))
        #expect(slow.frameRate == 6)
    }

    @Test func `a dry run prints the plan and makes nothing`() throws {
        let folder = try TemporaryFolder()
        let clip = try SampleClips.beach()
        let plan = try Program.livephoto("convert", clip, "-o", folder.path("out"), "--dry-run")
        #expect(plan.status == 0 && plan.output.contains("movie: 320x180, 45 frames at 15 fps, 3 s"))
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.path("out"), "-n", "--json"))
        #expect(report.dryRun && report.photo == folder.path("out/beach.JPG"))
        #expect(folder.contents.isEmpty)
    }

    @Test func `nothing of libav reaches the terminal unless asked`() throws {
        let clip = try SampleClips.moving("quiet.ts", codec: "mpeg2video", sound: "mp2")
        let folder = try TemporaryFolder()
        let quiet = try Program.livephoto("convert", clip, "-o", folder.url.path)
        #expect(quiet.status == 0 && quiet.errors.isEmpty)
        let verbose = try Program.livephoto("convert", clip, "-o", folder.url.path, "--force", "-v")
        #expect(verbose.errors.contains("libx264"))
    }

    @Test(arguments: [
        ([], "a new one"), (["--still", "0.5,1"], "a new one"),
        (["--id", "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"], "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"),
    ])
    func `a dry run shows the identifier that will be written, if it is known`(
        options: [String], identifier: String
    ) throws {
        let folder = try TemporaryFolder()
        let clip = try SampleClips.beach()
        let text = try Program.livephoto(["convert", clip, "-n"] + options, in: folder.url)
        #expect(text.status == 0 && text.output.contains("\nidentifier: \(identifier)\n"), "\(text.output)")
        let json = try Program.livephoto(["convert", clip, "-n", "--json"] + options, in: folder.url)
        #expect(json.output.contains(#""contentIdentifier":"\#(identifier)""#) == options.contains("--id"))
        #expect(try folder.files.isEmpty)
    }
}
