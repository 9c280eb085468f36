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

    /// What heif-info says of a file.
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
        ("jpg", "", "JPG"), ("png", "", "HEIC"), ("jpg", " --contrast 20", "HEIC"),
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
