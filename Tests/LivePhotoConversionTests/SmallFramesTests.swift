import FFmpegKit
import Foundation
import LivePhotoConversion
import TestSupport
import Testing

/// All frames of a part of a clip, for finding one of them by hand.
@Suite struct SmallFramesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A clip.
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        /// ffmpeg's, from the first input to the last option.
        let arguments: String
        let frames: Int
        var size = PixelSize(width: 96, height: 64)
        /// A file of the same recipe that is turned or cut without encoding.
        var change: String?
        var testDescription: String { name }

        func make() throws -> FilePath {
            let clip = try SampleClips.make(name, arguments)
            guard let change else { return FilePath(clip) }
            return FilePath(try SampleClips.make("changed-" + name, change.replacing("CLIP", with: clip)))
        }
    }

    private static func source(_ rate: String, _ seconds: Double = 2, size: String = "96x64") -> String {
        "-f lavfi -i testsrc2=size=\(size):rate=\(rate):duration=\(seconds)"
    }

    private static let samples = [
        Sample(name: "plain.mp4", arguments: source("25") + " -c:v libx264 -bf 0", frames: 50),
        Sample(name: "b-frames.mp4", arguments: source("30000/1001") + " -c:v libx264 -bf 3 -g 250", frames: 60),
        Sample(
            name: "varying.mkv",
            arguments: source("30") + " -c:v libx264 -vf select=not(mod(n\\,3))*lt(n\\,30)+gte(n\\,30) -fps_mode vfr",
            frames: 40),
        Sample(name: "animation.gif", arguments: source("12.5") + " -c:v gif", frames: 25),
        Sample(name: "stream.ts", arguments: source("25") + " -c:v mpeg2video -bf 2", frames: 50),
        Sample(
            name: "turned.mov", arguments: source("25") + " -c:v libx264", frames: 50,
            size: PixelSize(width: 64, height: 96), change: "-i CLIP -c copy -metadata:s:v rotate=90"),
        Sample(
            name: "edited.mp4", arguments: source("25", 3) + " -c:v libx264 -g 25 -bf 2", frames: 50,
            change: "-ss 1 -i CLIP -c copy"),
        Sample(
            name: "sound.mp4", arguments: source("25") + " -itsoffset 0.5 -f lavfi -i sine=duration=1 -c:v libx264",
            frames: 50),
        Sample(
            name: "wide-pixels.mp4", arguments: source("25") + " -c:v libx264 -vf setsar=2", frames: 50,
            size: PixelSize(width: 192, height: 64)),
        Sample(
            name: "interlaced.mpg", arguments: source("25") + " -c:v mpeg2video -flags +ilme+ildct -vf setfield=tff",
            frames: 50),
        Sample(
            name: "hlg.mov",
            arguments: source("25") + " -c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le"
                + " -vf setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=arib-std-b67",
            frames: 50),
    ]

    private func output() throws -> FilePath {
        let path = folder.path.appending("frames.\(UUID().uuidString)")
        try folder.write("", to: path.lastComponent?.string ?? "")
        return path
    }

    private func frames(
        of clip: FilePath, from start: MediaTime = .zero, to end: MediaTime? = nil, _ output: FilePath? = nil
    ) async throws -> SmallFrames {
        var request = SmallFramesRequest(clip: clip)
        (request.start, request.end) = (start, end)
        return try await MediaEngine.inProcess.smallFrames(request, to: output ?? self.output())
    }

    private func time(_ milliseconds: Int) -> MediaTime { MediaTime(value: Int64(milliseconds), timescale: 1000) }

    @Test(arguments: samples)
    func `every frame is listed once, and --still with its text selects exactly it`(sample: Sample) async throws {
        let clip = try sample.make()
        let found = try await frames(of: clip)
        #expect(found.frames.count == sample.frames && found.size == sample.size)
        #expect(zip(found.frames, found.frames.dropFirst()).allSatisfy { $0.time < $1.time })
        #expect(found.end == found.clipDuration && found.frames.allSatisfy { $0.time < found.end })
        for frame in found.frames {
            var request = ConversionRequest(clip: clip, outputDirectory: folder.path)
            request.preset.window.still = .time(try ClipTime(frame.still))
            let plan = try await MediaEngine.inProcess.plan(request)
            #expect(plan.stillInClip == frame.time, "\(frame.still)")
        }
    }

    @Test(arguments: samples)
    func `each picture shows its frame`(sample: Sample) async throws {
        let clip = try sample.make()
        let output = try output()
        let found = try await frames(of: clip, output)
        let file = try Data(contentsOf: URL(fileURLWithPath: output.string))
        var start = 0
        for (index, frame) in found.frames.enumerated() {
            defer { start += frame.bytes }
            guard index % 7 == 3 else { continue }
            let picture = folder.path.appending("picture.jpg")
            try file[start..<start + frame.bytes].write(to: URL(fileURLWithPath: picture.string))
            let engine = MediaEngine.inProcess
            // The similarity to HDR is that to the movie without tone mapping.
            let least = clip.stem == "hlg" ? 0.5 : 0.8
            #expect(try await engine.similarity(photo: picture, movie: clip, stillTime: frame.time) > least)
            let match = try await engine.findStill(of: picture, in: clip)
            #expect(match.stillTime == frame.time)
        }
        #expect(start == file.count)
    }

    @Test(arguments: samples)
    func `a picture has the colors and the size of the key photo`(sample: Sample) async throws {
        let clip = try sample.make()
        let output = try output()
        _ = try await frames(of: clip, from: time(1000), to: time(1001), output)
        var request = ConversionRequest(clip: clip, outputDirectory: folder.path.appending("out"))
        request.preset.window.still = .time(.seconds(time(1000)))
        request.preset.window.duration = time(500)
        let photo = try await MediaEngine.inProcess.convert(request).photo
        let pictures = try [output, photo].map { try StillDecoder.decode(PhotoFile($0)).frame }
        #expect(pictures[0].size == pictures[1].size)
        // Averages over the picture do not depend on the chroma subsampling.
        let means = try pictures.map { picture in
            try picture.colorPlanes().map { plane in Double(plane.reduce(0) { $0 + Int($1) }) / Double(plane.count) }
        }
        for (mean, other) in zip(means[0], means[1]) { #expect(abs(mean - other) < 1, "\(means)") }
        let luma = try pictures.map { try $0.lumaPlane() }
        let difference = zip(luma[0], luma[1]).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(difference) / Double(luma[0].count) < 4)
    }

    private func frames(of clip: FilePath, _ output: FilePath) async throws -> SmallFrames {
        try await frames(of: clip, from: .zero, to: nil, output)
    }

    @Test func `a part begins with the frame that is shown at its start, and ends before its end`() async throws {
        let clip = FilePath(try SampleClips.moving("part.mp4", size: "96x64", rate: "25"))
        let all = try await frames(of: clip)
        let part = try await frames(of: clip, from: time(1010), to: time(2000))
        #expect(part.frames.map(\.time) == (25..<50).map { MediaTime(value: $0, timescale: 25) })
        #expect(part.end == time(2000) && part.clipDuration == all.clipDuration)
        #expect(part.frames.map(\.still) == all.frames[25..<50].map(\.still))
        let rest = try await frames(of: clip, from: time(3980), to: time(9000))
        #expect(rest.frames.map(\.time) == [MediaTime(value: 99, timescale: 25)] && rest.end == all.clipDuration)
        let short = try await frames(of: clip, from: time(1010), to: time(1011))
        #expect(short.frames.map(\.time) == [time(1000)] && short.end == time(1011))
    }

    @Test func `a part of more than 600 frames is cut, and the next part goes on with the next frame`() async throws {
        let clip = FilePath(
            try SampleClips.make("many.mp4", Self.source("30", 45, size: "32x32") + " -c:v libx264 -preset ultrafast"))
        var start = MediaTime.zero
        var times: [MediaTime] = []
        var counts: [Int] = []
        repeat {
            let part = try await frames(of: clip, from: start)
            times += part.frames.map(\.time)
            counts.append(part.frames.count)
            #expect(part.clipDuration == time(45_000) && part.end > start)
            start = part.end
        } while start < time(45_000) && counts.count < 9
        #expect(counts == [600, 600, 150] && start == time(45_000))
        #expect(times == (0..<1350).map { MediaTime(value: $0, timescale: 30) })
    }

    @Test func `rare frames of a long clip are all found`() async throws {
        // A frame of every tenth second after the first second.
        let clip = FilePath(
            try SampleClips.make(
                "rare.mkv",
                Self.source("25", 400, size: "32x32")
                    + " -vf select=lt(n\\,25)+not(mod(n\\,250)) -fps_mode vfr -c:v libx264 -preset ultrafast"))
        let found = try await frames(of: clip)
        #expect(found.frames.count == 64)
        #expect(found.frames.last?.time.seconds == 390)
    }

    @Test func `pictures keep within the size, and are not enlarged`() async throws {
        let clip = FilePath(try SampleClips.beach())
        for (maximum, size) in [
            (MaximumSize(64, 64), PixelSize(width: 64, height: 36)), (nil, PixelSize(width: 320, height: 180)),
        ] {
            var request = SmallFramesRequest(clip: clip)
            (request.end, request.maximumSize) = (time(200), maximum)
            #expect(try await MediaEngine.inProcess.smallFrames(request, to: output()).size == size)
        }
    }

    @Test func `the pictures do not depend on the number of threads`() async throws {
        let clip = FilePath(try SampleClips.beach())
        var files: Set<Data> = []
        for threads in [1, 2, 5] {
            let output = try output()
            var request = SmallFramesRequest(clip: clip)
            (request.threads, request.end) = (threads, time(1500))
            _ = try await MediaEngine.inProcess.smallFrames(request, to: output)
            files.insert(try Data(contentsOf: URL(fileURLWithPath: output.string)))
        }
        #expect(files.count == 1)
    }

    @Test(arguments: [(4000, nil, "there is nothing at"), (2000, 1000, "is empty"), (99_000, 100_000, "nothing at")])
    func `a part without a frame is an error`(start: Int, end: Int?, reason: String) async throws {
        let clip = FilePath(try SampleClips.beach())
        let error = await #expect(throws: LivePhotoError.self) {
            try await frames(of: clip, from: time(start), to: end.map(time))
        }
        #expect(error?.code == .invalidRequest && error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func `what is no clip is an error`() async throws {
        try folder.write("text", to: "clip.mp4")
        let error = await #expect(throws: LivePhotoError.self) {
            try await frames(of: folder.path.appending("clip.mp4"))
        }
        #expect(error?.code == .unusableMedia)
    }
}
