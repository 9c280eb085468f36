import Foundation
import LivePhotoConversion
import MediaModel
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

    private func rewrite(_ clip: TestClip, _ change: (Data) throws -> Data) throws {
        let url = URL(fileURLWithPath: clip.path.string)
        try change(try Data(contentsOf: url)).write(to: url)
    }
}
