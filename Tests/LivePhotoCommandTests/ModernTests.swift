import Foundation
import TestSupport
import Testing

/// HEVC and HEIC, by the preset `modern` and by options.
@Suite struct ModernTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func convert(_ clip: String, _ options: String) throws -> Report {
        let arguments = options.split(separator: " ").map(String.init)
        return try Report(try Program.livephoto(["convert", clip, "-o", folder.url.path, "--json"] + arguments))
    }

    /// The output of heif-info for a file.
    private func description(of photo: String) throws -> String {
        let outcome = try Program.system("heif-info", [photo])
        try #require(outcome.status == 0, "heif-info: \(outcome.errors)")
        return outcome.output
    }

    @Test func `modern makes HEVC at 30 frames a second and a HEIC that independent readers accept`() throws {
        let clip = try SampleClips.moving("tall.mp4", size: "720x1280", codec: "libx264 -preset ultrafast -g 30")
        let report = try convert(clip, "--preset modern")
        #expect(report.warnings.isEmpty && report.photo.hasSuffix("/tall.HEIC"))
        #expect(report.frameRate == 30 && "\(report.width)x\(report.height)" == "720x1280")

        let streams = try Reader.streams(report.movie)
        let video = try #require(streams.first { $0["codec_type"] as? String == "video" })
        #expect(video["codec_tag_string"] as? String == "hvc1" && video["profile"] as? String == "Main")
        #expect(video["pix_fmt"] as? String == "yuv420p" && video["color_range"] as? String == "tv")
        for tag in ["color_space", "color_primaries", "color_transfer"] { #expect(video[tag] as? String == "bt709") }
        #expect(video["nb_read_frames"] as? String == String(report.frames))
        #expect(try Reader.frameTimes(report.movie).contains { abs($0 - report.stillTime) < 1e-5 })

        let (photoTags, movieTags) = try Reader.tags(of: report)
        #expect(photoTags["Warning"] == nil && movieTags["Warning"] == nil)
        #expect((photoTags["ContentIdentifier"] ?? photoTags["MediaGroupUUID"]) as? String == report.contentIdentifier)
        #expect(photoTags["ImageWidth"] as? Int == 720 && photoTags["ImageHeight"] as? Int == 1280)
        #expect(photoTags["Orientation"] as? Int == 1)
        let photo = try description(of: report.photo)
        #expect(photo.contains(/image: 720x1280 \(id=1\), primary\n +thumbnail: 234x416\n/) && photo.contains("nclx"))

        let verified = try Program.livephoto(
            "verify", report.photo, report.movie, "--profile", "modern", "--pixels")
        #expect(verified.status == 0 && verified.output.contains("no problems found"))
        let png = folder.path("photo.png")
        #expect(try Program.system("heif-convert", [report.photo, png]).status == 0)
        #expect(try Reader.similarity((report.movie, report.stillTime), (png, nil)) > 0.95)
    }

    @Test(arguments: ["642x342", "641x361", "500x130"])
    func `a HEIC of any size has a thumbnail with even edges, which FFmpeg needs`(size: String) throws {
        let clip = try SampleClips.make(
            "size.mkv",
            "-f lavfi -i testsrc2=size=800x400:rate=15:duration=0.5"
                + " -vf format=yuv444p,crop=\(size.replacing("x", with: ":")):exact=1 -c:v ffv1")
        let report = try convert(clip, "--photo-format heic")
        #expect("\(report.photoWidth)x\(report.photoHeight)" == size)
        #expect(try description(of: report.photo).contains(/primary\n +thumbnail: 416x[0-9]*[02468]\n/))
        #expect(try Reader.tags(report.photo)["Warning"] == nil)
    }

    @Test(arguments: [
        ("--video-codec hevc", "hevc", "JPG"), ("--photo-format heic", "h264", "HEIC"),
        ("--preset modern --video-codec h264 --photo-format jpeg", "h264", "JPG"),
    ])
    func `codec and photo format are chosen one by one`(options: String, codec: String, ending: String) throws {
        let report = try convert(try SampleClips.beach(), options)
        let video = try #require(try Reader.streams(report.movie).first)
        #expect(video["codec_name"] as? String == codec)
        #expect(report.photo.hasSuffix("/beach.\(ending)"))
    }

    @Test(arguments: [
        ("jpg", "", "JPG"), ("png", "", "HEIC"), ("jpg", " --contrast 20", "HEIC"), ("png", " --contrast 20", "HEIC"),
    ])
    func `a photo of the user's own becomes a HEIC where it is encoded`(
        kind: String, options: String, ending: String
    ) throws {
        let photo = try SampleClips.make(
            "own.\(kind)", "-ss 1 -i \(try SampleClips.beach()) -frames:v 1 -vf scale=1280:720")
        let report = try convert(try SampleClips.beach(), "--photo-format heic --photo \(photo)\(options)")
        #expect(report.photo.hasSuffix("/beach.\(ending)"))
        let tags = try Reader.tags(report.photo)
        #expect(tags["ImageWidth"] as? Int == 1280 && tags["Warning"] == nil)
    }
}

/// HDR that stays HDR.
@Suite struct KeptHDRTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let display =
        "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"

    private func clip(_ name: String, _ transfer: String, codec: String = "ffv1", range: String = "tv") throws -> String
    {
        try SampleClips.hdr(name, transfer, codec: codec, range: range)
    }

    private func convert(_ clip: String, _ options: String...) throws -> Report {
        try Report(
            try Program.livephoto(["convert", clip, "-o", folder.url.path, "--json", "--preset", "modern"] + options))
    }

    /// The largest and the mean difference in code values between the frame of a movie and that of another file.
    private func difference(_ file: String, at time: Double, _ other: String, at otherTime: Double) throws -> (
        Int, Double
    ) {
        let samples = try [(file, time), (other, otherTime)].map { file, time in
            let outcome = try Program.system(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-ss", "\(max(time - 0.01, 0))", "-i", file, "-frames:v", "1", "-f",
                    "rawvideo", "-y", folder.path("frame.yuv"),
                ])
            try #require(outcome.status == 0, "\(outcome.errors)")
            let data = try Data(contentsOf: folder.url.appendingPathComponent("frame.yuv"))
            return stride(from: 0, to: data.count - 1, by: 2).map { Int(data[$0]) | Int(data[$0 + 1]) << 8 }
        }
        try #require(samples[0].count == samples[1].count && !samples[0].isEmpty)
        let differences = zip(samples[0], samples[1]).map { abs($0 - $1) }
        return (differences.max() ?? 0, Double(differences.reduce(0, +)) / Double(differences.count))
    }

    @Test(arguments: [("arib-std-b67", "HLG", 18), ("smpte2084", "PQ", 16)])
    func `PQ and HLG stay in movie and photo, with their code values`(
        transfer: String, name: String, code: Int
    ) throws {
        let clip = try clip("hdr-\(transfer).mkv", transfer)
        let plan = try Program.livephoto("convert", clip, "--preset", "modern", "-n").output
        #expect(plan.contains("HEVC Main 10 in \(name), x265 medium"))
        let report = try convert(clip)
        let video = try #require(try Reader.streams(report.movie).first)
        #expect(video["profile"] as? String == "Main 10" && video["codec_tag_string"] as? String == "hvc1")
        #expect(video["pix_fmt"] as? String == "yuv420p10le" && video["color_range"] as? String == "tv")
        #expect(video["color_primaries"] as? String == "bt2020" && video["color_space"] as? String == "bt2020nc")
        #expect(video["color_transfer"] as? String == transfer)
        let (largest, mean) = try difference(report.movie, at: report.stillTime, clip, at: report.stillTime)
        #expect(largest <= 16 && mean < 1.5, "\(largest), \(mean)")

        let tags = try Reader.tags(report.photo)
        #expect(tags["ColorPrimaries"] as? Int == 9 && tags["TransferCharacteristics"] as? Int == code)
        #expect(tags["MatrixCoefficients"] as? Int == 9 && tags["BitDepthLuma"] as? Int == 10)
        // Main 10, with nothing that needs another profile.
        #expect(tags["GeneralProfileIDC"] as? Int == 2)
        #expect(tags["ColorSpace"] as? Int == 0xFFFF && tags["Warning"] == nil)
        let verified = try Program.livephoto("verify", report.photo, report.movie, "--profile", "modern", "--pixels")
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test func `the metadata of HDR10 stay in boxes and in each key frame`() throws {
        let clip = try clip(
            "hdr10.mp4", "smpte2084",
            codec: "libx265 -x265-params log-level=none:hdr10=1:max-cll=1000,400:master-display=\(Self.display)")
        // Twice as long, so that there are two key frames.
        let report = try convert(clip, "--effect", "bounce")
        let outcome = try Program.system(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-skip_frame", "nokey", "-show_frames", "-of", "json",
                report.movie,
            ])
        let text = outcome.output.replacing(/\s/, with: "")
        for value in ["\"red_x\":\"34000/50000\"", "\"max_luminance\":\"10000000/10000\"", "\"max_content\":1000"] {
            #expect(text.ranges(of: value).count == 2, "\(value): \(text)")
        }
        let movie = try Data(contentsOf: URL(fileURLWithPath: report.movie))
        let boxes = Data("mdcv".utf8) + [13250, 34500, 7500, 3000, 34000, 16000, 15635, 16450].flatMap(Self.bytes)
        #expect(movie.firstRange(of: boxes + [0, 0x98, 0x96, 0x80, 0, 0, 0, 50]) != nil)
        #expect(movie.firstRange(of: Data("clli".utf8) + [1000, 400].flatMap(Self.bytes)) != nil)
    }

    private static func bytes(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    @Test func `full range becomes limited, which is what players expect`() throws {
        let report = try convert(try clip("full.mkv", "arib-std-b67", range: "pc"))
        let video = try #require(try Reader.streams(report.movie).first)
        #expect(video["color_range"] as? String == "tv" && video["color_transfer"] as? String == "arib-std-b67")
    }

    @Test(arguments: [
        (["--hdr", "tone-map"], "HEIC", "bt709"), (["--photo-format", "jpeg"], "JPG", "arib-std-b67"),
        (["--rotate", "90"], "HEIC", "arib-std-b67"), (["--fit", "1:1"], "HEIC", "arib-std-b67"),
        (["--effect", "loop"], "HEIC", "arib-std-b67"),
    ])
    func `what HDR becomes follows from the options`(options: [String], ending: String, transfer: String) throws {
        let clip = try clip("hdr-arib-std-b67.mkv", "arib-std-b67")
        let arguments = ["convert", clip, "-o", folder.url.path, "--json", "--preset", "modern"] + options
        let report = try Report(try Program.livephoto(arguments))
        #expect(report.photo.hasSuffix(".\(ending)"))
        #expect(try Reader.streams(report.movie).first?["color_transfer"] as? String == transfer)
    }

    @Test(arguments: [
        (["--video-codec", "h264"], "which an H.264 movie cannot keep; write --video-codec hevc, or --hdr tone-map"),
        (
            ["--exposure", "1"],
            "which adjustments, --stabilize and long exposures cannot keep; --hdr tone-map makes SDR"
        ),
        (["--effect", "long-exposure"], "which adjustments, --stabilize and long exposures cannot keep"),
    ])
    func `settings that need SDR are an error that says what to do`(options: [String], sentence: String) throws {
        let clip = try clip("hdr-arib-std-b67.mkv", "arib-std-b67")
        let outcome = try Program.livephoto(
            ["convert", clip, "-o", folder.url.path, "--preset", "modern"] + options)
        #expect(outcome.status == 64 && outcome.errors.contains("is HDR, \(sentence)"), "\(outcome.errors)")
        #expect(folder.contents.isEmpty)
    }

    @Test func `a picture that is too small for HEVC is an error`() throws {
        let clip = try SampleClips.make("tiny.mkv", "-f lavfi -i testsrc2=size=8x8:rate=15:duration=1 -c:v ffv1")
        let outcome = try Program.livephoto("convert", clip, "-o", folder.url.path, "--video-codec", "hevc")
        #expect(outcome.status == 64 && outcome.errors.contains("HEVC needs at least 16 pixels a side"))
        #expect(folder.contents.isEmpty)
    }

    @Test(arguments: ["16x16", "34x20", "20x64"])
    func `small pictures become HEVC`(size: String) throws {
        let clip = try SampleClips.make("small.mkv", "-f lavfi -i testsrc2=size=\(size):rate=30:duration=1 -c:v ffv1")
        let report = try Report(
            Program.livephoto("convert", clip, "-o", folder.url.path, "--preset", "modern", "--json"))
        #expect("\(report.width)x\(report.height)" == size && report.photo.hasSuffix(".HEIC"))
    }
}
