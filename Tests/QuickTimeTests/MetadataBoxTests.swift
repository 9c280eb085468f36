import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct MetadataBoxTests {
    /// As devices write it: 172 bytes.
    private static let contentIdentifier = hex(
        """
        000000ac 'meta'
          00000022 'hdlr' 0000000000000000 'mdta' 0000000000000000000000000000
          0000003e 'keys' 00000000 00000001
            0000002e 'mdta' 'com.apple.quicktime.content.identifier'
          00000044 'ilst'
            0000003c 00000001
              00000034 'data' 00000001 00000000 'CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC'
        """)

    @Test func `the content identifier alone takes 172 bytes`() throws {
        let item = MetadataItem(key: .contentIdentifier, value: .text("CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"))
        #expect(Self.contentIdentifier.count == 172)
        #expect(bytes(of: MetadataBox(items: [item])) == Self.contentIdentifier)
        #expect(try readBox(MetadataBox.self, Self.contentIdentifier).items == [item])
    }

    @Test func `every cut of it is an error or a box of its own`() throws {
        try checkRoundTrip(MetadataBox.self, payload: Array(Self.contentIdentifier.dropFirst(8)))
    }

    @Test func `the ISO form is read and kept`() throws {
        let payload = hex("00000000") + Self.contentIdentifier.dropFirst(8) + box("free", [1])
        let box = try checkRoundTrip(MetadataBox.self, payload: payload)
        #expect(box.form == .iso)
        #expect(box.items.map(\.key) == [.contentIdentifier])
        #expect(box.others.map(\.type) == ["free"])
    }

    @Test func `an empty meta with its children behind it is one meta`() throws {
        let header = hex(
            """
            0000006c 'mvhd' 00000000 00000000 00000000 00000258 00000000 00010000 0100 00000000000000000000
            00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000
            000000000000000000000000000000000000000000000000 00000001
            """)
        let spilled = header + box("meta", []) + Self.contentIdentifier.dropFirst(8) + box("udta", [])
        let movie = try readBox(MovieBox.self, box("moov", spilled))
        #expect(movie.metadata?.items.count == 1)
        #expect(movie.others.map(\.type) == ["udta"])
    }

    @Test func `an item without a key is kept and has no name`() throws {
        let box = try checkRoundTrip(
            MetadataBox.self,
            payload: hex("00000025 'ilst' 0000001d a9 'nam' 00000015 'data' 00000001 00000000 'Title'"))
        #expect(box.items.isEmpty)
        #expect(box.itemList?.items.first?.values.first?.text == "Title")
    }

    @Test func `setting a key replaces its value and adds what is new`() {
        var box = MetadataBox(items: [
            MetadataItem(key: .contentIdentifier, value: .text("old")),
            MetadataItem(key: MetadataKey("com.apple.quicktime.make"), value: .text("Maker")),
        ])
        box.set(MetadataItem(key: .contentIdentifier, value: .text("new")))
        box.set(MetadataItem(key: MetadataKey("com.apple.quicktime.model"), value: .text("Model")))
        #expect(box.items.map(\.value.text) == ["Maker", "new", "Model"])
        #expect(box.keys?.keys.count == 3)
    }

    @Test(
        arguments: [
            (MetadataValue(type: .signedInteger, bytes: hex("fffffffffffffffc")), hex("fffffffffffffffc"), -4),
            (MetadataValue(type: .unsignedInteger, bytes: [255]), [255], 255),
            (MetadataValue(type: .signedInteger, bytes: [0xFF, 0xFE]), [0xFF, 0xFE], -2),
            (MetadataValue(type: .unsignedInteger, bytes: hex("ffffffffffffffff")), hex("ffffffffffffffff"), nil),
            (MetadataValue(type: .signedInteger, bytes: []), [], nil),
            (MetadataValue(type: MetadataType(rawValue: 23), bytes: hex("3f800000")), hex("3f800000"), nil),
        ] as [(MetadataValue, [UInt8], Int64?)])
    func `integers are read by their type`(value: MetadataValue, bytes: [UInt8], integer: Int64?) {
        #expect(value.bytes == bytes)
        #expect(value.integer == integer)
    }

    @Test func `text and floating-point numbers are read by their type`() {
        #expect(MetadataValue.text("Ünï").text == "Ünï")
        #expect(MetadataValue(type: .utf16, bytes: hex("00dc 0078")).text == "Üx")
        #expect(MetadataValue(type: .utf8, bytes: [0xFF]).text == nil)
        let (float32, float64) = (MetadataType(rawValue: 23), MetadataType(rawValue: 24))
        #expect(MetadataValue(type: float32, bytes: hex("3f000000")).content == .numbers([0.5]))
        #expect(MetadataValue(type: float64, bytes: hex("3ff8000000000000")).content == .numbers([1.5]))
        #expect(MetadataValue(type: float64, bytes: [1]).content == .data([1]))
    }

    @Test(arguments: ["00000000 ffffffff", "00000000 00000001 00000007 'mdta'", "00000000 00000001 ffffffff 'mdta'"])
    func `keys that cannot be there are an error`(payload: String) {
        #expect(throws: ParseError.self) { try readBox(MetadataKeysBox.self, box("keys", hex(payload))) }
    }
}
