import Foundation
import TestSupport
import Testing

/// What `export` writes, as other programs see it.
@Suite struct ExportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
    }

    private func run(_ line: String) throws -> Outcome {
        try Program.livephoto(line.split(separator: " ").map(String.init), in: folder.url)
    }

    /// - Returns: the path of the only new file or folder.
    private func made(_ line: String) throws -> String {
        let before = try folder.names
        let outcome = try run(line)
        try #require(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let name = outcome.output.trimmingCharacters(in: .newlines)
        #expect(try folder.names == (before + [name]).sorted())
        return folder.path(name)
    }

    private func document(_ line: String) throws -> [String: Any] {
        let outcome = try run(line + " --json")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func video(_ path: String) throws -> [String: Any] {
        try #require(try Reader.streams(path).first { $0["codec_type"] as? String == "video" })
    }

    @Test func `an MP4 has all frames at their times, the sound, the key photo as cover, and no identifier`() throws {
        let movie = try made("export beach.JPG --as mp4 -o out.mp4")
        let streams = try Reader.streams(movie)
        #expect(streams.compactMap { $0["codec_name"] as? String } == ["h264", "aac", "mjpeg"])
        #expect(streams.map { ($0["disposition"] as? [String: Int])?["attached_pic"] } == [0, 0, 1])
        #expect(streams[0]["pix_fmt"] as? String == "yuv420p" && streams[0]["color_space"] as? String == "bt709")
        #expect(try Reader.frameTimes(movie) == Reader.frameTimes(folder.path("beach.MOV")))
        #expect(abs(try Reader.soundLength(movie) - Reader.soundLength(folder.path("beach.MOV"))) < 0.03)
        #expect(try Reader.tags(movie)["ContentIdentifier"] == nil)
        // Played while it is loaded: the description comes before the media.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: movie))
        let (description, media) = (bytes.firstRange(of: Data("moov".utf8)), bytes.firstRange(of: Data("mdat".utf8)))
        #expect(try #require(description).lowerBound < #require(media).lowerBound)
        #expect(try Reader.similarity((movie, 1), (folder.path("beach.MOV"), 1)) > 0.98)
    }

    @Test func `an MP4 can be cut, scaled and muted`() throws {
        let movie = try made(
            "export beach.MOV --as mp4 --start 0.5 --duration 1s --max-size 160 --fps 15 --no-audio -o out.mp4")
        let streams = try Reader.streams(movie)
        #expect(streams.map { $0["codec_type"] as? String } == ["video", "video"])
        #expect(streams[0]["width"] as? Int == 160 && streams[0]["height"] as? Int == 90)
        #expect(try Reader.frameTimes(movie).count == 15)
    }

    @Test func `several pairs are exported at a time, and two that would be one file are an error`() throws {
        for name in ["lake", "sea"] {
            for kind in ["JPG", "MOV"] {
                try FileManager.default.copyItem(
                    atPath: folder.path("beach.\(kind)"), toPath: folder.path("\(name).\(kind)"))
            }
        }
        let arguments = ["beach.JPG", "lake.JPG", "sea.JPG", "--as", "jpeg", "-o", "out", "--jobs", "3"]
        let outcome = try Program.livephoto(["export"] + arguments, in: folder.url)
        #expect(outcome.status == 0 && outcome.output.split(separator: "\n").count == 3, "\(outcome)")
        let twice = try Program.livephoto(
            ["export", "beach.JPG", "lake.JPG", "beach.MOV", "-f"] + arguments.dropFirst(3), in: folder.url)
        #expect(twice.output.split(separator: "\n").count == 2, "\(twice)")
    }

    @Test(arguments: ["gif", "webp", "avif"]) func `a dry run fails where the export would`(_ format: String) throws {
        let arguments = ["export", "beach.JPG", "--as", format, "--loop", "3", "-o", "loops.\(format)"]
        let dry = try Program.livephoto(arguments + ["--dry-run"], in: folder.url)
        let real = try Program.livephoto(arguments, in: folder.url)
        #expect(dry.status == real.status)
        if real.status != 0 { #expect(dry.errors == real.errors && dry.errors.contains("FFmpeg")) }
    }

    @Test func `a GIF has the frames of the movie, a delay of at least 0.02 s for each, and loops`() throws {
        let gif = try made("export beach.JPG beach.MOV --as gif -o out.gif")
        let stream = try video(gif)
        #expect(stream["codec_name"] as? String == "gif" && stream["width"] as? Int == 320)
        let (times, source) = (try Reader.frameTimes(gif), try Reader.frameTimes(folder.path("beach.MOV")))
        #expect(times.count == source.count)
        // Rounded one by one, never accumulated.
        #expect(zip(times, source).allSatisfy { abs($0 - $1) <= 0.0051 })
        #expect(try Reader.similarity((gif, 1), (folder.path("beach.MOV"), 1)) > 0.8)
        #expect(try Data(contentsOf: URL(fileURLWithPath: gif)).firstRange(of: Data("NETSCAPE2.0".utf8)) != nil)
        let once = try made("export beach.JPG --as gif --loop 1 -o once.gif")
        #expect(try Data(contentsOf: URL(fileURLWithPath: once)).firstRange(of: Data("NETSCAPE2.0".utf8)) == nil)
    }

    @Test func `a GIF of 30 frames per second keeps the length of the movie`() throws {
        let pair = try Program.livephoto(
            ["convert", try SampleClips.beach(), "--fps", "30", "--name", "fast"], in: folder.url)
        try #require(pair.status == 0)
        let gif = try document("export fast.JPG --as gif --fps 30 --max-size 96x64 -o out.gif")
        #expect(gif["frames"] as? Int == 90 && gif["duration"] as? Double == 3)
        let times = try Reader.frameTimes(folder.path("out.gif"))
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 > 0.029 && $0 - $1 < 0.041 })
    }

    @Test(arguments: ["webp", "avif"])
    func `an animation that this build cannot write is one sentence, any other is complete`(format: String) throws {
        let doctor = try run("doctor").output.split(separator: "\n")
        let line = try #require(doctor.first { $0.hasPrefix("export \(format) ") })
        let outcome = try run(
            "export beach.JPG --as \(format) --max-size 128 --duration 1 --quality 60 -o out.\(format)")
        guard line.contains(" ok ") else {
            #expect(outcome.status == 69 && outcome.errors.contains("cannot write \(format)"), "\(outcome.errors)")
            #expect(!folder.contents.contains("out.\(format)"))
            return
        }
        #expect(outcome.status == 0 && outcome.output == "out.\(format)\n", "\(outcome.errors)")
        let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("out.\(format)")))
        #expect(Array(bytes[8..<12]) == Array((format == "webp" ? "WEBP" : "avis").utf8))
    }

    @Test(arguments: [
        // A pause before the end, frames that are all equal, a few very short frames.
        ("pause.mov", "testsrc2=size=162x121:rate=10:duration=2 -vf select=lt(n\\,8)+eq(n\\,19) -fps_mode vfr", 2.0),
        ("flat.mov", "color=red:size=64x64:rate=15:duration=2", 2),
        ("tiny.mov", "testsrc2=size=16x16:rate=90:duration=1", 1),
    ])
    func `movies with unusual frames are exported in all formats`(name: String, source: String, length: Double) throws {
        let clip = try SampleClips.make(name, "-f lavfi -i \(source) -pix_fmt yuv420p")
        let formats = try run("doctor").output.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ")
            return words.count > 2 && words[0] == "export" && words[2] == "ok" ? String(words[1]) : nil
        }
        for format in formats where format != "jpeg" {
            let result = try document("export beach.JPG \(clip) --as \(format) --fps 1-50 -o out/\(format)/a")
            #expect(result["warnings"] as? [String] == [], "\(format)")
            let duration = try #require(result["duration"] as? Double)
            #expect(abs(duration - length) < 0.021, "\(format): \(duration)")
        }
    }

    @Test func `a JPEG is the photo itself without its identifier`() throws {
        let photo = try made("export beach.JPG --as jpeg -o out.jpg")
        let (before, after) = (try Reader.tags(folder.path("beach.JPG")), try Reader.tags(photo))
        #expect(before["MediaGroupUUID"] != nil && after["MediaGroupUUID"] == nil)
        #expect(after["DateTimeOriginal"] as? String == before["DateTimeOriginal"] as? String)
        func scan(_ path: String) throws -> Data {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            return bytes[try #require(bytes.firstRange(of: Data([0xFF, 0xDA]))).lowerBound...]
        }
        #expect(try scan(photo) == scan(folder.path("beach.JPG")))
        let small = try made("export beach.JPG --as jpeg --max-size 100 -o small.jpg")
        #expect(try video(small)["width"] as? Int == 100)
    }

    @Test func `a HEIC becomes an upright JPEG with its metadata`() throws {
        try Program.run(["heif-enc", "beach.JPG", "-o", "a.heic"], in: folder.url)
        let linked = try run("link a.heic beach.MOV --date 2025-09-12T13:45:10+02:00 -o pair --name a")
        try #require(linked.status == 0, "\(linked.errors)")
        let photo = try made("export pair/a.HEIC --as jpeg -o out.jpg")
        let tags = try Reader.tags(photo)
        #expect(tags["FileType"] as? String == "JPEG" && tags["MediaGroupUUID"] == nil)
        #expect(tags["DateTimeOriginal"] as? String == "2025:09:12 13:45:10")
        #expect(try Reader.similarity((photo, nil), (folder.path("beach.JPG"), nil)) > 0.95)
    }

    @Test func `frames go to a new folder, all of them, and never into one with files`() throws {
        let frames = try made("export beach.JPG --as frames --duration 1 -o frames")
        let names = try FileManager.default.contentsOfDirectory(atPath: frames).sorted()
        #expect(names.count == 15 && names.first == "frame-0001.jpg" && names.last == "frame-0015.jpg")
        #expect(try Reader.similarity((frames + "/frame-0003.jpg", nil), (folder.path("beach.MOV"), 2.0 / 15)) > 0.97)
        let again = try run("export beach.JPG --as frames -o frames --force")
        #expect(again.status == 0 && again.output == "frames/beach-frames\n", "\(again)")
        let third = try run("export beach.JPG --as frames -o frames --force")
        #expect(third.status == 73 && third.errors.contains("only to a new folder"), "\(third.errors)")
    }

    @Test func `motion photos and archives are exported like pairs`() throws {
        try #require(try run("pack beach.JPG --as livp -o beach.livp").status == 0)
        let outcome = try run("export PXL_1.MP.jpg beach.livp beach.JPG beach.MOV --as gif --max-size 64 -o out")
        #expect(outcome.status == 1)
        #expect(outcome.output == "out/PXL_1.gif\nout/beach.gif\n")
        // The archive and the pair have one name.
        #expect(outcome.errors.contains("would go to out/beach.gif"), "\(outcome.errors)")
        let photo = try made("export PXL_1.MP.jpg --as jpeg -o still.jpg")
        #expect(try Data(contentsOf: URL(fileURLWithPath: photo)).firstRange(of: Data("ftyp".utf8)) == nil)
    }

    @Test func `nothing is replaced unasked, and a dry run writes nothing`() throws {
        let before = folder.contents
        let planned = try run("export beach.JPG --as gif -o new/out.gif --dry-run")
        #expect(planned.output == "new/out.gif: 320x180, 45 frames, 3.0 s\n", "\(planned)")
        #expect(folder.contents == before)
        try Data("mine".utf8).write(to: folder.url.appendingPathComponent("out.gif"))
        let refused = try run("export beach.JPG --as gif -o out.gif")
        #expect(refused.status == 73 && refused.errors.contains("use --force"), "\(refused.errors)")
        #expect(try run("export beach.JPG --as gif --max-size 64 -o out.gif --force").status == 0)
        #expect(try run("export beach.JPG --as mp4 -o .").output == "./beach.mp4\n")
        let own = try run("export beach.JPG --as jpeg -o . --force")
        #expect(own.status == 73 && folder.contents.contains("beach.JPG"), "\(own.errors)")
    }

    @Test(arguments: [
        ("beach.JPG --as bmp", "write mp4, gif, webp, avif, jpeg or frames"),
        ("beach.JPG --as mp4 --loop 2", "--loop applies only to"),
        ("beach.JPG --as gif --no-audio", "--no-audio applies only to mp4"),
        ("beach.JPG --as gif --quality 50", "--quality applies only to"),
        ("beach.JPG --as gif --fps 60", "at most 50 fps"),
        ("beach.JPG --as gif --max-size 8", "one number for both"),
        ("beach.JPG --as gif --loop -1", "0 to 65535"),
        ("beach.JPG --as jpeg --start 1", "--as frames"),
        ("beach.JPG --as gif --start 1 --end 2 --duration 1", "leave one out"),
        ("beach.JPG --as gif --start 9", "which lasts 3"),
        ("beach.JPG --as gif -o out.mp4", "write 'out.gif'"),
    ])
    func `a request that cannot be met is one sentence, with status 64, and leaves nothing`(
        arguments: String, words: String
    ) throws {
        let before = folder.contents
        let outcome = try run("export " + arguments)
        #expect(outcome.status == 64 && outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && folder.contents == before)
    }

    @Test func `a damaged movie and a missing one are errors that leave nothing`() throws {
        try Data("no movie".utf8).write(to: folder.url.appendingPathComponent("bad.MOV"))
        let bad = try run("export beach.JPG bad.MOV --as gif -o new/out.gif")
        #expect(bad.status == 65 && bad.errors.contains("bad.MOV"), "\(bad.errors)")
        #expect(try run("export none.JPG --as gif").status == 66)
        #expect(!folder.contents.contains("new"))
    }
}
