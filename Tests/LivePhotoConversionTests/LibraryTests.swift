import Foundation
import LivePhotoConversion
import Synchronization
import TestSupport
import Testing

/// The library as an app uses it.
@Suite struct LibraryTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func path(_ name: String) -> FilePath { folder.path.appending(name) }

    /// A moving picture and a tone.
    private func makeClip() throws -> FilePath {
        let clip = path("beach.mp4")
        let made = try SampleClips.make(
            "beach.mp4",
            "-f lavfi -i testsrc2=size=320x180:rate=30:duration=4 -f lavfi -i sine=duration=4"
                + " -pix_fmt yuv420p -c:v libx264 -preset ultrafast")
        try FileManager.default.copyItem(atPath: made, toPath: clip.string)
        return clip
    }

    @Test func `three lines make a Live Photo`() async throws {
        let request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        let result = try await MediaEngine.inProcess.convert(request)
        #expect(result.photo == path("LivePhotos/beach.JPG") && result.movie == path("LivePhotos/beach.MOV"))
        #expect(folder.contents == ["LivePhotos", "LivePhotos/beach.JPG", "LivePhotos/beach.MOV", "beach.mp4"])
        #expect(result.livePhoto.contentIdentifier == result.plan.contentIdentifier)
        #expect(result.warnings.isEmpty && result.plan.frameCount == 45)
    }

    @Test func `a wallpaper has all that is reported of the lock screen, as far as the clip does`() async throws {
        var request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        request.preset = try PresetLibrary().preset(named: "wallpaper")
        let result = try await MediaEngine.inProcess.convert(request)
        let report = try LivePhotoVerifier(profile: .wallpaper).verify(photo: result.photo, movie: result.movie)
        #expect(report.findings.map(\.rule.id) == ["wallpaper-full-rate"] && result.plan.frameCount == 54)
    }

    @Test func `the sound of a movie without sound is none`() async throws {
        let movie = path("silent.mov")
        try Program.ffmpeg("-f lavfi -i testsrc2=size=64x64:rate=10:duration=1 -c:v libx264", to: movie.string)
        try Data().write(to: URL(fileURLWithPath: path("sound.mov").string))
        #expect(try await MediaEngine.inProcess.encodeSound(of: movie, to: path("sound.mov")) == false)
    }

    @Test func `the plan is what is then made, and planning makes nothing`() async throws {
        var request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        request.contentIdentifier = ContentIdentifier()
        let plan = try await MediaEngine.inProcess.plan(request)
        #expect(folder.contents == ["beach.mp4"])
        #expect(try await MediaEngine.inProcess.convert(request).plan == plan)
    }

    @Test func `a photo that is removed once it was read does not matter`() async throws {
        var request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        let photo = path("mine.jpg")
        try Program.ffmpeg("-f lavfi -i testsrc2=size=320x180 -frames:v 1", to: photo.string)
        request.photo = photo
        let result = try await MediaEngine.inProcess.convert(request) { _ in
            // The photo is read before the first frame is encoded.
            try? FileManager.default.removeItem(atPath: photo.string)
        }
        #expect(result.photo == path("LivePhotos/beach.JPG") && result.movie == path("LivePhotos/beach.MOV"))
        #expect(folder.contents == ["LivePhotos", "LivePhotos/beach.JPG", "LivePhotos/beach.MOV", "beach.mp4"])
    }

    @Test func `progress counts the frames of the movie, at most ten times a second and at the end`() async throws {
        let request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        let seen = Mutex<[ConversionProgress]>([])
        let start = ContinuousClock.now
        let result = try await MediaEngine.inProcess.convert(request) { progress in
            seen.withLock { $0.append(progress) }
        }
        let progress = seen.withLock { $0 }
        #expect(progress.last?.frames == result.plan.frameCount)
        #expect(progress.map(\.frames) == Set(progress.map(\.frames)).sorted())
        #expect(Double(progress.count) <= (ContinuousClock.now - start) / .milliseconds(100) + 2)
        #expect(progress.allSatisfy { $0.totalFrames == result.plan.frameCount })
    }

    @Test func `a cancelled task ends at once, and leaves nothing`() async throws {
        let request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        let last = Mutex(0)
        let (reached, continuation) = AsyncStream.makeStream(of: Void.self)
        let isCancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await MediaEngine.inProcess.convert(request) { progress in
                guard
                    last.withLock({
                        $0 += 1; return $0 == 1
                    })
                else { return }
                continuation.yield()
                isCancelled.wait()
            }
        }
        for await _ in reached { break }
        #expect(folder.contents == ["beach.mp4"])
        task.cancel()
        // The encoder still waits in the call above.
        let error = await #expect(throws: LivePhotoError.self) { try await task.value }
        isCancelled.signal()
        #expect(error?.code == .cancelled)
        #expect(last.withLock { $0 } == 1)
        #expect(folder.contents == ["beach.mp4"])
    }

    @Test func `a task that is cancelled before it starts does nothing`() async throws {
        let request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await MediaEngine.inProcess.convert(request)
        }
        let error = await #expect(throws: LivePhotoError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(folder.contents == ["beach.mp4"])
    }

    @Test func `two conversions at once do not disturb each other`() async throws {
        let clip = try makeClip()
        let requests = ["one", "two"].map { name in
            var request = ConversionRequest(clip: clip, outputDirectory: path("LivePhotos"))
            request.name = name
            request.contentIdentifier = ContentIdentifier("CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC")
            return request
        }
        async let one = MediaEngine.inProcess.convert(requests[0])
        async let two = MediaEngine.inProcess.convert(requests[1])
        let results = try await [one, two]
        for (first, second) in [(results[0].photo, results[1].photo), (results[0].movie, results[1].movie)] {
            #expect(first != second)
            #expect(FileManager.default.contentsEqual(atPath: first.string, andPath: second.string))
        }
    }

    @Test(arguments: [VideoCodec.h264, .hevc])
    func `the number of threads does not change a byte`(codec: VideoCodec) async throws {
        var request = ConversionRequest(clip: try makeClip(), outputDirectory: path("LivePhotos"))
        request.preset.video.codec = codec
        if codec == .hevc { request.preset.photo.format = .heic }
        request.contentIdentifier = ContentIdentifier()
        request.replacesExisting = true
        var files: Set<[String: Data]> = []
        for (threads, memory) in [(1, nil), (2, nil), (3, nil), (8, nil), (8, 256 << 20)] as [(Int, Int?)] {
            (request.threads, request.work.memory) = (threads, memory)
            let result = try await MediaEngine.inProcess.convert(request)
            files.insert(
                try [result.photo, result.movie].reduce(into: [:]) {
                    $0[$1.string] = try Data(contentsOf: URL(filePath: $1.string))
                })
        }
        #expect(files.count == 1)
    }

    @Test func `what goes wrong is a LivePhotoError with a code and the file`() async throws {
        let clip = path("missing.mp4")
        let error = await #expect(throws: LivePhotoError.self) {
            try await MediaEngine.inProcess.convert(ConversionRequest(clip: clip))
        }
        #expect(error?.code == .noInput && error?.file == clip)
    }
}
