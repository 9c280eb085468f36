import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct MetadataContentTests {
    @Test(
        arguments: [
            (1, "'caf\u{e9}'", .text("caf\u{e9}"), "caf\u{e9}"), (1, "ff", .data([0xFF]), "ff"),
            (2, "0068 00e9", .text("h\u{e9}"), "h\u{e9}"), (21, "ffffffff ffffffff", .integer(-1), "-1"),
            (21, "fe", .integer(-2), "-2"), (21, "", .data([]), ""), (22, "ff", .integer(255), "255"),
            (22, "ffffffffffffffff", .unsigned(.max), "18446744073709551615"), (65, "ff", .integer(-1), "-1"),
            (66, "8000", .integer(-32768), "-32768"), (67, "00000007", .integer(7), "7"),
            (74, "8000000000000000", .integer(.min), "-9223372036854775808"), (75, "80", .integer(128), "128"),
            (76, "8000", .integer(32768), "32768"), (77, "ffffffff", .integer(4_294_967_295), "4294967295"),
            (78, "0000000000000001", .integer(1), "1"), (23, "3f000000", .numbers([0.5]), "0.5"),
            (23, "3f0000", .data([0x3F, 0, 0]), "3f0000"), (24, "bff0000000000000", .numbers([-1]), "-1"),
            (70, "3f800000 40000000", .numbers([1, 2]), "1 2"),
            (71, "44f00000 44b40000", .numbers([1920, 1440]), "1920 1440"),
            (72, "00000000 00000000 3f800000 3f800000", .numbers([0, 0, 1, 1]), "0 0 1 1"),
            (83, "3ff0000000000000 0000000000000000", .numbers([1, 0]), "1 0"),
            (13, "ffd8ffe0", .image(format: "JPEG", byteCount: 4), "JPEG picture, 4 bytes"),
            (0, "0102", .data([1, 2]), "0102"), (99, "ab", .data([0xAB]), "ab"),
        ] as [(UInt32, String, MetadataContent, String)])
    func `a value is decoded by its type`(
        type: UInt32, bytes: String, content: MetadataContent, description: String
    ) {
        let value = MetadataValue(type: MetadataType(rawValue: type), bytes: hex(bytes))
        #expect(value.content == content)
        #expect(value.content.description == description)
    }

    @Test func `long data are shown by their beginning`() {
        let value = MetadataValue(type: MetadataType(rawValue: 0), bytes: Array(repeating: 7, count: 100))
        #expect(value.content.description == String(repeating: "07", count: 16) + "… (100 bytes)")
    }

    @Test(
        arguments: [(65, "int8"), (83, "3×3 matrix of float64"), (1, "UTF-8"), (200, "type 200")] as [(UInt32, String)])
    func `types have names`(type: UInt32, name: String) {
        #expect(MetadataType(rawValue: type).description == name)
    }

    @Test func `texts of udta, and iTunes' items in its meta`() throws {
        let folder = try TemporaryFolder()
        let file = try TestMovie().write(in: folder)
        let reader = try MovieReader(
            TestMovie.changing(file, in: folder) {
                $0.others.append(
                    OpaqueBox(
                        type: "udta",
                        payload: hex(
                            """
                            00000011 a9 'swr' 0005 55c4 'Lavf5'
                            00000009 'name' 00
                            0000008a 'meta' 00000000
                              00000020 'hdlr' 00000000 00000000 'mdir' 'appl' 00000000 00000000
                              0000005e 'ilst'
                                0000001c a9 'nam' 00000014 'data' 00000001 00000000 'Clip'
                                0000003a '----'
                                  00000010 'mean' 00000000 'host'
                                  00000010 'name' 00000000 'word'
                                  00000012 'data' 00000015 00000000 0007
                            00000000
                            """)))
            })
        #expect(
            reader.movie.userData.map(\.key) == [
                MetadataKey(space: "udta", "©swr"), MetadataKey(space: "mdir", "©nam"),
                MetadataKey(space: "mdir", "host:word"),
            ])
        #expect(reader.movie.userData.map(\.value.content) == [.text("Lavf5"), .text("Clip"), .integer(7)])
        #expect(reader.contentIdentifier == FileText(TestMovie.identifier))
    }
}
