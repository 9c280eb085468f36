import Foundation
import TestSupport
import Testing

/// How `edit` encodes: like the files of the pair, or as requested.
@Suite struct EditCodingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The pair that the preset `modern` makes of a clip of HDR, as `hdr.HEIC` and `hdr.MOV`.
    private func convertHDR(_ transfer: String = "arib-std-b67", codec: String = "ffv1") throws {
        let clip = try SampleClips.hdr("hdr-\(transfer)-\(codec.count).mov", transfer, codec: codec)
        try Program.run([
            Program.livephoto.path, "convert", clip, "--preset", "modern", "--name", "hdr", "-o", folder.url.path,
        ])
    }

    private func run(_ arguments: [String]) throws -> Outcome { try Program.livephoto(arguments, in: folder.url) }

    private func edit(_ photo: String, _ options: [String]) throws -> Report {
        let report = try Report(run(["edit", photo, "-o", "out", "--json"] + options))
        #expect(try run(["verify", report.photo, report.movie]).status == 0)
        return report
    }

    /// `Main 10, arib-std-b67; HEIC, 10`
    private func coding(of report: Report) throws -> String {
        let (photo, movie) = (folder.path(report.photo), folder.path(report.movie))
        let video = try #require(try Reader.streams(movie).first { $0["codec_type"] as? String == "video" })
        let tags = try Reader.tags(photo)
        #expect(tags["Warning"] == nil)
        let depth = (tags["BitDepthLuma"] as? Int).map { ", \($0)" } ?? ""
        return "\(video["profile"] ?? ""), \(video["color_transfer"] ?? ""); \(tags["FileType"] ?? "")\(depth)"
    }

    @Test(arguments: [
        (["--flip", "horizontal"], "Main 10, arib-std-b67; HEIC, 10", ""),
        (["--fill", "1:1", "--volume", "0.5"], "Main 10, arib-std-b67; HEIC, 10", ""),
        (["--new-key-photo", "--still", "0.2"], "Main 10, arib-std-b67; HEIC, 10", ""),
        (
            ["--exposure", "0.5"], "Main, bt709; HEIC, 8",
            "the movie was HDR and photo and movie are SDR, because adjustments, long exposures and frame processors need SDR"
        ),
        (["--hdr", "tone-map"], "Main, bt709; HEIC, 8", ""),
        (["--photo-format", "jpeg"], "Main 10, arib-std-b67; JPEG", ""),
        (
            ["--video-codec", "h264"], "High, bt709; HEIC, 10",
            "the movie was HDR and is now SDR, because H.264 cannot keep HDR"
        ),
        (["--effect", "long-exposure"], "Main 10, arib-std-b67; HEIC, 8", "the photo is SDR, because"),
    ])
    func `codec, HDR and photo format stay, unless something else is requested or needed`(
        options: [String], expected: String, warning: String
    ) throws {
        try convertHDR()
        let report = try edit("hdr.HEIC", options)
        #expect(try coding(of: report) == expected)
        #expect(warning.isEmpty == report.warnings.isEmpty)
        #expect(report.warnings.allSatisfy { $0.contains(warning) }, "\(report.warnings)")
    }

    @Test func `the metadata of HDR10 and the code values stay`() throws {
        try convertHDR(
            "smpte2084",
            codec: "libx265 -tag:v hvc1 -x265-params log-level=none:hdr10=1:max-cll=1000,400:master-display="
                + "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)")
        let report = try edit("hdr.HEIC", ["--rotate", "180"])
        #expect(try coding(of: report) == "Main 10, smpte2084; HEIC, 10")
        let movies = try ["hdr.MOV", report.movie].map { try Data(contentsOf: URL(filePath: folder.path($0))) }
        for box in ["mdcv", "clli"] {
            let contents = try movies.map { movie in
                let start = try #require(movie.firstRange(of: Data(box.utf8))?.upperBound)
                return Data(movie[start..<start + (box == "mdcv" ? 24 : 4)])
            }
            #expect(contents[0] == contents[1])
        }
        try Program.run(["heif-convert", folder.path("hdr.HEIC"), folder.path("old.png")])
        try Program.run(["heif-convert", folder.path(report.photo), folder.path("new.png")])
        #expect(
            try Reader.similarity((folder.path("new.png"), nil), (folder.path("old.png"), nil), filters: "hflip,vflip")
                > 0.98)
    }

    @Test func `SDR in HEVC stays HEVC, and H.264 becomes HEVC on request`() throws {
        try SamplePair.copyConverted(to: folder.url)
        let modern = try edit("beach.JPG", ["--video-codec", "hevc", "--photo-format", "heic", "--name", "modern"])
        #expect(try coding(of: modern) == "Main, bt709; HEIC, 8" && modern.warnings.isEmpty)
        #expect(try Reader.frameTimes(folder.path(modern.movie)) == Reader.frameTimes(folder.path("beach.MOV")))
        let again = try edit(modern.photo, ["--contrast", "10", "--name", "again"])
        #expect(try coding(of: again) == "Main, bt709; HEIC, 8" && again.warnings.isEmpty)
        let former = try edit(modern.photo, ["--video-codec", "h264", "--photo-format", "jpeg", "--name", "former"])
        #expect(try coding(of: former) == "High, bt709; JPEG" && former.warnings.isEmpty)
    }

    @Test(arguments: [
        (["--exposure", "1"], "which adjustments, --stabilize and long exposures cannot keep"),
        (["--video-codec", "h264"], "which an H.264 movie cannot keep; write --video-codec hevc"),
        (["--hdr", "both"], "gets no gain map by an edit, which only keeps one that the photo has"),
    ])
    func `HDR that was asked for and cannot be kept is an error`(options: [String], reason: String) throws {
        try convertHDR()
        let before = try folder.files
        let outcome = try run(
            ["edit", "hdr.HEIC", "-o", "out"] + (options[0] == "--hdr" ? [] : ["--hdr", "keep"]) + options)
        #expect(outcome.status == 64 && outcome.errors.contains(reason), "\(outcome.errors)")
        #expect(try folder.files == before)
    }

    @Test func `another photo format changes only the photo, also in place and back`() throws {
        try SamplePair.copyConverted(to: folder.url)
        let before = try folder.files
        let outcome = try run(["edit", "beach.JPG", "--photo-format", "heic", "--in-place", "--json"])
        #expect(try Report(outcome).photo == "beach.HEIC")
        #expect(folder.contents.filter { !$0.hasPrefix(".") } == ["beach.HEIC", "beach.MOV", "beach.edit.yaml"])
        #expect(
            try run(["edit", "beach.HEIC", "--photo-format", "heic", "-n", "-o", "x"]).output.contains("unchanged"))
        #expect(try run(["undo", "beach.HEIC"]).status == 0)
        for (name, bytes) in before { #expect(try folder.files[name] == bytes) }
    }
}
