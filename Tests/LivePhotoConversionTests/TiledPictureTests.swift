import FFmpegKit
import Foundation
import LivePhotoConversion
import MediaModel
import TestSupport
import Testing

/// HEIC and AVIF whose coded pictures are decoded without libheif, held to what libheif makes of them.
@Suite struct TiledPictureTests {
    private static let avif = "avifenc -s 10 --min 20 --max 20"
    private static let lossless = "avifenc -s 10 --min 0 --max 0"

    /// - Parameter source: libavfilter's, without its size.
    private func file(_ encoder: String, size: String, source: String = "testsrc2=rate=1") throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let picture = try SampleClips.make(
            "tiles-\(source.prefix(8))-\(size).png",
            "-f lavfi -i \(source):size=\(size),format=rgb24 -frames:v 1")
        let command = encoder.split(separator: " ").map(String.init)
        try Program.run(
            command + (command[0] == "avifenc" ? [picture, "out"] : [picture, "-o", "out"]), in: folder.url)
        return Array(try Data(contentsOf: folder.url.appendingPathComponent("out")))
    }

    @Test(arguments: [
        ("-y 420", "128x96"), ("-y 422", "128x96"), ("-y 444", "129x97"), ("-y 420", "129x97"),
        ("-y 420 --grid 2x2", "256x128"), ("-y 420 --grid 4x1", "512x64"),
    ]) func `the samples are those that libavif decodes`(options: String, size: String) throws {
        let bytes = try file("\(Self.avif) \(options)", size: size)
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: folder.url.appendingPathComponent("in.avif"))
        try Program.run(["avifdec", "in.avif", "out.y4m"], in: folder.url)
        let decoded = Array(try Data(contentsOf: folder.url.appendingPathComponent("out.y4m")))
        let start = try #require(decoded.firstRange(of: Array("FRAME\n".utf8))).upperBound
        let frame = try DecodedStill(tilesOf: bytes, 16_384).frame
        #expect(try frame.colorPlanes().flatMap { $0 } == Array(decoded[start...]))
    }

    @Test(arguments: [
        ("heif-enc -q 95 -p chroma=420", "128x96"), ("heif-enc -q 95 -p chroma=444", "128x96"),
        ("\(lossless) -y 420", "128x96"), ("\(lossless) -y 422 -d 10", "128x96"),
        ("\(lossless) -y 444 -d 12", "129x97"), ("\(lossless) -y 400", "129x97"),
        ("\(lossless) -y 420 --grid 2x2", "256x128"), ("\(lossless) -y 420 --irot 1", "128x96"),
        ("\(lossless) -y 420 --irot 2", "128x96"), ("\(lossless) -y 444 --irot 3 --imir 0", "129x97"),
        ("\(lossless) -y 420 --imir 1", "128x96"), ("\(lossless) -y 420 --crop 16,8,64,32 --irot 1", "128x96"),
    ]) func `the picture is the one that libheif shows`(encoder: String, size: String) throws {
        let bytes = try file(encoder, size: size, source: "gradients=seed=3:speed=0.00001:nb_colors=4")
        let expected = try DecodedStill(heif: bytes, 16_384)
        let found = try DecodedStill(tilesOf: bytes, 16_384)
        #expect(found.frame.size == expected.frame.size)
        let format = expected.frame.pixelFormat
        #expect(found.frame.pixelFormat == format)
        #expect(found.video.color.matrix == expected.video.color.matrix)
        #expect(found.video.color.isFullRange == expected.video.color.isFullRange)
        let planes =
            try format.isGray
            ? [(found.frame.lumaPlane(), expected.frame.lumaPlane())]
            : Array(zip(found.frame.colorPlanes(), expected.frame.colorPlanes()))
        // libheif 1.15 converts to RGB and back.
        for (plane, other) in planes {
            #expect(distance(plane, other, format.bitsPerComponent) < 1.5 / 255)
        }
    }

    @Test func `4:2:2 that is turned on its side is an error, not wrong colours`() throws {
        let bytes = try file("\(Self.avif) -y 422 --irot 1", size: "128x96")
        #expect(throws: (any Error).self) { _ = try DecodedStill(tilesOf: bytes, 16_384) }
        _ = try DecodedStill(tilesOf: file("\(Self.avif) -y 422 --irot 2", size: "128x96"), 16_384)
    }

    /// The mean difference of two planes, as a share of the largest value.
    private func distance(_ plane: [UInt8], _ other: [UInt8], _ bits: Int) -> Double {
        func samples(_ plane: [UInt8]) -> [Int] {
            guard bits > 8 else { return plane.map(Int.init) }
            return stride(from: 0, to: plane.count, by: 2).map { Int(plane[$0]) | Int(plane[$0 + 1]) << 8 }
        }
        let differences = zip(samples(plane), samples(other)).map { abs($0 - $1) }
        guard plane.count == other.count, !differences.isEmpty else { return 1 }
        return Double(differences.reduce(0, +)) / Double(differences.count) / Double(1 << bits - 1)
    }

    @Test func `damaged files are an error or a picture, never more`() throws {
        let bytes = try file("\(Self.avif) -y 420 --grid 2x2", size: "256x128")
        let head = try #require(bytes.firstRange(of: Array("mdat".utf8))).lowerBound
        for place in stride(from: 0, to: head, by: 3) {
            for value in [0, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] = value
                _ = try? DecodedStill(tilesOf: damaged, 1024)
            }
        }
        for count in stride(from: 0, to: bytes.count, by: 97) {
            #expect(throws: (any Error).self) { _ = try DecodedStill(tilesOf: Array(bytes.prefix(count)), 1024) }
        }
        #expect(throws: (any Error).self) { _ = try DecodedStill(tilesOf: bytes, 255) }
    }
}
