import Foundation
import TestSupport
import Testing

/// What `pack --as motion-photo` re-encodes for phones.
@Suite struct MotionPhotoCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ line: String) throws -> Outcome {
        try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
    }

    /// A clip that is black and silent for a second, then white and loud.
    private func flash(_ name: String, video: String, sound: String) throws -> String {
        try SampleClips.make(
            name,
            "-f lavfi -i color=black:size=64x64:rate=30:duration=1 -f lavfi -i color=white:size=64x64:rate=30:duration=0.5"
                + " -f lavfi -i anullsrc=r=32000:cl=mono:d=1 -f lavfi -i sine=frequency=440:duration=0.5:sample_rate=32000"
                + " -filter_complex [0][1]concat[v];[2][3]concat=v=0:a=1,volume=8[a] -map [v] -map [a]"
                + " -c:v \(video) -pix_fmt yuv420p -c:a \(sound)")
    }

    /// Links a clip with its first frame as the photo, at the still time 0.5 s.
    private func link(_ clip: String, photo: String = "jpg") throws {
        try Program.ffmpeg("-i \(clip) -frames:v 1", to: "a.png", in: folder.url)
        let encode = photo == "jpg" ? ["ffmpeg", "-v", "error", "-i", "a.png"] : ["heif-enc", "a.png", "-o"]
        try Program.run(encode + ["a.\(photo)"], in: folder.url)
        let outcome = try run("link a.\(photo) \(clip) --still 0.5 --date 2025-09-12T13:45:10+02:00 -o pair --name a")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(arguments: ["pcm_s16le", "aac -ar 32000"])
    func `sound that phones do not play becomes AAC, at the same moment of the movie`(sound: String) throws {
        try link(try flash("flash.mov", video: "libx264", sound: sound))
        let packed = try run("pack pair/a.JPG pair/a.MOV --as motion-photo -o a.MP.jpg")
        try #require(packed.status == 0, "\(packed.errors)")
        try #require(try run("extract a.MP.jpg -o out --name a").status == 0)
        let streams = try Reader.streams(folder.path("out/a.MOV"))
        let audio = try #require(streams.first { $0["codec_type"] as? String == "audio" })
        #expect(audio["codec_name"] as? String == "aac" && audio["sample_rate"] as? String == "48000")
        let (beep, flash) = try Reader.beepAndFlash(folder.path("out/a.MOV"))
        #expect(abs(flash - 1) < 0.001 && abs(beep - 1) < 0.005, "\(beep), \(flash)")
        #expect(try run("verify out/a.JPG").status == 0)
        // The same pair is packed to the same bytes.
        let second = try run("pack pair/a.JPG pair/a.MOV --as motion-photo -o a.MP.jpg")
        #expect(second.status == 0 && second.errors == "1 pair: 1 already present\n", "\(second.errors)")
    }

    @Test func `AAC is copied bit for bit while the video becomes H.264`() throws {
        try link(
            try flash(
                "hevc-aac.mov", video: "libx265 -tag:v hvc1 -x265-params log-level=none", sound: "aac -ar 48000"))
        let packed = try run("pack pair/a.JPG pair/a.MOV --as motion-photo --video-codec h264 -o a.MP.jpg")
        try #require(packed.status == 0, "\(packed.errors)")
        try #require(try run("extract a.MP.jpg -o out --name a").status == 0)
        let sums = try ["pair/a.MOV", "out/a.MOV"].map { movie in
            try Program.run(
                ["ffmpeg", "-v", "error", "-i", movie, "-map", "0:a", "-c", "copy", "-f", "framehash", "-"],
                in: folder.url)
        }
        #expect(sums[0] == sums[1])
        #expect(try Reader.streams(folder.path("out/a.MOV")).first?["codec_name"] as? String == "h264")
    }

    @Test func `HEVC becomes H.264 with the same frame times and still time, and a HEIC a JPEG with its date`() throws {
        let clip = try flash("flash.mov", video: "libx265 -tag:v hvc1 -x265-params log-level=none", sound: "aac")
        try link(clip, photo: "heic")
        let kept = try run("pack pair/a.HEIC pair/a.MOV --as motion-photo -o .")
        #expect(
            kept.output == "./a.MP.heic\n" && kept.errors.hasSuffix("--photo-format jpeg writes a JPEG\n"), "\(kept)")
        let contents = folder.contents
        let planned = try run(
            "pack pair/a.HEIC pair/a.MOV --as motion-photo --photo-format jpeg --video-codec h264 -o new --dry-run")
        #expect(planned.output == "new/a.MP.jpg\n" && folder.contents == contents, "\(planned)")
        let packed = try run(
            "pack pair/a.HEIC pair/a.MOV --as motion-photo --photo-format jpeg --video-codec h264 -o .")
        #expect(packed.output == "./a.MP.jpg\n" && packed.errors.isEmpty, "\(packed.errors)")
        try #require(try run("extract a.MP.jpg -o out --name a").status == 0)
        #expect(try run("verify out/a.JPG").status == 0)
        let movie = folder.path("out/a.MOV")
        #expect(try Reader.streams(movie).first?["codec_name"] as? String == "h264")
        #expect(try Reader.frameTimes(movie) == Reader.frameTimes(folder.path("pair/a.MOV")))
        let (before, after) = (try Reader.tags(folder.path("pair/a.HEIC")), try Reader.tags(folder.path("out/a.JPG")))
        for name in ["DateTimeOriginal", "OffsetTimeOriginal", "ContentIdentifier", "MediaGroupUUID"] {
            #expect(after[name] as? String == before[name] as? String, "\(name)")
        }
        #expect(after["DateTimeOriginal"] != nil)
        // A HEIC needs fewer fields than a JPEG.
        for name in ["ExifVersion", "ComponentsConfiguration", "YCbCrPositioning", "ColorSpace"] {
            #expect(after[name] != nil, "\(name)")
        }
    }

    @Test func `H.264 has all frames of a movie whose frames are shown later than they are decoded, without sound`()
        throws
    {
        let clip = try SampleClips.make(
            "late.mov",
            "-f lavfi -i testsrc2=s=64x64:r=30:d=3 -vf select='not(mod(n,3))+lt(n,20)',settb=1/600 -fps_mode vfr"
                + " -c:v libx265 -x265-params log-level=none -tag:v hvc1 -pix_fmt yuv420p")
        try Program.ffmpeg("-i \(clip) -frames:v 1", to: "a.jpg", in: folder.url)
        try #require(try run("link a.jpg \(clip) --still 2.9 -o pair --name a").status == 0)
        let packed = try run("pack pair/a.JPG pair/a.MOV --as motion-photo --video-codec h264 -o a.MP.jpg")
        try #require(packed.status == 0, "\(packed.errors)")
        try #require(try run("extract a.MP.jpg -o out --name a").status == 0)
        let times = try Reader.frameTimes(folder.path("pair/a.MOV"))
        #expect(try Reader.frameTimes(folder.path("out/a.MOV")) == times)
        #expect(try Reader.tags(folder.path("a.MP.jpg"))["MotionPhotoPresentationTimestampUs"] as? Int == 2_900_000)
    }
}
