import Foundation
import LivePhotoConversion
import Synchronization
import TestSupport
import Testing

/// `LivePhotoEditingContext`: the same change for every frame and the photo.
@Suite struct EditingContextTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try SamplePair.copyConverted(to: folder.url)
    }

    private func path(_ name: String) -> FilePath { folder.path.appending(name) }

    private func context() async throws -> LivePhotoEditingContext {
        try await LivePhotoEditingContext(photo: path("beach.JPG"), movie: path("beach.MOV"))
    }

    /// The frames' presentation times by ffprobe, in units of the track's time base.
    private func presentationTimes(_ movie: FilePath) throws -> [Int] {
        let outcome = try Program.system(
            "ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "frame=pts", "-of", "csv=p=0", movie.string])
        return outcome.output.split(separator: "\n").compactMap { Int($0.prefix { $0.isNumber || $0 == "-" }) }
    }

    /// The structural similarity of two files' pictures, as ffmpeg measures it: all frames together.
    private func similarity(_ first: FilePath, _ second: FilePath) throws -> Double {
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "info", "-nostdin", "-i", first.string, "-i", second.string]
                + ["-lavfi", "[0:v]format=yuv444p[a];[1:v]format=yuv444p[b];[a][b]ssim", "-f", "null", "-"])
        let text = try #require(outcome.errors.components(separatedBy: "All:").dropFirst().first, "\(outcome.errors)")
        return try #require(Double(text.prefix { $0.isNumber || $0 == "." }))
    }

    /// The bytes of the movie's sound as a hash.
    private func soundHash(_ movie: FilePath) throws -> String {
        try Program.system(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", movie.string, "-map", "0:a", "-c", "copy", "-f", "hash", "-"]
        ).output
    }

    /// The bytes of the movie's frames as a hash.
    private func frameHashes(_ movie: FilePath) throws -> String {
        try Program.system(
            "ffmpeg", ["-v", "error", "-nostdin", "-i", movie.string, "-map", "0:v", "-c", "copy", "-f", "hash", "-"]
        ).output
    }

    /// Eight columns that show a number, the least bit first, white for 1: in the left half, from top to bottom.
    @Sendable private static func stamp(_ number: Int, on image: LivePhotoImage) -> LivePhotoImage {
        image.changed { rgba in
            for y in 0..<image.height {
                for x in 0..<image.width / 2 {
                    let value: UInt8 = number >> (x * 16 / image.width) & 1 == 1 ? 255 : 0
                    for component in 0..<3 { rgba[(y * image.width + x) * 4 + component] = value }
                }
            }
        }
    }

    private func numbers(_ file: FilePath) throws -> [Int] {
        let raw = folder.path("numbers.gray")
        try Program.run([
            "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", file.string, "-map", "0:v:0", "-vf",
            "crop=iw/2:ih:0:0,scale=8:1:flags=area,format=gray", "-fps_mode", "passthrough", "-f", "rawvideo", raw,
        ])
        let pixels = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        return stride(from: 0, to: pixels.count, by: 8).map { start in
            (0..<8).reduce(0) { $0 | (pixels[start + $1] > 128 ? 1 << $1 : 0) }
        }
    }

    @Test func `a context knows the pair`() async throws {
        let context = try await context()
        #expect(context.photoSize == context.movieSize && "\(context.movieSize)" == "320x180")
        #expect(context.duration == MediaTime(value: 3, timescale: 1) && context.orientation == 1)
        #expect(context.photoTime > .zero && context.photoTime < context.duration)
        let photo = try await context.fullSizePhoto()
        #expect(photo.width == 320 && photo.height == 180 && photo.rgba.count == 320 * 180 * 4)
    }

    @Test func `files that are no Live Photo cannot be opened`() async throws {
        let other = try SampleClips.beach()
        let error = await #expect(throws: LivePhotoError.self) {
            try await LivePhotoEditingContext(photo: path("beach.JPG"), movie: FilePath(other))
        }
        #expect(error?.code == .unusableMedia)
    }

    @Test func `an edit that changes nothing keeps pictures, times, still time, sound and metadata`() async throws {
        let context = try await context()
        var edit = LivePhotoEdit()
        edit.frameProcessor = { $0.image }
        let result = try await context.save(edit, to: path("out"))
        #expect(result.photo == path("out/beach.JPG") && result.warnings.isEmpty)
        #expect(try presentationTimes(result.movie) == presentationTimes(path("beach.MOV")))
        #expect(try similarity(result.movie, path("beach.MOV")) >= 0.985)
        #expect(try similarity(result.photo, path("beach.JPG")) >= 0.985)
        #expect(try soundHash(result.movie) == soundHash(path("beach.MOV")))
        let after = try await LivePhotoEditingContext(photo: result.photo, movie: result.movie)
        #expect(after.photoTime == context.photoTime && after.duration == context.duration)
        #expect(after.livePhoto.contentIdentifier != context.livePhoto.contentIdentifier)
        let verify = try Program.livephoto("verify", result.photo.string, result.movie.string)
        #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    }

    @Test func `the processor gets each frame in the order of time, then the photo, and its pictures are used`()
        async throws
    {
        let seen = Mutex<[LivePhotoFrame]>([])
        var edit = LivePhotoEdit()
        edit.frameProcessor = { frame in
            let number = seen.withLock { seen in
                seen.append(frame)
                return seen.count
            }
            return Self.stamp(number, on: frame.image)
        }
        let context = try await context()
        let result = try await context.save(edit, to: path("out"))
        let frames = seen.withLock { $0 }
        let count = result.plan.frameCount
        #expect(frames.map(\.kind) == Array(repeating: .video, count: count) + [.photo])
        #expect(zip(frames, frames.dropFirst()).prefix(count - 1).allSatisfy { $0.time < $1.time })
        #expect(frames.last?.time == context.photoTime && frames.allSatisfy { $0.renderScale == 1 })
        #expect(try numbers(result.movie) == Array(1...count))
        #expect(try numbers(result.photo) == [count + 1])
    }

    @Test func `a preview is small, and says how small`() async throws {
        let scales = Mutex<Set<Double>>([])
        var edit = LivePhotoEdit()
        edit.frameProcessor = { frame in
            scales.withLock { _ = $0.insert(frame.renderScale) }
            return frame.image
        }
        let result = try await context().preparePlayback(
            edit, targetSize: PixelSize(width: 160, height: 90), in: path("preview"))
        #expect("\(result.plan.movieSize)" == "160x90" && scales.withLock { $0 } == [0.5])
        let preview = try await LivePhotoEditingContext(photo: result.photo, movie: result.movie)
        #expect("\(preview.photoSize)" == "160x90")
    }

    @Test func `crop, rotation, volume, trim and still time are those of the edit`() async throws {
        var edit = LivePhotoEdit()
        edit.framing.crop = PixelRectangle(x: 20, y: 40, size: PixelSize(width: 100, height: 160))
        edit.adjustments.rotation = .clockwise
        edit.audioVolume = AudioVolume(percent: 0)
        edit.start = MediaTime(value: 1, timescale: 2)
        edit.end = MediaTime(value: 5, timescale: 2)
        edit.photoTime = MediaTime(value: 1, timescale: 1)
        edit.contentIdentifier = ContentIdentifier()
        let result = try await context().save(edit, to: path("out"), name: "turned")
        #expect(result.photo == path("out/turned.JPG"))
        #expect("\(result.plan.photoSize) \(result.plan.movieSize)" == "100x160 100x160")
        #expect(result.plan.duration == MediaTime(value: 2, timescale: 1))
        #expect(abs(result.plan.stillTime.seconds - 0.5) < 0.07)
        #expect(result.livePhoto.contentIdentifier == edit.contentIdentifier)
        #expect(try soundHash(result.movie).isEmpty)
    }

    @Test(arguments: [true, false])
    func `an edit of times and photo keeps the frames and the sound bit for bit`(makesNewKeyPhoto: Bool) async throws {
        var edit = LivePhotoEdit()
        edit.photoTime = MediaTime(value: 1, timescale: 3)
        edit.makesNewKeyPhoto = makesNewKeyPhoto
        let result = try await context().save(edit, to: path("out"))
        #expect(try frameHashes(result.movie) == frameHashes(path("beach.MOV")))
        #expect(try soundHash(result.movie) == soundHash(path("beach.MOV")))
        let after = try await LivePhotoEditingContext(photo: result.photo, movie: result.movie)
        #expect(after.photoTime == MediaTime(value: 1, timescale: 3))
        let isSame = try similarity(result.photo, path("beach.JPG")) > 0.999
        #expect(isSame != makesNewKeyPhoto)
    }

    @Test func `a still time outside of the kept part is an error`() async throws {
        var edit = LivePhotoEdit()
        edit.start = MediaTime(value: 5, timescale: 2)
        let context = try await context()
        let error = await #expect(throws: LivePhotoError.self) { try await context.save(edit, to: path("out")) }
        #expect(error?.code == .stillOutside)
        #expect(folder.contents == ["beach.JPG", "beach.MOV"])
    }

    private struct Failure: Error, Equatable { let number: Int }

    @Test(arguments: [1, 17, 46]) func `what the processor throws is thrown, and nothing is left`(number: Int)
        async throws
    {
        let calls = Mutex(0)
        var edit = LivePhotoEdit()
        edit.frameProcessor = { frame in
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            if count == number { throw Failure(number: count) }
            return frame.image
        }
        let context = try await context()
        await #expect(throws: Failure(number: number)) { try await context.save(edit, to: path("out")) }
        #expect(calls.withLock { $0 } == number)
        #expect(folder.contents == ["beach.JPG", "beach.MOV"])
    }

    @Test(arguments: [1, 17, 46]) func `a processor that crashes ends the process, and nothing is left`(number: Int)
        async throws
    {
        let folder = folder.path.string
        await #expect(processExitsWith: .failure) { [folder = folder as String, number = number as Int] in
            let folder = FilePath(folder)
            let context = try await LivePhotoEditingContext(
                photo: folder.appending("beach.JPG"), movie: folder.appending("beach.MOV"))
            let left = Mutex(number)
            var edit = LivePhotoEdit()
            edit.frameProcessor = { frame in
                left.withLock { $0 -= 1 }
                precondition(left.withLock { $0 > 0 }, "a mistake in the processor")
                return frame.image
            }
            _ = try await context.save(edit, to: folder.appending("out"))
            exit(EXIT_SUCCESS)
        }
        #expect(self.folder.contents == ["beach.JPG", "beach.MOV"])
    }

    @Test func `a picture of another size is an error`() async throws {
        var edit = LivePhotoEdit()
        edit.frameProcessor = { _ in
            LivePhotoImage(width: 2, height: 2, rgba: [UInt8](repeating: 0, count: 16)) ?? { fatalError() }()
        }
        let context = try await context()
        let error = await #expect(throws: LivePhotoError.self) { try await context.save(edit, to: path("out")) }
        #expect(error?.code == .invalidRequest && folder.contents == ["beach.JPG", "beach.MOV"])
    }

    @Test(arguments: [1, 2, 5, 30, 45]) func `a cancelled edit stops after a frame and leaves nothing`(number: Int)
        async throws
    {
        let context = try await context()
        let calls = Mutex(0)
        var edit = LivePhotoEdit()
        edit.frameProcessor = { frame in
            let count = calls.withLock { calls in
                calls += 1
                return calls
            }
            if count == number { context.cancel() }
            return frame.image
        }
        let error = await #expect(throws: LivePhotoError.self) { try await context.save(edit, to: path("out")) }
        #expect(error?.code == .cancelled && calls.withLock { $0 } <= number + 1)
        #expect(folder.contents == ["beach.JPG", "beach.MOV"])
    }

    @Test func `a second call cancels the first, even with a slow processor`() async throws {
        let context = try await context()
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        var slow = LivePhotoEdit()
        slow.frameProcessor = { frame in
            continuation.yield()
            usleep(50_000)
            return frame.image
        }
        let first = Task { [slow] in try await context.save(slow, to: path("first")) }
        for await _ in started { break }
        let second = try await context.save(LivePhotoEdit(), to: path("second"))
        let error = await #expect(throws: LivePhotoError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        #expect(second.photo == path("second/beach.JPG"))
        #expect(folder.contents.filter { $0.hasPrefix("first") }.isEmpty)
    }

    @Test func `images can be kept, and read when the edit is done, on another thread`() async throws {
        let kept = Mutex<[LivePhotoImage]>([])
        var edit = LivePhotoEdit()
        edit.frameProcessor = { frame in
            kept.withLock { $0.append(frame.image) }
            return frame.image
        }
        let result = try await context().save(edit, to: path("out"))
        let images = kept.withLock { $0 }
        #expect(images.count == result.plan.frameCount + 1)
        let photo = try await context().fullSizePhoto()
        let pixels = await Task.detached { images.last?.rgba }.value
        let differences = zip(try #require(pixels), photo.rgba).map { abs(Int($0) - Int($1)) }
        #expect(differences.count == 320 * 180 * 4 && differences.reduce(0, +) < differences.count)
        #expect(images.dropLast().allSatisfy { Set($0.rgba).count > 16 })
    }

    @Test func `images of 16 bits are taken as well, new ones and changed ones`() async throws {
        var edit = LivePhotoEdit()
        edit.frameProcessor = { frame in
            if frame.kind == .photo { return frame.image.changed16 { for index in $0.indices { $0[index] = .max } } }
            let white = [UInt16](repeating: .max, count: frame.image.width * frame.image.height * 4)
            return LivePhotoImage(width: frame.image.width, height: frame.image.height, rgba: white) ?? frame.image
        }
        let result = try await context().save(edit, to: path("out"))
        #expect(try numbers(result.photo) == [255])
        #expect(Set(try numbers(result.movie)) == [255])
    }

    @Test func `an edit in place keeps the identifier, and undoing restores the files`() async throws {
        var pair: [String: Data] {
            get throws { try folder.files.filter { $0.key != "numbers.gray" } }
        }
        let original = try pair
        let context = try await context()
        var edit = LivePhotoEdit()
        edit.frameProcessor = { Self.stamp(3, on: $0.image) }
        let result = try await context.saveInPlace(edit)
        #expect(result.photo == path("beach.JPG") && result.movie == path("beach.MOV"))
        #expect(result.livePhoto.contentIdentifier == context.livePhoto.contentIdentifier)
        #expect(try Set(numbers(path("beach.MOV"))) == [3] && numbers(path("beach.JPG")) == [3])
        _ = try await InPlaceUndo(of: [.edit]).undo(below: folder.path)
        #expect(try pair == original)
        struct Refused: Error {}
        edit.frameProcessor = { _ in throw Refused() }
        await #expect(throws: Refused.self) { try await context.saveInPlace(edit) }
        #expect(try pair == original)
    }

    /// A request to edit a pair whose photo is a HEIC, without an encoder for HEIC.
    private func heicRequest() throws -> ConversionRequest {
        try Program.run(["heif-enc", "-q", "80", "-o", folder.path("photo.heic"), folder.path("beach.JPG")])
        try Program.run([
            Program.livephoto.path, "link", folder.path("photo.heic"), folder.path("beach.MOV"), "--force", "--name",
            "IMG_1", "-o", folder.path("heic"),
        ])
        var request = ConversionRequest(
            editing: path("heic/IMG_1.HEIC"), path("heic/IMG_1.MOV"), outputDirectory: path("heic"))
        request.preset.adjustments.exposure = ExposureValue(hundredths: 100)
        return request
    }

    @Test func `without an encoder, a HEIC becomes a JPEG in place, and undoing brings the HEIC back`() async throws {
        var request = try heicRequest()
        request.journals = EditJournals()
        let original = try folder.files
        let result = try await MediaEngine.inProcess.convert(request)
        request.journals?.close()
        #expect(result.photo == path("heic/IMG_1.JPG") && !folder.contents.contains("heic/IMG_1.HEIC"))
        #expect(result.warnings.contains { $0.contains("the photo was a HEIC") })
        #expect(try Program.livephoto("undo", result.photo.string).status == 0)
        #expect(try folder.files == original)
    }

    @Test(arguments: [true, false])
    func `a HEIC does not become a JPEG over another file, or beside its movie's new version`(isInPlace: Bool)
        async throws
    {
        var request = try heicRequest()
        if isInPlace {
            try Data("mine".utf8).write(to: folder.url.appendingPathComponent("heic/IMG_1.JPG"))
            request.journals = EditJournals()
        }
        request.replacesExisting = true
        let before = try folder.files
        let asked = request
        await #expect(throws: LivePhotoError.self) { _ = try await MediaEngine.inProcess.convert(asked) }
        request.journals?.close()
        #expect(try folder.files == before)
    }

    @Test(arguments: ["livp", "pvt", "motion-photo", "pair"])
    func `a context opens bundles, motion photos and pairs, whose copies disappear with it`(kind: String) async throws {
        let names = ["livp": "b.livp", "pvt": "b.pvt", "motion-photo": "b.MP.jpg", "pair": "beach.MOV"]
        let source = path(try #require(names[kind]))
        if kind != "pair" {
            try Program.run(
                [Program.livephoto.path, "pack", "beach.JPG", "--as", kind, "-o", source.string], in: folder.url)
        }
        let before = try folder.snapshot
        let temporary = path("temporary")
        try FileManager.default.createDirectory(atPath: temporary.string, withIntermediateDirectories: false)
        do {
            let context = try await LivePhotoEditingContext(opening: source, temporaryDirectory: temporary)
            #expect(context.duration == MediaTime(value: 3, timescale: 1) && "\(context.photoSize)" == "320x180")
            var edit = LivePhotoEdit()
            edit.frameProcessor = { Self.stamp(5, on: $0.image) }
            let result = try await context.save(edit, to: path("out"), name: "edited")
            #expect(try Set(numbers(result.movie)) == [5] && numbers(result.photo) == [5])
            #expect(try LivePhotoVerifier().verify(photo: result.photo, movie: result.movie).isGood)
            if kind != "pair" {
                let error = await #expect(throws: LivePhotoError.self) { try await context.saveInPlace(edit) }
                #expect(error?.file == source && error?.reason.contains("extract them") == true)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.string).isEmpty)
        let after = try folder.snapshot
        #expect(before.allSatisfy { after[$0.key] == $0.value })
    }
}
