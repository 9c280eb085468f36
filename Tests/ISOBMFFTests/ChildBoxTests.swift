import Bytes
import ISOBMFF
import TestSupport
import Testing

@Suite struct ChildBoxTests {
    private func reader(_ bytes: String) -> ByteReader {
        ByteReader(hex(bytes), structure: "test", fileOffset: 100)
    }

    @Test(arguments: [
        ("0000000A 'free' ABCD", 100..<110, 108..<110), ("00000008 'free' ABCD", 100..<108, 108..<108),
        ("00000001 'free' 0000000000000012 ABCD EF", 100..<118, 116..<118),
        ("00000000 'free' ABCDEF", 100..<111, 108..<111),
    ])
    func `a box has its place in the file`(bytes: String, range: Range<Int>, payload: Range<Int>) throws {
        var reader = reader(bytes)
        let box = try #require(try reader.nextBox())
        #expect(box.type == "free")
        #expect(box.range == range && box.payloadRange == payload)
        #expect(reader.offset == range.upperBound)
    }

    @Test(arguments: ["", "00000000", "00", "0000000000000000", "000000000000000000000000"])
    func `zeros end a list of boxes`(zeros: String) throws {
        var reader = reader("00000008 'free'" + zeros)
        _ = try reader.nextBox()
        #expect(try reader.nextBox() == nil)
        try reader.finishPadded()
    }

    @Test(arguments: [
        "00000007 'free'", "00000009 'free'", "FFFFFFFF 'free'", "00000001 'free' FFFFFFFFFFFFFFFF",
        "00000001 'free' 000000000000000F", "00000001 'free' 0000", "0000000A", "00000000 00000001",
        "00000001 'free' 7FFFFFFFFFFFFFFF",
    ])
    func `a size that the bytes cannot have is an error`(header: String) {
        #expect(throws: ParseError.self) {
            var reader = ByteReader(hex(header) + [0xFF], structure: "test")
            _ = try reader.nextBox()?.read(SampleBox.self)
        }
    }

    @Test(arguments: ["0000000C 'free' 01020304", "00000001 'free' 0000000000000014 01020304"])
    func `a box cut off anywhere is an error`(box: String) {
        for count in 1..<hex(box).count {
            let cut = ByteReader(Array(hex(box).prefix(count)), structure: "test")
            // Fewer than eight bytes that are all zeros end a list.
            if count > 3 {
                #expect(throws: ParseError.self, "cut to \(count) bytes") {
                    var reader = cut
                    _ = try reader.nextBox()
                }
            }
            #expect(throws: ParseError.self, "cut to \(count) bytes") { try cut.boxes(limit: 10) }
        }
    }

    @Test func `padding behind the fields of a box is dropped, anything else is an error`() throws {
        let padded = hex("0000001F 'smpl' 00000000 00000007 0000000A 'skip' FFFF 0000000000")
        #expect(try SampleBox(padded).number == 7)
        let error = #expect(throws: ParseError.self) { try SampleBox(hex("00000012 'smpl' 00000000 00000007 0001")) }
        #expect(error?.code == .leftOver)
    }

    @Test(arguments: [
        ("", 0), ("00000008 'infe'", 1), ("00000008 'infe' 0000000A 'infe' ABCD", 2),
        ("00000001 'infe' 0000000000000010", 1),
    ])
    func `boxes that fill their container are listed`(bytes: String, count: Int) throws {
        #expect(try reader(bytes).boxes(limit: 2).count == count)
    }

    @Test(
        arguments: [
            ("00000008 'infe' 00000000", .invalidValue, 108), ("00000008 'infe' 0000000000000000", .invalidValue, 108),
            ("00000008 00000000", .invalidValue, 100), ("00000000 'infe'", .invalidValue, 100),
            ("00000008 'infe' 00000000 'infe' 01", .invalidValue, 108), ("00000009 'infe'", .truncated, 108),
            ("00000007 'infe'", .invalidValue, 100), ("000000", .invalidValue, 100), ("000009", .truncated, 100),
            ("00000008 'infe' 00000008 'infe' 00000008 'infe'", .overLimit, 116),
        ] as [(String, ParseError.Code, Int)])
    func `what does not fill its container with whole boxes is an error`(
        bytes: String, code: ParseError.Code, offset: Int
    ) {
        let error = #expect(throws: ParseError.self) { try reader(bytes).boxes(limit: 2) }
        #expect(error?.code == code && error?.offset == offset)
    }

    @Test func `boxes get their sizes by nesting`() throws {
        var writer = ByteWriter()
        writer.box("moov") { moov in
            moov.box("free") { $0.integer(UInt16(0xABCD)) }
        }
        #expect(writer.bytes == hex("00000012 'moov' 0000000A 'free' ABCD"))
    }

    @Test(arguments: ["00000010 'smpl' 00000005 00000007", "00000014 'smpl' 01000005 0000000100000000"])
    func `a box is written as it was read, and cut off anywhere is an error`(bytes: String) throws {
        let bytes = hex(bytes)
        var writer = ByteWriter()
        writer.box(try SampleBox(bytes))
        #expect(writer.bytes == bytes)
        for count in bytes.indices {
            #expect(throws: (any Error).self, "cut to \(count) bytes") { try SampleBox(Array(bytes.prefix(count))) }
        }
    }
}
