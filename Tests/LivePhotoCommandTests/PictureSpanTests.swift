import Foundation
import TestSupport
import Testing

/// Clips whose pictures begin late, change their size, or show nothing.
@Suite struct PictureSpanTests {
    @Test(arguments: ["mkv", "ts", "mp4"])
    func `the middle of a clip whose sound begins long before its picture is the middle of the picture`(
        ending: String
    ) throws {
        let clip = try SampleClips.make(
            "late.\(ending)",
            "-itsoffset 6 -i \(CountingClip.original()) -f lavfi -i sine=d=14 -map 0:v -map 1:a -fps_mode vfr -c:v libx264"
                + " -pix_fmt yuv420p -g 25 -c:a aac")
        for arguments in [[], ["--still", "50%"]] {
            let folder = try TemporaryFolder()
            let report = try Report(
                try Program.livephoto(["convert", clip, "-o", folder.url.path, "--json"] + arguments))
            #expect(abs(report.stillTimeInClip - 10) < 0.1)
            #expect((99...101).contains(try FullDecode(report.photo).numbers[0]))
            #expect(report.warnings.isEmpty)
        }
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", "2", "-o", folder.url.path, "--json"))
        #expect(try FullDecode(report.photo).numbers == [0])
        #expect(report.warnings.contains { $0.contains("after the still time 2 s; its first frame is the photo") })
    }

    struct Short: Sendable, CustomTestStringConvertible {
        let name: String
        let options: String
        /// What is left of the file.
        var part = 1.0
        var testDescription: String { name }
    }

    @Test(arguments: [
        Short(name: "sound.mkv", options: "-f lavfi -i sine=d=5 -map 0:v -map 1:a -c:a aac"),
        Short(name: "offset.mkv", options: "-output_ts_offset 2"),
        Short(name: "cut.mkv", options: "-g 25", part: 0.6),
        Short(name: "cut.mp4", options: "-g 25 -movflags +faststart", part: 0.7),
    ])
    func `a movie does not end in a frozen frame where the picture ends before the clip`(test: Short) throws {
        let clip = try SampleClips.make(
            test.name, "-t 3 -i \(CountingClip.original()) \(test.options) -c:v libx264 -pix_fmt yuv420p")
        let folder = try TemporaryFolder()
        let short = try CountingClip.changed(clip, in: folder) { $0 = $0.prefix(Int(Double($0.count) * test.part)) }
        let report = try Report(try Program.livephoto("convert", short, "-o", folder.path("out"), "--json"))
        #expect(report.warnings.count { $0.hasPrefix("the clip's picture ends at ") } == 1, "\(report.warnings)")
        let last = try #require(try FullDecode(short).numbers.last)
        let movie = try FullDecode(report.movie)
        #expect(abs(try #require(movie.numbers.last) - last) <= 2)
        #expect(abs(try #require(try FullDecode(report.photo).numbers.first) - last / 2) <= 2)
        let lasts = try Program.run([
            "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=duration", "-of", "csv=p=0",
            report.movie,
        ])
        let duration = try #require(Double(lasts.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(duration - (movie.times.last ?? 0) < 0.2)
    }

    @Test(arguments: ["-map 0:v", "-map 0:v -map 1:a"])
    func `a clip whose streams all begin late begins with its first picture`(streams: String) throws {
        let clip = try SampleClips.make(
            "delayed.mov",
            "-itsoffset 3 -i \(CountingClip.original()) -itsoffset 3 -f lavfi -i sine=d=8 \(streams) -fps_mode vfr"
                + " -c:v libx264 -pix_fmt yuv420p -bf 0 -c:a aac -avoid_negative_ts disabled")
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        // Players count from the start of the movie, not from its first picture.
        #expect(abs(report.stillTimeInClip - 7) < 0.1)
        #expect((99...101).contains(try FullDecode(report.photo).numbers[0]))
        #expect(report.warnings.isEmpty)
    }

    /// Two pictures of other sizes, or pixels, one after the other; each counts from 0.
    private func changing(_ first: String, _ second: String) throws -> String {
        let encoding = "-c:v libx264 -pix_fmt yuv420p -bf 0 -g 25"
        let parts = try [(first, 0), (second, 8)].map { filters, offset in
            try SampleClips.make(
                "part.ts", "-i \(CountingClip.original()) -vf \(filters) \(encoding) -output_ts_offset \(offset)")
        }
        let data = try parts.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }.reduce(Data(), +)
        let path = (parts[1] as NSString).deletingLastPathComponent + "/changing.ts"
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let first: String
        let second: String
        let still: String
        /// Of the movie, and of the photo.
        let size: String
        /// As the warning names them.
        let shapes: String
        var hasBars = true
        var testDescription: String { "\(first), \(second), \(still)" }
    }

    @Test(arguments: [
        Change(
            first: "scale=128:96,setsar=1", second: "scale=192:96,setsar=1", still: "7", size: "128x96",
            shapes: "128x96 to 192x96"),
        Change(
            first: "scale=128:96,setsar=1", second: "scale=192:96,setsar=1", still: "9", size: "192x96",
            shapes: "128x96 to 192x96"),
        Change(
            first: "scale=128:96,setsar=1", second: "scale=256:192,setsar=1", still: "9", size: "256x192",
            shapes: "128x96 to 256x192", hasBars: false),
        Change(
            first: "setsar=1", second: "setsar=3/2", still: "9", size: "192x96",
            shapes: "128x96 to 128x96 (pixels of 3:2)"),
    ])
    func `pictures that change their shape keep it, and the still's is the movie's`(test: Change) throws {
        let folder = try TemporaryFolder()
        let clip = try changing(test.first, test.second)
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", test.still, "-o", folder.url.path, "--json"))
        #expect("\(report.width)x\(report.height)" == test.size)
        #expect("\(report.photoWidth)x\(report.photoHeight)" == test.size)
        let bars = test.hasBars ? ", with black bars beside the others" : ""
        #expect(
            report.warnings.map { $0.replacing(/at (8|8\.04|7\.96) s/, with: "at TIME") } == [
                "the clip's pictures change from \(test.shapes) at TIME; the whole movie is \(test.size), made for the"
                    + " picture at the still time\(bars)"
            ])
        // A picture of another shape is between bars, which the rightmost column of the movie shows.
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "error", "-i", report.movie, "-vf", "crop=2:ih/2:iw-2:ih/2,scale=1:1,format=gray", "-f", "rawvideo"]
                + [folder.path("edge")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let edge = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("edge"))))
        let isFirst = Double(test.still) ?? 0 < 8
        let hasBars = test.hasBars && !isFirst
        #expect((edge.first.map { $0 < 12 }) == hasBars)
    }

    @Test func `a movie of one flat colour gets a warning where the clip shows pictures elsewhere`() throws {
        let flat = "-f lavfi -i color=gray:s=128x96:r=25:d=6"
        let clip = try SampleClips.make(
            "flat.mp4",
            "\(flat) -i \(CountingClip.original()) -filter_complex [0][1]concat -c:v libx264 -pix_fmt yuv420p")
        let all = try SampleClips.make("all.mp4", "\(flat) -c:v libx264 -pix_fmt yuv420p")
        for (clip, still, count) in [(clip, "3", 1), (clip, "9", 0), (all, "3", 0), (clip, "3 --fit 1:1", 1)] {
            let folder = try TemporaryFolder()
            let report = try Report(
                try Program.livephoto(
                    ["convert", clip, "-o", folder.url.path, "--json", "--still"]
                        + still.split(separator: " ").map(String.init)))
            #expect(report.warnings.count == count)
            #expect(
                report.warnings.allSatisfy { $0.hasPrefix("every picture of the movie is one flat colour, though") })
        }
    }
}
