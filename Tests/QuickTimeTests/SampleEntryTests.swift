import Bytes
import ISOBMFF
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct SampleEntryTests {
    private static let visualFields = """
        000000000000 0001 0000 0000 00000000            ; data reference, version, revision, vendor
        00000200 00000200 02d0 03c0 00480000 00480000   ; qualities, 720x960, 72 dpi
        00000000 0001 05 'H.264' 0000000000000000000000000000000000000000000000000000
        """

    @Test func `avc1 with avcC, colr, pasp and clap`() throws {
        let payload = hex(
            Self.visualFields + """

                0018 ffff
                00000025 'avcC' 014d001fffe1000e274d001fab605a0f34d40404040801000428ee3c30
                00000012 'colr' 'nclc' 0001 0001 0001
                00000010 'pasp' 00000004 00000003
                00000028 'clap' 0000a200 0000003b 00000240 00000001 00000008 00000001 fffffffc 00000001
                0000000a 'fiel' 0100
                """)
        let entry = try checkEntry(VisualSampleEntry.self, type: "avc1", payload: payload)
        #expect(entry.size == PixelSize(width: 720, height: 960))
        #expect(entry.color?.description == .bt709)
        #expect(entry.configuration?.profile == 77 && entry.configuration?.highProfile == nil)
        #expect(entry.pixelAspect?.horizontalSpacing == 4)
        #expect(entry.cleanAperture?.width.value == 41472.0 / 59 && entry.cleanAperture?.verticalOffset.value == -4)
        #expect(entry.others.map(\.type) == ["fiel"])
    }

    @Test func `an indexed format has its palette where others have boxes`() throws {
        let payload = hex(Self.visualFields + "\n0008 0000 00000000 0000 0001 0001020304050607 0008090a0b0c0d0e0f")
        #expect(try checkEntry(VisualSampleEntry.self, type: "rle ", payload: payload).palette.count == 25)
    }

    @Test(arguments: [
        ("'nclc' 0009 0010 0009", ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)),
        ("'nclx' 0001 000d 0000 80", ColorDescription(primaries: 1, transfer: 13, matrix: 0, isFullRange: true)),
        ("'prof' 01020304", nil),
    ])
    func colr(payload: String, description: ColorDescription?) throws {
        #expect(try checkRoundTrip(ColorBox.self, payload: hex(payload)).description == description)
    }

    @Test func `mp4a in its three versions`() throws {
        let fields = "0000 00000000 0002 0010 fffe 0000 ac440000"
        let version0 = try checkEntry(
            AudioSampleEntry.self, type: "mp4a", payload: hex("000000000000 0001 0000" + fields + "00000008 'esdx'"))
        #expect(version0.channels == 2 && version0.rate == 44100 && version0.others.count == 1)
        let version1 = try checkEntry(
            AudioSampleEntry.self, type: "mp4a",
            payload: hex("000000000000 0001 0001" + fields + "00000400 00000000 00000000 00000002"))
        #expect(version1.channels == 2)
        let version2 = try checkEntry(
            AudioSampleEntry.self, type: "lpcm",
            payload: hex(
                """
                000000000000 0001 0002 0000 00000000 0003 0010 fffe 0000 00010000
                00000048 40e5888000000000 00000001 7f000000 00000010 0000000c 00000002 00000001
                """))
        #expect(version2.channels == 1 && version2.rate == 44100)
    }

    @Test func `wave holds the elementary stream descriptor`() throws {
        let descriptor =
            "03808080 22 0000 00 04808080 14 40 15 000600 0001f690 0001f3cb 05808080 02 1190 06808080 01 02"
        let box = try checkRoundTrip(
            SoundWaveBox.self,
            payload: hex(
                """
                0000000c 'frma' 'mp4a'
                0000000c 'mp4a' 00000000
                00000033 'esds' 00000000
                """ + descriptor + """

                    00000008 00000000
                    """))
        #expect(box.format == "mp4a")
        #expect(box.streamDescriptor?.decoderSpecificInfo == [0x11, 0x90])
        #expect(box.streamDescriptor?.averageBitRate == 0x1f3cb)
        checkTruncation(ESDescriptorBox.self, payload: hex("00000000" + descriptor).dropLast(6))
    }

    @Test func `short descriptor sizes and optional stream fields are read`() throws {
        let payload = hex("00000000 03 1d 0001 e0 1234 02 'ab' 5678 04 11 40 15 000600 0001f690 0001f3cb 05 02 1190")
        #expect(try readBox(ESDescriptorBox.self, box("esds", payload)).decoderSpecificInfo == [0x11, 0x90])
    }

    @Test func `mebx of a device with what its keys were set up with`() throws {
        let entry = try checkEntry(
            TimedMetadataSampleEntry.self, type: "mebx",
            payload: hex(
                """
                000000000000 0001
                00000078 'keys'
                  00000038 00000001
                    00000014 'keyd' 'mdta' 'com.test'
                    00000010 'dtyp' 00000000 00000041
                    0000000c 'setu' 01020304
                  00000038 00000002
                    00000014 'keyd' 'mdta' 'com.info'
                    0000001c 'dtyp' 00000001 'com.apple.format'
                """))
        #expect(entry.keys.map(\.localID) == [1, 2])
        #expect(entry.keys.map(\.key.name) == ["com.test", "com.info"])
        #expect(entry.keys.map(\.dataType) == [.wellKnown(.int8), .named(space: 1, "com.apple.format")])
        #expect(entry.keys[0].others.map(\.type) == ["setu"])
    }

    @Test func `stsd keeps entries that it does not know`() throws {
        let payload = hex("00000000 00000002 0000000a 'tmcd' 0102 00000009 'text' 03")
        #expect(
            try checkRoundTrip(SampleDescriptionBox.self, payload: payload).entries.map(\.type) == ["tmcd", "text"])
    }

    @Test(
        arguments: [
            ("00000000 00000001", [], 1), ("00000000 ffffffff 00000009 'text' 03", ["text"], UInt32.max),
            ("00000000 00000002 00000009 'text' 03", ["text"], 2), ("00000000 00000000", [], 0),
        ] as [(String, [FourCC], UInt32)])
    func `stsd with fewer entries than it says is read and kept`(
        payload: String, types: [FourCC], count: UInt32
    ) throws {
        let box = try checkRoundTrip(SampleDescriptionBox.self, payload: hex(payload))
        #expect(box.entries.map(\.type) == types)
        #expect(box.declaredCount == count)
    }

    @Test(arguments: [
        "000000", "00000000 000000", "00000000 00000001 0000000a 'tmcd' 01", "00000000 00000001 00000007 'tmcd'",
        "00000000 00000000 0000000a 'tmcd' 0102",
    ])
    func `stsd that is cut within, or has more than it says, is an error`(payload: String) {
        #expect(throws: ParseError.self) { try readBox(SampleDescriptionBox.self, box("stsd", hex(payload))) }
    }

    @Test func `an error in an entry says where in the file it is`() throws {
        var reader = ByteReader(
            box("stsd", hex("00000000 00000001 0000000a 'avc1' 0102")), structure: "test", fileOffset: 1000)
        let descriptions = try #require(try reader.nextBox()).read(SampleDescriptionBox.self)
        let error = #expect(throws: ParseError.self) { try descriptions.firstEntry(as: VisualSampleEntry.self) }
        #expect(error?.structure == "avc1")
        #expect(error?.offset == 1024)
    }

    /// Reads an entry through `stsd`, checks that it is written as the same bytes, and that no cut of it crashes.
    private func checkEntry<Entry: SampleEntry>(
        _: Entry.Type, type: FourCC, payload: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Entry {
        func description(_ payload: [UInt8]) throws -> SampleDescriptionBox {
            try readBox(SampleDescriptionBox.self, box("stsd", hex("00000000 00000001") + box(type, payload)))
        }
        let entry = try #require(try description(payload).firstEntry(as: Entry.self), sourceLocation: sourceLocation)
        #expect(try SampleDescriptionBox(entry) == description(payload), sourceLocation: sourceLocation)
        for count in payload.indices {
            guard let cut = try? description(Array(payload.prefix(count))).firstEntry(as: Entry.self) else { continue }
            let again = try SampleDescriptionBox(cut).firstEntry(as: Entry.self)
            #expect(again == cut, "cut to \(count) bytes", sourceLocation: sourceLocation)
        }
        return entry
    }
}
