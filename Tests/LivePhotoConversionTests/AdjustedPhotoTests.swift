import FFmpegKit
import Foundation
import LivePhotoConversion
import StillImage
import TestSupport
import Testing

/// An adjusted thumbnail, which shows what a conversion with the same adjustments makes.
@Suite struct AdjustedPhotoTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "LUT_3D_SIZE 2\n1 1 1\n0 1 1\n1 0 1\n0 0 1\n1 1 0\n0 1 0\n1 0 0\n0 0 0\n", to: "negative.cube")
    }

    private func photo(_ size: String, _ options: String = "") throws -> FilePath {
        FilePath(
            try SampleClips.make(
                "photo.jpg", "-f lavfi -i testsrc2=size=\(size):duration=1 -frames:v 1 -q:v 2\(options)"))
    }

    private func planes(_ jpeg: [UInt8], _ name: String) throws -> (PixelSize, [[UInt8]]) {
        let path = folder.path.appending(name)
        try Data(jpeg).write(to: URL(fileURLWithPath: path.string))
        let still = try StillDecoder.decode(PhotoFile(path))
        return (still.frame.size, try still.frame.colorPlanes())
    }

    /// The mean difference of two pictures in code values.
    private func difference(_ first: [UInt8], _ second: [UInt8]) throws -> Double {
        let (size, planes) = try planes(first, "first.jpg")
        let (otherSize, others) = try self.planes(second, "second.jpg")
        guard size == otherSize, planes.map(\.count) == others.map(\.count) else { return .infinity }
        let sum = zip(planes, others).reduce(0) { sum, pair in
            sum + zip(pair.0, pair.1).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        return Double(sum) / Double(planes.reduce(0) { $0 + $1.count })
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (inout Adjustments, FilePath) throws -> Void

        init(_ name: String, _ make: @escaping @Sendable (inout Adjustments, FilePath) throws -> Void) {
            (testDescription, self.make) = (name, make)
        }
    }

    private static let changes = [
        Change("rotation") { adjustments, _ in adjustments.rotation = .clockwise },
        Change("flip") { adjustments, _ in adjustments.flip = .vertical },
        Change("straightening") { adjustments, _ in adjustments.straightening = StraighteningAngle(hundredths: 350) },
        Change("exposure") { adjustments, _ in adjustments.exposure = ExposureValue(hundredths: 70) },
        Change("contrast") { adjustments, _ in adjustments.contrast = AdjustmentAmount(-40) },
        Change("saturation") { adjustments, _ in adjustments.saturation = AdjustmentAmount(-100) },
        Change("warmth and tint") { adjustments, _ in
            (adjustments.warmth, adjustments.tint) = (AdjustmentAmount(60), AdjustmentAmount(-30))
        },
        Change("vignette") { adjustments, _ in adjustments.vignette = AdjustmentStrength(80) },
        Change("sharpening") { adjustments, _ in adjustments.sharpening = AdjustmentStrength(90) },
        Change("denoising") { adjustments, _ in adjustments.denoising = AdjustmentStrength(70) },
        Change("color table") { adjustments, folder in
            adjustments.colorTable = LookupTableFile(path: folder.appending("negative.cube"))
        },
        Change("filter") { adjustments, _ in adjustments.filter = try FilterChain("hue=h=90,negate") },
        Change("many") { adjustments, _ in
            (adjustments.rotation, adjustments.flip) = (.counterclockwise, .horizontal)
            (adjustments.exposure, adjustments.contrast) = (ExposureValue(hundredths: -50), AdjustmentAmount(30))
            (adjustments.vignette, adjustments.sharpening) = (AdjustmentStrength(40), AdjustmentStrength(20))
            adjustments.straightening = StraighteningAngle(hundredths: -200)
        },
    ]

    private func adjustments(_ change: Change) throws -> Adjustments {
        var adjustments = Adjustments()
        try change.make(&adjustments, folder.path)
        return adjustments
    }

    /// The key photo of a Live Photo with a photo of the user.
    private func converted(_ photo: FilePath, _ adjustments: Adjustments) async throws -> [UInt8] {
        var request = ConversionRequest(
            clip: FilePath(try SampleClips.beach()), outputDirectory: folder.path.appending("out"))
        (request.photo, request.preset.adjustments) = (photo, adjustments)
        request.preset.window.duration = MediaTime(value: 1, timescale: 2)
        let result = try await MediaEngine.inProcess.convert(request)
        return try PhotoFile(result.photo).bytes
    }

    @Test(arguments: changes)
    func `an adjusted photo is the key photo of a conversion with these adjustments`(change: Change) async throws {
        let photo = try photo("320x180")
        let adjustments = try adjustments(change)
        let adjusted = try await MediaEngine.inProcess.adjusted(photo, by: adjustments, quality: 92)
        #expect(try difference(adjusted.jpeg, await converted(photo, adjustments)) < 0.1)
        let plain = try await MediaEngine.inProcess.adjusted(photo, by: Adjustments(), quality: 92)
        #expect(try difference(adjusted.jpeg, plain.jpeg) > 0.05, "the adjustment has no effect")
    }

    @Test(arguments: changes)
    func `a small adjusted picture of a large photo looks like the key photo`(change: Change) async throws {
        let photo = try photo("1600x900")
        let adjustments = try adjustments(change)
        let adjusted = try await MediaEngine.inProcess.adjusted(photo, by: adjustments)
        #expect(adjusted.size.longEdge == 640)
        let large = folder.path.appending("large.jpg")
        try Data(try await converted(photo, adjustments)).write(to: URL(fileURLWithPath: large.string))
        let small = try await MediaEngine.inProcess.thumbnail(of: large, edge: 640, quality: 85)
        #expect(try difference(adjusted.jpeg, small.jpeg) < 3)
    }

    @Test func `a photo that states an orientation is turned upright before it is adjusted`() async throws {
        let upright = try photo("320x180")
        let turned = folder.path.appending("turned.jpg")
        try FileManager.default.copyItem(atPath: upright.string, toPath: turned.string)
        try Program.run(["exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", turned.string])
        var adjustments = Adjustments()
        let plain = try await MediaEngine.inProcess.adjusted(turned, by: adjustments)
        #expect(plain.size == PixelSize(width: 180, height: 320))
        adjustments.rotation = .counterclockwise
        let back = try await MediaEngine.inProcess.adjusted(turned, by: adjustments)
        #expect(try difference(back.jpeg, await MediaEngine.inProcess.adjusted(upright, by: Adjustments()).jpeg) < 0.5)
    }

    @Test func `stabilization, which needs several pictures, has no effect`() async throws {
        let photo = try photo("320x180")
        var adjustments = Adjustments()
        adjustments.stabilization = .on
        let engine = MediaEngine.inProcess
        #expect(
            try await engine.adjusted(photo, by: adjustments).jpeg == engine.adjusted(photo, by: Adjustments()).jpeg)
    }

    @Test(arguments: ["eq=nonsense=1", "crop=10:10", "movie=/dev/null"])
    func `filters that cannot be used are an error before anything is filtered`(text: String) async throws {
        let photo = try photo("320x180")
        let error = await #expect(throws: LivePhotoError.self) {
            var adjustments = Adjustments()
            adjustments.filter = try FilterChain(text)
            return try await MediaEngine.inProcess.adjusted(photo, by: adjustments)
        }
        #expect(error?.code.general == .invalidRequest, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func `what is no photo is an error`() async throws {
        try folder.write("text", to: "photo.jpg")
        let error = await #expect(throws: LivePhotoError.self) {
            try await MediaEngine.inProcess.adjusted(folder.path.appending("photo.jpg"), by: Adjustments())
        }
        #expect(error?.code == .unusableMedia)
    }
}
