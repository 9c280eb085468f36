import Foundation
import TestSupport
import Testing

/// Contact sheets.
@Suite struct FramesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(_ arguments: [String]) throws -> Outcome {
        try Program.livephoto(["frames"] + arguments, in: folder.url)
    }

    private func document(_ arguments: String...) throws -> [String: Any] {
        let outcome = try run(arguments + ["--json"])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private func frames(_ document: [String: Any]) throws -> [[String: Any]] {
        try #require(document["frames"] as? [[String: Any]])
    }

    @Test(arguments: ["jpg", "png"])
    func `a sheet has 24 pictures spread over the clip, one of them suggested`(format: String) throws {
        let clip = try SampleClips.beach()
        let document = try document(clip, "-o", "sheet.\(format)", "--max-size", "160")
        let frames = try frames(document)
        #expect(frames.count == 24 && frames.count { $0["suggested"] as? Bool == true } == 1)
        let times = frames.compactMap { $0["time"] as? Double }
        #expect(times == times.sorted() && times[0] < 0.2 && times[23] > 3.8)
        // The frames of the movie with the suggested still are next to each other.
        let marks = frames.compactMap { $0["inWindow"] as? Bool }
        let runs = zip(marks.dropFirst(), marks).count { $0.0 != $0.1 }
        #expect(marks.contains(true) && runs <= 2)
        #expect(frames.allSatisfy { $0["score"] is [String: Any] && $0["frame"] is Int })
        let stream = try #require(try Reader.streams(folder.path("sheet.\(format)")).first)
        #expect(stream["width"] as? Int == document["width"] as? Int)
        #expect(stream["height"] as? Int == document["height"] as? Int)
        // 6 × 4 pictures of 160 × 90 pixels.
        #expect(stream["width"] as? Int == 6 * 170 + 10)
        #expect(try folder.names == ["sheet.\(format)"])
    }

    @Test func `in a clip whose ends are not searched for the best still, the pictures are spread over all of it`()
        throws
    {
        let clip = try SampleClips.make(
            "ten.mp4", "-f lavfi -i testsrc2=size=96x64:rate=30:duration=10 -c:v libx264 -bf 0 -g 30")
        let shown = try frames(document(clip))
        let times = shown.compactMap { $0["time"] as? Double }
        #expect(times.count == 24)
        for (index, time) in times.enumerated() {
            // The best still is shown instead of the nearest other frame.
            let most = shown[index]["suggested"] as? Bool == true ? 10.0 / 24 : 0.25
            #expect(abs(time - (Double(index) + 0.5) * 10 / 24) < most, "\(times)")
        }
    }

    @Test(arguments: [
        ("29.97.mp4", "30000/1001", "libx264 -g 250", ""),
        ("vfr.mkv", "30", "libx264", "-vf select=not(mod(n\\,3))*lt(n\\,60)+gte(n\\,60) -fps_mode vfr"),
        ("gif.gif", "12.5", "gif", ""), ("ts.ts", "25", "mpeg2video -bf 2", ""),
    ])
    func `each time selects exactly its frame`(name: String, rate: String, codec: String, more: String) throws {
        let clip = try SampleClips.make(
            name, "-f lavfi -i testsrc2=size=96x64:rate=\(rate):duration=3 -c:v \(codec) \(more)")
        let frames = try frames(document(clip, "--count", "7"))
        #expect(frames.count == 7)
        let plans = try Program.livephoto(
            each: frames.map { frame in
                let still = try #require(frame["still"] as? String)
                return ["convert", clip, "--still", still, "--dry-run", "--json", "-o", folder.path("none")]
            })
        for (frame, outcome) in zip(frames, plans) {
            let plan = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
            #expect(plan?["stillTimeInClip"] as? Double == frame["time"] as? Double, "\(frame) \(outcome.errors)")
        }
    }

    @Test func `a picture shows what the key photo of its time shows`() throws {
        let clip = try SampleClips.moving("turned.mp4", seconds: 2, codec: "libx264 -g 30", sound: nil)
        let turned = try SampleClips.make("turned.mov", "-i \(clip) -c copy -metadata:s:v rotate=90")
        let document = try document(turned, "--count", "1", "-o", "sheet.png", "--max-size", "320")
        let still = try #require(document["suggestedStill"] as? String)
        let report = try Report(
            try Program.livephoto("convert", turned, "--still", still, "-o", folder.path("out"), "--json"))
        // The only picture is 180 × 320, at 10, 10.
        try Program.run(
            [
                "ffmpeg", "-v", "error", "-i", folder.path("sheet.png"), "-vf", "crop=180:320:10:10",
                folder.path("cell.png"),
            ])
        #expect(try Reader.similarity((folder.path("cell.png"), nil), (report.photo, nil)) > 0.95)
        // Like the key photo's, its samples are those of sRGB, whatever the clip's were.
        let sheet = try Data(contentsOf: URL(fileURLWithPath: folder.path("sheet.png")))
        #expect(sheet.range(of: Data("sRGB".utf8)) != nil)
    }

    @Test func `around a time, every frame of the movie is shown`() throws {
        let frames = try frames(document(try SampleClips.beach(), "--around", "2"))
        #expect(frames.count == 90)
        #expect(frames.compactMap { $0["frame"] as? Int } == Array(15..<105))
    }

    @Test func `frames can be shown at equal distances in a part`() throws {
        let frames = try frames(document(try SampleClips.beach(), "--start", "1", "--end", "2", "--every", "0.25"))
        let times = frames.filter { $0["suggested"] as? Bool == false }.compactMap { $0["time"] as? Double }
        #expect(times.count >= 3 && times.allSatisfy { 1...2 ~= $0 })
    }

    @Test func `suggestions are printed from the best on, and the first is the choice of --still auto`() throws {
        let clip = try SampleClips.beach()
        let outcome = try run([clip, "--suggest", "5"])
        let lines = outcome.output.split(separator: "\n")
        #expect(outcome.status == 0 && lines.count == 5 && lines.allSatisfy { $0.contains(": contrast ") })
        #expect(try folder.names == [])
        let still = try #require(lines.first?.split(separator: " ").dropFirst().first)
        let plans = try Program.livephoto(
            each: [String(still), "auto"].map {
                ["convert", clip, "--still", $0, "--dry-run", "--json", "-o", folder.path("none")]
            })
        let times = try plans.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.output.utf8)) as? [String: Any])[
                "stillTimeInClip"]
                as? Double
        }
        #expect(times[0] != nil && times[0] == times[1])
    }

    @Test func `a page contains its pictures, and loads nothing from elsewhere`() throws {
        let clip = try SampleClips.beach()
        let copy = "b<b>&\"each.mp4"
        try FileManager.default.copyItem(atPath: clip, toPath: folder.path(copy))
        let outcome = try run([copy, "--count", "4", "-o", "sheet.html", "--max-size", "80"])
        #expect(outcome.status == 0 && outcome.output == "sheet.html\n", "\(outcome.errors)")
        let page = try folder.text("sheet.html")
        #expect(page.components(separatedBy: "src=\"data:image/jpeg;base64,").count == 5)
        #expect(page.components(separatedBy: "data-still=\"--still ").count == 5)
        #expect(page.contains("Content-Security-Policy") && page.contains("default-src 'none'"))
        #expect(!page.contains("<b>&") && page.contains("b&lt;b&gt;&amp;&quot;each.mp4"))
        #expect(try folder.names == [copy, "sheet.html"])
    }

    @Test func `a clip with one frame has a sheet with one picture`() throws {
        let clip = try SampleClips.make("one.mp4", "-f lavfi -i testsrc2=size=64x48:duration=0.04:rate=25")
        let outcome = try run([clip])
        #expect(outcome.status == 0 && outcome.output == "one-frames.jpg\n", "\(outcome.errors)")
        #expect(try frames(document(clip)).count == 1)
    }

    @Test func `an existing sheet is only replaced with --force`() throws {
        try folder.write("mine", to: "sheet.jpg")
        let clip = try SampleClips.beach()
        let arguments = [clip, "--count", "2", "-o", "sheet.jpg"]
        let outcome = try run(arguments)
        #expect(outcome.status == 73 && outcome.errors.contains("already exists"), "\(outcome.errors)")
        #expect(try folder.text("sheet.jpg") == "mine")
        #expect(try run(arguments + ["--force"]).status == 0)
        #expect(try Reader.streams(folder.path("sheet.jpg")).count == 1)
    }

    @Test(arguments: [
        (["beach.mp4", "-o", "sheet.gif"], 64, "is not the name of a sheet"),
        (["beach.mp4", "--count", "0"], 64, "write 1 to 600"),
        (["beach.mp4", "--count", "3", "--suggest", "2"], 64, "exclude each other"),
        (["beach.mp4", "--around", "2", "--start", "1"], 64, "leave out --start and --end"),
        (["beach.mp4", "--every", "0"], 64, "more than 0 s"),
        (["beach.mp4", "--columns", "0"], 64, "write 1 to 100"),
        (["beach.mp4", "--max-size", "2x2"], 64, "is not a size"),
        (["beach.mp4", "--start", "5"], 64, "there is nothing at 5 s; the clip lasts 4 s"),
        (["beach.mp4", "--start", "2", "--end", "1"], 64, "is empty"),
        (["beach.mp4", "--every", "0.001"], 64, "at most 600 pictures"),
        (["beach.mp4", "--around", "9"], 64, "outside the clip"),
        (["sound.m4a"], 65, "no video"), (["broken.mp4"], 65, "broken.mp4"), (["missing.mp4"], 66, "missing.mp4"),
    ])
    func `what cannot be shown is one sentence, and leaves nothing behind`(
        arguments: [String], status: Int32, reason: String
    ) throws {
        let clip = try SampleClips.beach()
        try FileManager.default.createSymbolicLink(atPath: folder.path("beach.mp4"), withDestinationPath: clip)
        let sound = try SampleClips.make("sound.m4a", "-f lavfi -i sine=duration=0.2 -c:a aac")
        try FileManager.default.createSymbolicLink(atPath: folder.path("sound.m4a"), withDestinationPath: sound)
        try Data(try Data(contentsOf: URL(fileURLWithPath: clip)).prefix(3000)).write(
            to: folder.url.appendingPathComponent("broken.mp4"))
        let outcome = try run(arguments)
        #expect(outcome.status == status && outcome.errors.contains(reason), "\(outcome.status) \(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.output.isEmpty)
        #expect(try folder.names == ["beach.mp4", "broken.mp4", "sound.m4a"])
    }
}
