import Bytes
import Testing

@Suite struct ByteReaderTests {
    @Test func `integers are read in both byte orders`() throws {
        var reader = ByteReader([0x12, 0x34, 0x12, 0x34, 0xFF, 0xFF, 0xFF, 0xFE], structure: "test")
        #expect(try reader.integer(UInt16.self) == 0x1234)
        #expect(try reader.integer(UInt16.self, .little) == 0x3412)
        #expect(try reader.integer(Int32.self) == -2)
        try reader.finish()
    }

    @Test func `a value that is cut off is an error that says where in the file`() {
        var reader = ByteReader([1, 2, 3], structure: "mvhd", fileOffset: 100)
        let error = #expect(throws: ParseError.self) {
            _ = try reader.integer(UInt8.self)
            _ = try reader.integer(UInt32.self)
        }
        #expect(error?.code == .truncated)
        #expect(error?.structure == "mvhd")
        #expect(error?.offset == 101)
    }

    @Test func `a reader over a part keeps the file's offsets and stops at the part's end`() throws {
        var reader = ByteReader([0, 1, 2, 3, 4, 5], structure: "outer", fileOffset: 10)
        try reader.skip(2)
        var inner = try reader.reader(2, structure: "inner")
        #expect(inner.offset == 12)
        #expect(try inner.bytes(2) == [2, 3])
        #expect(throws: ParseError.self) { _ = try inner.bytes(1) }
        #expect(reader.offset == 14 && reader.remaining == 2)
    }

    @Test(arguments: [Int.max, Int.min, -1, 3]) func `a table's claimed count never sizes an allocation`(count: Int) {
        var reader = ByteReader([0, 0, 0, 0], structure: "stts")
        #expect(throws: ParseError.self) {
            _ = try reader.table(count: count, entrySize: 2) { (entry) throws(ParseError) in
                try entry.integer(UInt16.self)
            }
        }
    }

    @Test func `bytes left over are an error`() {
        let reader = ByteReader([0], structure: "stss")
        #expect(throws: ParseError.self) { try reader.finish() }
    }
}

@Suite struct ByteWriterTests {
    @Test func `a part of a span is appended`() {
        let source: [UInt8] = [1, 2, 3, 4]
        var writer = ByteWriter()
        writer.reserve(2)
        writer.append(source.span.extracting(1..<3))
        #expect(writer.bytes == [2, 3])
    }

    @Test func `a four-character code prints its characters, and escapes those that do not print`() {
        #expect(FourCC("moov").description == "moov")
        #expect(FourCC(rawValue: 0x0000_0001).description == "\\x00\\x00\\x00\\x01")
        #expect(FourCC(rawValue: 0xA978_797A).description == "©xyz")
    }
}
