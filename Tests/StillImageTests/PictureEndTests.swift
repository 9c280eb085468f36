import Bytes
import StillImage
import TestSupport
import Testing

/// Where the first picture of a JPEG ends.
@Suite struct PictureEndTests {
    private static let step = 1 << 20
    private static let head = sampleJPEG(jfif).count - scan.count

    /// A JPEG of several steps whose scan ends with `end`.
    private func photo(_ count: Int, _ end: [UInt8]) -> [UInt8] {
        Array(sampleJPEG(jfif).prefix(Self.head)) + hex("ffda 0008 01 0100 003f00")
            + [UInt8](repeating: 0x12, count: count - 10) + end
    }

    private func end(_ bytes: [UInt8], limit: Int = JPEG.pictureLimit) throws -> Int {
        try JPEG(bytes).pictureEnd(in: inputFile(bytes), limit: limit)
    }

    @Test(arguments: -5...2) func `the end of a picture is found wherever parts of the file begin`(shift: Int) throws {
        let count = Self.step + shift
        #expect(try end(photo(count, hex("ffd9")) + hex("1234 ffd9")) == Self.head + count + 2)
        // Stuffed bytes, and the length of a table that holds the same bytes as an end.
        let table = hex("ff00 ffc4 0006 ffd9 ffd9 56")
        #expect(try end(photo(count, table + hex("ffd9 ffff"))) == Self.head + count + table.count + 2)
    }

    @Test func `a file that ends before its picture does is known, also behind a whole one`() throws {
        func isWhole(_ bytes: [UInt8]) throws -> Bool {
            do {
                try PhotoReader(inputFile(bytes)).checkIsWhole()
                return true
            } catch let error as ParseError where error.code == .truncated {
                return false
            }
        }
        let jpeg = photo(Self.step, hex("ffd9"))
        for (bytes, expected) in [
            (jpeg, true), (jpeg + hex("0102"), true), (Array(jpeg.dropLast()), false),
            (Array(jpeg.prefix(Self.head + 100)), false), (DevicePair.photo, true),
            (Array(DevicePair.photo.dropLast()), false), (DevicePair.photo + hex("0102"), true),
        ] {
            #expect(try isWhole(bytes) == expected, "\(bytes.count) bytes")
        }
    }

    @Test func `a picture without an end is cut off, and one behind the limit is too large`() throws {
        for (bytes, limit, code) in [
            (photo(Self.step + 10, []), JPEG.pictureLimit, ParseError.Code.truncated),
            (photo(Self.step + 10, hex("ff")), JPEG.pictureLimit, .truncated),
            (photo(Self.step + 10, hex("ffc4 ffff 00")), JPEG.pictureLimit, .truncated),
            (photo(Self.step + 10, hex("ffd9")), Self.step, .overLimit),
        ] {
            let error = #expect(throws: ParseError.self) { try end(bytes, limit: limit) }
            #expect(error?.code == code)
        }
    }
}
