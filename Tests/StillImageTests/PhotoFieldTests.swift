import Bytes
import StillImage
import TestSupport
import Testing

@Suite struct PhotoFieldTests {
    /// A field of a little-endian TIFF with nothing else in it.
    private func field(type: UInt16, count: Int, _ value: [UInt8]) throws -> TIFFField {
        let inline = value.count <= 4 ? value + [UInt8](repeating: 0, count: 4 - value.count) : hex("1a000000")
        let tiff =
            hex("4949 2a00 08000000 0100 0e01") + [UInt8(type), 0, UInt8(count & 0xFF), UInt8(count >> 8), 0, 0]
            + inline
            + hex("00000000") + (value.count > 4 ? value : [])
        return try #require(try TIFF(from: reader(tiff)).image[.imageDescription])
    }

    @Test(
        arguments: [
            (1, 2, "0aff", "10, 255"), (1, 17, "00000000 00000000 00000000 00000000 00", "17 bytes"),
            (2, 4, "48656900", "Hei"), (2, 4, "48006900", "H"), (2, 4, "1b5b4100", "\u{FFFD}[A"), (2, 2, "c3bc", "ü"),
            (3, 2, "0100 ffff", "1, 65535"), (4, 1, "ffffffff", "4294967295"), (5, 1, "01000000 78000000", "1/120"),
            (5, 1, "01000000 00000000", "1/0"), (6, 1, "ff", "-1"), (7, 4, "30323332", "0232"),
            (7, 4, "01020300", "1, 2, 3, 0"), (7, 5, "0102030405", "5 bytes"), (7, 0, "", ""), (8, 1, "feff", "-2"),
            (9, 1, "0c000000", "12"), (10, 1, "ffffffff 03000000", "-1/3"), (11, 1, "0000c03f", "1.5"),
            (11, 1, "0000c07f", "nan"), (12, 1, "000000000000f83f", "1.5"), (13, 1, "08000000", "8"),
            (16, 1, "ffffffffffffffff", "18446744073709551615"), (17, 1, "ffffffffffffffff", "-1"),
            (18, 1, "0100000000000000", "1"),
        ] as [(UInt16, Int, String, String)])
    func `a value of each type prints plainly`(type: UInt16, count: Int, value: String, text: String) throws {
        #expect(try field(type: type, count: count, hex(value)).printed == text)
    }

    @Test(arguments: [
        (16, "7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7"),
        (17, "7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, … (17 values)"),
    ])
    func `many numbers are cut`(count: Int, text: String) throws {
        #expect(
            try field(type: 3, count: count, [UInt8](repeatElement([7, 0], count: count).joined())).printed == text)
    }

    @Test(arguments: [199, 200, 201, 900]) func `long text is cut`(count: Int) {
        let text = String(repeating: "é", count: count)
        let printed = TIFFField.ascii(.make, text).printed
        #expect(printed == (count <= 200 ? text : String(repeating: "é", count: 200) + "…"))
    }

    @Test func `fields of all directories have their names`() throws {
        let fields = try PhotoField.all(in: reader(minimalTIFF))
        #expect(fields.map(\.name) == ["Orientation", "ContentIdentifier"])
        #expect(fields.map(\.directory) == [.image, .apple])
        #expect(fields.map(\.text) == [.success("1"), .success(identifier)])
    }

    @Test func `what is damaged says so beside what is not`() throws {
        let note = Array(minimalNote.prefix(12)) + Array("XX".utf8)
        let tiff = TIFF(
            image: IFD([.ascii(.make, "Hei")]), exif: IFD([.short(.colorSpace, 1), .undefined(.makerNote, note)]),
            gps: IFD([.byte(.gpsVersion, 2, 3, 0, 0)]))
        var fields = try PhotoField.all(in: reader(tiff.bytes))
        #expect(fields.map(\.name) == ["Make", "ColorSpace", "GPSVersionID", "MakerNote"])
        #expect(fields.map { (try? $0.text.get()) ?? "damaged" } == ["Hei", "1", "2, 3, 0, 0", "damaged"])

        var bytes = minimalTIFF
        bytes.replaceSubrange(30..<34, with: [0xFF, 0, 0, 0])
        fields = try PhotoField.all(in: reader(bytes))
        #expect(fields.map(\.tag) == [.orientation, .exifIFD])
        #expect(throws: ParseError.self) { try fields[1].text.get() }
    }

    @Test func `another maker's note is one field`() throws {
        let tiff = TIFF(exif: IFD([.undefined(.makerNote, Array("Nikon\0".utf8))]))
        #expect(try PhotoField.all(in: reader(tiff.bytes)).map(\.text) == [.success("6 bytes")])
    }

    @Test func `no name is doubled in a directory`() {
        for directory in PhotoField.Directory.allCases {
            let names = (0...UInt16.max).compactMap { TIFFTag(rawValue: $0).name(in: directory) }
            #expect(Set(names).count == names.count && names.count > 30)
        }
    }
}
