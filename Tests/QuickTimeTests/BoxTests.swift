import Bytes
import QuickTime
import TestSamples
import Testing

@Suite struct BoxTests {
    @Test func `a 64-bit size is read`() throws {
        var reader = ByteReader(hex("00000001 'free' 0000000000000012 ABCD"), structure: "test")
        let child = try #require(try reader.nextBox())
        #expect(child.type == "free")
        #expect(OpaqueBox(child).payload == [0xAB, 0xCD])
        #expect(try reader.nextBox() == nil)
    }

    @Test func `a box of size 0 reaches to the end of what holds it`() throws {
        var reader = ByteReader(hex("00000000 'free' ABCDEF"), structure: "test")
        #expect(OpaqueBox(try #require(try reader.nextBox())).payload == [0xAB, 0xCD, 0xEF])
    }

    @Test(arguments: ["00000000", "00", "0000000000000000", "000000000000000000000000"])
    func `zeros end a list of boxes`(zeros: String) throws {
        var reader = ByteReader(hex("00000008 'free'" + zeros), structure: "test")
        _ = try reader.nextBox()
        #expect(try reader.nextBox() == nil)
        try reader.finishPadded()
    }

    @Test(arguments: [
        "00000007 'free'", "00000009 'free'", "FFFFFFFF 'free'", "00000001 'free' FFFFFFFFFFFFFFFF",
        "00000001 'free' 000000000000000F", "00000001 'free' 0000", "0000000A", "00000000 00000001",
    ])
    func `a size that the bytes cannot have is an error`(header: String) {
        #expect(throws: ParseError.self) {
            var reader = ByteReader(hex(header) + [0xFF], structure: "test")
            _ = try reader.nextBox()?.read(MediaHeaderBox.self)
        }
    }

    @Test func `padding behind the fields of a box is dropped, anything else is an error`() throws {
        let fields = hex("00000000 0000 0000")
        let padded = fields + hex("0000000A 'skip' FFFF 0000000000")
        #expect(try readBox(SoundMediaHeaderBox.self, box("smhd", padded)).balance == 0)
        let error = #expect(throws: ParseError.self) {
            try readBox(SoundMediaHeaderBox.self, box("smhd", fields + [0, 1]))
        }
        #expect(error?.code == .leftOver)
    }

    @Test func `a version of the future is an error that says so`() {
        let error = #expect(throws: ParseError.self) {
            try readBox(TrackHeaderBox.self, box("tkhd", [2] + Array(repeating: 0, count: 100)))
        }
        #expect(error?.code == .unsupported)
        #expect(error?.structure == "tkhd")
    }
}
