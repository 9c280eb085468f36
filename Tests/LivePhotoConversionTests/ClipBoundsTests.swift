import Foundation
import LivePhotoConversion
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Where a clip begins and ends, of clips whose time stamps or whose length are unusual.
@Suite struct ClipBoundsTests {
    private func plan(_ clip: TestClip, start: Double? = nil) async throws -> PlanSummary {
        var request = ConversionRequest(clip: clip.path, outputDirectory: clip.folder.appending("out"))
        request.preset.window.start = start.map { .seconds(seconds($0)) }
        return try await MediaEngine.inProcess.plan(request)
    }

    @Test(
        arguments: [
            ("clip.flv", "-c:v flv1 -g 30"), ("clip.mp4", "-c:v libx264 -g 30 -movflags +faststart"),
        ] as [(FilePath.Component, String)])
    func `a start after the last picture of a clip that was cut off is an error`(
        name: FilePath.Component, codec: String
    ) async throws {
        let clip = try TestClip(name, TestClip.picture(seconds: 10) + " " + codec)
        try rewrite(clip) { $0.prefix($0.count / 2) }
        let error = await #expect(throws: LivePhotoError.self) { try await plan(clip, start: 8) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.description.contains("there are no pictures from 8 s on, because they end at ") == true)
        let start = try await plan(clip, start: 1).start
        #expect(abs(start.seconds - 1) < 0.1, "\(start)")
    }

    @Test(arguments: [0, 1.075]) func `a clip whose pictures begin after an empty edit counts from the movie's start`(
        delay: Double
    ) async throws {
        let clip = try TestClip(
            "clip.mp4", TestClip.picture(seconds: 0.96, rate: 25) + " -c:v libx264 -output_ts_offset \(delay)")
        let plan = try await plan(clip)
        #expect(abs(plan.clipDuration.seconds - delay - 0.96) < 0.002)
        #expect(abs(plan.start.seconds - delay) < 0.002)
        #expect(plan.frameCount > 5)
    }

    /// As `ffmpeg -ss 1.01 -c copy` cuts it: the edit list begins 10 ms after a picture.
    @Test(arguments: ["-bf 0 -g 10", "-bf 2 -g 10"])
    func `a movie that begins within a picture shows it, and the others at their times`(codec: String) async throws {
        let whole = try TestClip("whole.mp4", TestClip.picture(seconds: 4, rate: 10) + " -c:v libx264 " + codec)
        let cut = try TestClip("cut.mov", "-ss 1.01 -i \(whole.path) -c copy")
        let plan = try await plan(cut)
        #expect(abs(plan.clipDuration.seconds - 2.99) < 0.011, "\(plan.clipDuration)")
        let sheet = try await MediaEngine.inProcess.makeSheet(FrameSheetRequest(clip: cut.path))
        let times = sheet.pictures.map(\.time.seconds)
        let expected = [0] + (1..<30).map { Double($0) / 10 - 0.01 }
        for time in times {
            #expect(expected.contains { abs($0 - time) < 0.001 }, "\(time)")
        }
        #expect(times.first == 0 && times.count > 10)
        // Each part begins with the picture that is shown there.
        let part = try await self.plan(cut, start: 1.2)
        #expect(abs(part.start.seconds - 1.19) < 0.02 || abs(part.start.seconds - 1.2) < 0.001, "\(part.start)")
    }

    /// As libavformat reads an animated AVIF from version 7 on, and some cameras write a preview.
    @Test func `the clip is the moving track, also if a still one is the first`() async throws {
        let clip = try TestClip(
            "clip.mp4",
            "-f lavfi -i color=red:size=64x48:rate=1:duration=1 \(TestClip.picture(seconds: 2, rate: 15))"
                + " -map 0 -map 1 -c:v libx264 -pix_fmt yuv420p")
        let plan = try await plan(clip)
        #expect(plan.frameCount > 20)
        #expect(plan.clipDuration == seconds(2))
    }

    /// Two recordings in one file, the second one of earlier.
    @Test func `a jump back in time ends the clip with a warning`() async throws {
        let options = " -c:v mpeg2video -f mpegts -muxdelay 0 -muxpreload 0"
        let clip = try TestClip("late.ts", TestClip.picture(seconds: 3) + options + " -output_ts_offset 20")
        let early = try TestClip("early.ts", TestClip.picture(seconds: 3) + options)
        let rest = try Data(contentsOf: URL(fileURLWithPath: early.path.string))
        try rewrite(clip) { $0 + rest }
        let plan = try await plan(clip)
        #expect(plan.warnings.contains { $0.contains("its time stamps jump back") })
        #expect(plan.start >= .zero)
        #expect(plan.stillInClip < seconds(3))
    }

    @Test func `an edit list that plays at another speed is a warning`() async throws {
        let clip = try TestClip("clip.mp4", TestClip.picture(seconds: 1) + " -c:v libx264")
        #expect(try await plan(clip).warnings.allSatisfy { !$0.contains("another speed") })
        // The rate is in the last four bytes of the first entry, 16 bytes after the type.
        try rewrite(clip) { data in
            var data = data
            let list = try #require(data.range(of: Data("elst".utf8)))
            data.replaceSubrange(list.upperBound + 16..<list.upperBound + 20, with: [0, 0, 0x80, 0])
            return data
        }
        #expect(try await plan(clip).warnings.contains { $0.contains("at another speed, which is ignored") })
    }

    /// As editors save cuts without encoding: the parts of the media that are shown, each as its length and start in seconds.
    @Test(arguments: [[(1, 1), (1, 3)], [(1, 3), (1, 1)], [(1, 1), (0.5, 2.5), (0.5, 4)]] as [[(Double, Double)]])
    func `a movie of several parts shows all of them`(parts: [(length: Double, start: Double)]) async throws {
        let clip = try TestClip("clip.mov", TestClip.picture(seconds: 5, rate: 10) + " -c:v libx264 -g 50 -bf 2")
        try edit(clip, parts.map { ($0.length, $0.start) })
        var request = ConversionRequest(clip: clip.path, outputDirectory: clip.folder.appending("out"))
        request.preset.window.start = .seconds(seconds(1))
        request.preset.window.end = .seconds(seconds(2))
        let plan = try await MediaEngine.inProcess.plan(request)
        #expect(plan.frameCount >= 9 && plan.warnings.allSatisfy { !$0.contains("one frame") }, "\(plan.frameCount)")
        #expect(abs(plan.clipDuration.seconds - 2) < 0.15, "\(plan.clipDuration)")
    }

    @Test func `a pause in an edit list is a warning`() async throws {
        let clip = try TestClip("clip.mov", TestClip.picture(seconds: 5, rate: 10) + " -c:v libx264 -g 10")
        try edit(clip, [(1, 1), (0.5, nil), (1, 3)])
        #expect(try await plan(clip).warnings.contains { $0.contains("the clip's edit list has a pause") })
    }

    private func edit(_ clip: TestClip, _ parts: [(length: Double, start: Double?)]) throws {
        var pair = try SamplePair()
        pair.movie = [UInt8](try Data(contentsOf: URL(fileURLWithPath: clip.path.string)))
        try pair.changeMovie { movie in
            let scale = Double(movie.header.timescale)
            let media = Double(movie.tracks[0].media.header.timescale)
            let offset = movie.tracks[0].edit?.list?.entries.first?.mediaTime ?? 0
            let entries = parts.map { part in
                EditListBox.Entry(
                    duration: UInt64(part.length * scale), mediaTime: part.start.map { Int64($0 * media) + offset })
            }
            movie.tracks[0].edit = EditBox(EditListBox(entries: entries))
        }
        try rewrite(clip) { _ in Data(pair.movie) }
    }

    private func rewrite(_ clip: TestClip, _ change: (Data) throws -> Data) throws {
        let url = URL(fileURLWithPath: clip.path.string)
        try change(try Data(contentsOf: url)).write(to: url)
    }
}
