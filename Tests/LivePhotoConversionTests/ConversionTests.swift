import Bytes
import Foundation
import LivePhotoConversion
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

/// Clips through the library, from the file to the published pair.
@Suite struct ConversionTests {
    private func request(_ clip: TestClip, still: Double? = nil) throws -> ConversionRequest {
        var request = ConversionRequest(clip: clip.path, outputDirectory: clip.folder.appending("out"))
        request.preset.window.still = still.map { .time(.seconds(seconds($0))) }
        return request
    }

    @Test(arguments: ["clip.ts", "clip.mpg"] as [FilePath.Component])
    func `a clip that begins between two microseconds shows the frame shown at the still time`(
        name: FilePath.Component
    ) async throws {
        // The first presentation time is 1.4333… s, or 0.5333… s.
        let codec = name.extension == "ts" ? "libx264 -bf 1 -x264-params b-pyramid=0" : "mpeg2video -bf 2"
        let clip = try TestClip(name, TestClip.picture(seconds: 4) + " -c:v " + codec)
        for still in [0, 1.5, 2.5] {
            let plan = try await MediaEngine.inProcess.plan(request(clip, still: still))
            #expect(plan.stillInClip == seconds(still))
        }
    }

    @Test(arguments: [2.51, 2.53, 2.56]) func `sound that ends just before the movie begins is left out`(
        still: Double
    ) async throws {
        let clip = try TestClip(
            "clip.mp4", TestClip.picture(seconds: 5) + " " + TestClip.tone(seconds: 1) + " -c:v libx264 -c:a aac")
        let result = try await MediaEngine.inProcess.convert(request(clip, still: still))
        let tracks = try MovieReader(InputFile(result.movie)).tracks
        #expect(tracks.count { $0.kind == .audio } == 0)
    }

    @Test(arguments: [nil, 20]) func `a photo whose file ends before its picture does is taken with a warning`(
        missing: Int?
    ) async throws {
        let photo = FilePath(
            try SampleClips.make("photo.jpg", "-f lavfi -i testsrc2=size=320x180:duration=1 -frames:v 1 -q:v 2"))
        let folder = try TemporaryFolder()
        let copy = folder.path.appending("copy.jpg")
        let bytes = try InputFile(photo).contents(limit: 1 << 20)
        try Data(bytes.dropLast(missing ?? 0)).write(to: URL(fileURLWithPath: copy.string))
        var request = ConversionRequest(
            clip: FilePath(try SampleClips.beach()), outputDirectory: folder.path)
        request.photo = copy
        let warnings = try await MediaEngine.inProcess.plan(request).warnings
        #expect(warnings.contains { $0.contains("ends before its picture") } == (missing != nil), "\(warnings)")
    }

    @Test func `sound with an empty packet does not stop the conversion`() async throws {
        let clip = try TestClip(
            "clip.mp4", TestClip.picture(seconds: 3) + " " + TestClip.tone(seconds: 3) + " -c:v libx264 -c:a aac")
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: clip.path.string)))
        // In the second sample table, which is that of the sound, a packet gets the bytes of the one before.
        let tables = bytes.indices.dropLast(3).filter { bytes[$0..<$0 + 4].elementsEqual("stsz".utf8) }
        let entry = try #require(tables.last) + 16 + 4 * 60
        let sizes = stride(from: entry, to: entry + 8, by: 4).map { Int(bytes[$0 + 2]) << 8 | Int(bytes[$0 + 3]) }
        let sum = sizes[0] + sizes[1]
        bytes.replaceSubrange(entry..<entry + 8, with: [0, 0, UInt8(sum >> 8), UInt8(sum & 0xFF), 0, 0, 0, 0])
        try Data(bytes).write(to: URL(fileURLWithPath: clip.path.string))
        let result = try await MediaEngine.inProcess.convert(request(clip))
        let tracks = try MovieReader(InputFile(result.movie)).tracks
        #expect(tracks.count { $0.kind == .audio } == 1)
    }

    @Test func `sound that cannot be decoded here and there does not stop the conversion`() async throws {
        let clip = try TestClip(
            "clip.ts",
            TestClip.picture(seconds: 3) + " " + TestClip.tone(seconds: 3) + " -c:v libx264 -c:a aac")
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: clip.path.string)))
        // In transport packets that do not begin a sound packet, the last 100 bytes.
        for start in stride(from: 188 * 20, to: bytes.count - 188, by: 188)
        where bytes[start + 1] == 0x01 && bytes[start + 2] == 0x01 {
            for index in start + 88..<start + 188 { bytes[index] = UInt8(truncatingIfNeeded: index &* 37 >> 2) }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: clip.path.string))
        let result = try await MediaEngine.inProcess.convert(request(clip))
        #expect(result.plan.frameCount == 45)
    }

    @Test(arguments: ["clip.mkv", "clip.ts"] as [FilePath.Component])
    func `a clip without whole key frames is entered early enough`(name: FilePath.Component) async throws {
        // The picture is renewed column by column, over 50 frames.
        let clip = try TestClip(
            name, TestClip.picture(seconds: 12, rate: 25) + " -c:v libx264 -g 50 -x264-params intra-refresh=1")
        for still in [3, 4, 6, 9.4] {
            var request = try request(clip, still: still)
            request.replacesExisting = true
            let result = try await MediaEngine.inProcess.convert(request)
            #expect(result.warnings.isEmpty)
            #expect(abs(result.plan.stillInClip.seconds - still) < 0.04)
        }
    }

    @Test(arguments: [(0, true), (0.0004, true), (0.0015, false)])
    func `AAC is copied where its packets follow each other, and small gaps do not add up`(
        gap: Double, isCopied: Bool
    ) async throws {
        let clip = try TestClip(
            "clip.mp4",
            TestClip.picture(seconds: 6) + " " + TestClip.tone(seconds: 6) + " -c:v libx264 -c:a aac"
                // Gaps to and fro, or always in one direction.
                + " -bsf:a setts=ts=TS+\(gap == 0.0004 ? "mod(N\\,2)" : "N")*\(gap)/TB")
        let plan = try await MediaEngine.inProcess.plan(request(clip)).description
        #expect(plan.contains("\naudio: AAC, copied, ") == isCopied, "\(plan)")
    }

    @Test func `a file whose name is no UTF-8 is a clip like any other`() async throws {
        let clip = try TestClip("clip.mp4", TestClip.picture(seconds: 1) + " -c:v libx264")
        let name = [UInt8](clip.folder.string.utf8) + [UInt8(ascii: "/"), 0xE9] + ".mp4".utf8 + [0]
        let path = name.map(CChar.init(bitPattern:)).withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { FilePath(platformString: $0) }
        }
        let latin = try #require(path)
        try #require(rename(clip.path.string, latin) == 0)
        let plan = try await MediaEngine.inProcess.plan(ConversionRequest(clip: latin, outputDirectory: clip.folder))
        #expect(plan.clipDuration == seconds(1))
    }

    @Test func `planning stops when its task is cancelled`() async throws {
        let clip = try TestClip("clip.h264", TestClip.picture(seconds: 1) + " -c:v libx264")
        let request = try request(clip)
        let task = Task { try await MediaEngine.inProcess.plan(request) }
        task.cancel()
        let error = await #expect(throws: LivePhotoError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a clip ends with its picture, though its sound goes on`() async throws {
        let clip = try TestClip(
            "clip.mp4", TestClip.picture(seconds: 2) + " " + TestClip.tone(seconds: 10) + " -c:v libx264 -c:a aac")
        let plan = try await MediaEngine.inProcess.plan(request(clip))
        #expect(plan.clipDuration == seconds(2))
        #expect(plan.frameCount == 30)
        #expect(plan.stillInClip == seconds(1))
    }

    @Test func `of a clip that was cut off, the middle of what is there becomes the still`() async throws {
        let clip = try TestClip("clip.flv", TestClip.picture(seconds: 10) + " -c:v flv1 -g 30")
        let handle = try #require(FileHandle(forUpdatingAtPath: clip.path.string))
        try handle.truncate(atOffset: try handle.seekToEnd() / 4)
        try handle.close()
        let plan = try await MediaEngine.inProcess.plan(request(clip))
        #expect(plan.frameCount > 10)
        #expect((seconds(0.5)..<seconds(2)).contains(plan.stillInClip))
    }

    @Test func `a clip that stands still in its middle is not cut off there`() async throws {
        let clip = try TestClip(
            "clip.mkv", TestClip.picture(seconds: 20) + " -vf select=lt(t\\,5)+gt(t\\,15) -fps_mode vfr -c:v libx264")
        let plan = try await MediaEngine.inProcess.plan(request(clip))
        #expect(plan.clipDuration == seconds(20))
        #expect(plan.start.seconds == 8.5)
    }
}

private func rename(_ old: String, _ new: FilePath) -> Int32 {
    new.withPlatformString { Foundation.rename(old, $0) }
}
