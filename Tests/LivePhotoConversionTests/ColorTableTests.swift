import FFmpegKit
import Foundation
import LivePhotoConversion
import MediaModel
import TestSupport
import Testing

/// Lookup tables: what a `.cube` file says, and that its table gives what ffmpeg's filters give.
@Suite struct ColorTableTests {
    /// FFmpeg 9's lut3d writes wrong pixels at the end of rows whose width is no multiple of 8.
    private static let size = PixelSize(width: 64, height: 47)

    /// Random values with 16 bits, with the extremes among them, in the order green, blue, red.
    private static func planes() -> [[UInt8]] {
        var generator = SeededGenerator()
        return (0..<3).map { plane in
            var values = (0..<size.width * size.height).map { _ in UInt16.random(in: 0...65_535, using: &generator) }
            for index in 0..<8 { values[index] = index >> plane & 1 == 1 ? 65_535 : 0 }
            return values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
    }

    private static func picture() throws -> Frame {
        try Frame(
            size: size, format: "gbrp16le",
            color: ColorDescription(primaries: 1, transfer: 1, matrix: 0, isFullRange: true), planes: planes())
    }

    /// The values of a picture: red, green and blue of each pixel.
    private static func values(_ picture: Frame) throws -> [Int] {
        let graph = try FilterGraph("format=rgb48le", like: picture, threads: 1)
        try graph.send(picture)
        let bytes = try #require(try graph.receive()).packedPixels()
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    private static func mapped(by cube: String) throws -> [Int] {
        let table = try CubeFile.table(in: inputFile(Array(cube.utf8)))
        return try values(picture().mapped(by: table))
    }

    /// The same picture after a filter of the ffmpeg program.
    private static func ffmpeg(_ filter: String, _ cube: String) throws -> [Int] {
        let folder = try TemporaryFolder()
        try folder.write(cube, to: "x.cube")
        try Data(planes().flatMap { $0 }).write(to: URL(fileURLWithPath: folder.path("in.raw")))
        try Program.run(
            [
                "ffmpeg", "-v", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "gbrp16le", "-s", "\(size)", "-i",
                "in.raw", "-vf", "\(filter),format=rgb48le", "-f", "rawvideo", "out.raw",
            ], in: folder.url)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("out.raw"))))
        return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
    }

    /// A table of random colours.
    private static func cube(_ head: String, count: Int, range: ClosedRange<Double> = 0...1) -> String {
        var generator = SeededGenerator()
        let entries = (0..<count).map { _ in
            (0..<3).map { _ in String(Double.random(in: range, using: &generator)) }.joined(separator: " ")
        }
        return "TITLE \"random\"\n\(head)\n" + entries.joined(separator: "\n") + "\n"
    }

    @Test(
        .seeded,
        arguments: [
            (2, "", 0...1), (17, "", 0...1), (33, "", 0...1), (9, "", -0.5...1.5),
            (5, "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 2.0 1.5 3", 0...1),
        ] as [(Int, String, ClosedRange<Double>)])
    func `a table with three dimensions gives what ffmpeg's lut3d gives`(
        size: Int, head: String, range: ClosedRange<Double>
    ) throws {
        let cube = Self.cube("LUT_3D_SIZE \(size)\n\(head)", count: size * size * size, range: range)
        let (found, expected) = (try Self.mapped(by: cube), try Self.ffmpeg("lut3d=x.cube:interp=tetrahedral", cube))
        let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? 65_535
        #expect(found.count == expected.count && difference <= 16, "\(difference) of 65535")
    }

    @Test(.seeded, arguments: [2, 16, 1024])
    func `a table with one dimension gives what ffmpeg's lut1d gives`(size: Int) throws {
        let cube = Self.cube("LUT_1D_SIZE \(size)", count: size)
        let (found, expected) = (try Self.mapped(by: cube), try Self.ffmpeg("lut1d=x.cube:interp=linear", cube))
        let difference = zip(found, expected).map { abs($0 - $1) }.max() ?? 65_535
        #expect(found.count == expected.count && difference <= 16, "\(difference) of 65535")
    }

    /// Swaps red and green, and inverts blue.
    private static let corners = "0 0 1\n0 1 1\n1 0 1\n1 1 1\n0 0 0\n0 1 0\n1 0 0\n1 1 0\n"
    private static let head = "LUT_3D_SIZE 2\n"

    @Test(arguments: [
        head + corners, "\u{FEFF}# comment\r\n\r\n" + (head + corners).replacing("\n", with: "\r\n"),
        "  LUT_3D_SIZE   2 # two\n\t" + corners.replacing("1", with: "+1.000e0") + "# end",
        "TITLE LUT_3D_SIZE 9\nDOMAIN_MIN 0.0 0.0 0.0\nDOMAIN_MAX 1 1 1\n" + head + corners.replacing("0", with: ".0"),
        "LUT_3D_INPUT_RANGE 0 1\n" + head + String(corners.dropLast()),
        head + corners.replacing("1", with: "100.0E-2").replacing("0 ", with: "0.00000000000000000000001 "),
    ])
    func `all ways of writing a table mean the same`(cube: String) throws {
        let found = try Self.mapped(by: cube)
        let source = try Self.values(Self.picture())
        for pixel in stride(from: 0, to: found.count, by: 3) {
            let expected = [source[pixel + 1], source[pixel], 65_535 - source[pixel + 2]]
            #expect(zip(found[pixel..<pixel + 3], expected).allSatisfy { abs($0 - $1) <= 2 })
        }
    }

    @Test func `colours below the domain get the first entry, and those above it the last`() throws {
        let cube =
            "LUT_3D_SIZE 2\nDOMAIN_MIN 0.25 0.25 0.25\nDOMAIN_MAX 0.75 0.75 0.75\n"
            + "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
        let (found, source) = (try Self.mapped(by: cube), try Self.values(Self.picture()))
        for (new, old) in zip(found, source) {
            let expected = min(max((Double(old) / 65_535 - 0.25) * 2, 0), 1) * 65_535
            #expect(abs(Double(new) - expected) <= 3)
        }
    }

    @Test(
        arguments: [
            ("", 1, "has no LUT_3D_SIZE or LUT_1D_SIZE"), ("# nothing\n\n", 3, "has no LUT_3D_SIZE"),
            ("0 0 0\n", 1, "has values before LUT_3D_SIZE"), ("\u{89}PNG\r\n", 1, "has values before"),
            ("LUT_3D_SIZE 1\n", 1, "must be from 2 to 129"), ("LUT_3D_SIZE 130\n", 1, "must be from 2 to 129"),
            ("LUT_3D_SIZE 2.5\n", 1, "must be from 2"), ("LUT_3D_SIZE\n2\n", 1, "has no usable LUT_3D_SIZE"),
            ("LUT_3D_SIZE 99999999999999999999\n", 1, "from 2 to 129"), ("LUT_1D_SIZE 65537\n", 1, "from 2 to 65536"),
            ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", 2, "second table"), ("LUT_3D_SIZE 2 2\n", 1, "no usable"),
            (head + "0 0 0\n", 3, "ends after 1 of 8 entries"),
            (head + corners + "0 0 0\n", 10, "more entries than its size, 2"),
            (head + "0 0 0\n0 0\n", 3, "needs 3 numbers"), (head + "0 0 0 0\n", 2, "more than 3 numbers"),
            (head + "0 0 x\n", 2, "needs 3 numbers"), (head + "0 0 1,5\n", 2, "needs 3 numbers"),
            (head + "0 0 -\n", 2, "needs 3"),
            (head + "0 0 1e\n", 2, "needs 3"), (head + "0 0 .\n", 2, "needs 3"), (head + "0 0 0x1\n", 2, "needs 3"),
            (head + "nan 0 0\n", 2, "'nan', which is not supported"), (head + "0 inf 0\n", 2, "needs 3"),
            (head + "0 0 1e9\n", 2, "outside of -1000 to 1000"), (head + "0 0 1e999\n", 2, "outside"),
            (head + "0 0 " + String(repeating: "9", count: 999), 2, "outside"),
            ("LUT_IN_VIDEO_RANGE\n" + head, 1, "'LUT_IN_VIDEO_RANGE', which is not supported"),
            ("DOMAIN_MIN 1 0 0\n" + head + corners, 11, "a range of colours that is empty"),
            ("DOMAIN_MIN 0 0\n" + head + corners, 1, "needs 3 numbers for DOMAIN_MIN"),
            ("LUT_3D_INPUT_RANGE 1 0\n" + head + corners, 11, "range of colours that is empty"),
        ] as [(String, Int, String)])
    func `a broken table is an error that names the line`(cube: String, line: Int, reason: String) throws {
        let error = #expect(throws: LivePhotoError.self) { try CubeFile.table(in: inputFile(Array(cube.utf8))) }
        #expect(error?.code == .unusableMedia && error?.file != nil)
        #expect(error?.place?.line == line && error?.reason.contains(reason) == true, "\(error.debugDescription)")
    }

    @Test(.seeded) func `arbitrary bytes are a table or an error`() throws {
        var generator = SeededGenerator()
        let letters = Array("LUT_3D_SIZE 2\n\n\n# 01.e-+\r\t9DOMAIN_MIN\"\u{0}ÿ".utf8)
        for _ in 0..<2000 {
            let noise = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? 0
            }
            _ = try? CubeFile.table(
                in: inputFile(Array((Bool.random(using: &generator) ? Self.head : "").utf8) + noise))
        }
    }
}
