import Bytes
import LivePhotoKit
import MediaModel
import TestSupport
import Testing

/// The structure of exported files.
@Suite struct ExportedFactsTests {
    /// Two frames of 3x2, shown for 0.05 and 0.07 s.
    private static let gif =
        hex("474946383961 0300 0200 80 00 00 000000 ffffff")  // header, a palette of two colors
        + hex("21ff0b 4e45545343415045322e30 03 01 0000 00")  // loops
        + hex("21f904 04 0500 00 00  2c 0000 0000 0300 0200 00 02 02 4401 00")  // delay and a picture
        + hex("21f904 04 0700 00 00  2c 0000 0000 0100 0100 80 000000 ffffff 02 02 4c01 00 3b")

    /// Two frames of 16x8, shown for 40 and 60 ms.
    private static let webP =
        hex("52494646 56000000 57454250")
        + hex("56503858 0a000000 02 000000 0f0000 070000")
        + hex("414e494d 06000000 00000000 0000")
        + hex("414e4d46 11000000 000000 000000 0f0000 070000 280000 00 aa 00")
        + hex("414e4d46 10000000 000000 000000 0f0000 070000 3c0000 00")

    private func facts(_ bytes: [UInt8], _ kind: ExportedFacts.Kind) throws -> ExportedFacts {
        try ExportedFacts(of: inputFile(bytes), as: kind)
    }

    @Test func `frames and delays of a GIF are counted`() throws {
        let facts = try facts(Self.gif, .gif)
        #expect(facts.size == PixelSize(width: 3, height: 2) && facts.frames == 2)
        #expect(facts.duration == MediaTime(value: 12, timescale: 100))
    }

    @Test func `frames and durations of a WebP are counted`() throws {
        let facts = try facts(Self.webP, .webP)
        #expect(facts.size == PixelSize(width: 16, height: 8) && facts.frames == 2)
        #expect(facts.duration == MediaTime(value: 100, timescale: 1000))
    }

    @Test func `the last frame of a WebP can be made to end at a time`() throws {
        let facts = try facts(Self.webP, .webP)
        let end = try #require(facts.endOfWebP(at: MediaTime(value: 340, timescale: 1000)))
        var bytes = Self.webP
        bytes.replaceSubrange(end.offset..<end.offset + 3, with: end.bytes)
        #expect(try self.facts(bytes, .webP).duration == MediaTime(value: 340, timescale: 1000))
        #expect(facts.endOfWebP(at: MediaTime(value: 40, timescale: 1000)) == nil)
    }

    @Test(arguments: ["56503820 0a000000 000000 9d012a 4000 2000", "5650384c 06000000 2f 3fc00700 00"])
    func `a WebP with a single picture has its size`(chunk: String) throws {
        let content = Array("WEBP".utf8) + hex(chunk)
        let facts = try facts(Array("RIFF".utf8) + little(content.count) + content, .webP)
        #expect(facts.size == PixelSize(width: 64, height: 32) && facts.frames == 1 && facts.duration == .zero)
    }

    @Test(arguments: [ExportedFacts.Kind.gif, .webP])
    func `a file that is cut off anywhere is an error`(kind: ExportedFacts.Kind) throws {
        let bytes = kind == .gif ? Self.gif : Self.webP
        for count in 0..<bytes.count {
            #expect(throws: ParseError.self, "\(count) bytes") { try facts(Array(bytes[..<count]), kind) }
        }
    }
}
