import Bytes
import QuickTime
import TestSupport
import Testing

@Suite struct MediaInformationBoxTests {
    @Test func `dinf holds data references`() throws {
        let box = try checkRoundTrip(
            DataInformationBox.self,
            payload: hex(
                """
                00000036 'dref' 00000000 00000003
                0000000c 'alis' 00000001 0000000e 'url ' 00000000 2f00 0000000c 'url ' 00000000 00000008 'free'
                """))
        #expect(box.references?.entries.map(\.isSameFile) == [true, false, true])
        #expect(box.references?.entries.map(\.type) == ["alis", "url ", "url "])
    }

    @Test func `dref with fewer references than it claims is an error`() {
        checkTruncation(DataReferenceBox.self, payload: hex("00000000 00000001 0000000c 'alis' 00000001"))
        #expect(throws: ParseError.self) {
            try readBox(DataReferenceBox.self, box("dref", hex("00000000 ffffffff 0000000c 'alis' 00000001")))
        }
    }

    @Test(arguments: [("vmhd", 11), ("smhd", 7)] as [(FourCC, Int)])
    func `a media header that is cut short is an error`(type: FourCC, size: Int) {
        let header = box(type, [UInt8](repeating: 0, count: size))
        let error = #expect(throws: ParseError.self) { try readBox(MediaInformationBox.self, box("minf", header)) }
        #expect(error?.code == .truncated)
    }

    @Test func `edts holds an edit list`() throws {
        let box = try checkRoundTrip(
            EditBox.self,
            payload: hex(
                """
                00000028 'elst' 00000000 00000002
                0000021c ffffffff 00010000      ; nothing for 540 ticks
                00000001 00000000 00010000
                00000008 'free'
                """))
        let entries = box.list?.entries
        #expect(entries == [.init(duration: 540, mediaTime: nil), .init(duration: 1, mediaTime: 0)])
    }

    @Test func `elst with 64-bit times`() throws {
        let payload = hex(
            """
            01000000 00000002
            0000000000000005 ffffffffffffffff 00010000
            0000000100000000 0000000000000007 00020000
            """)
        let box = try checkRoundTrip(EditListBox.self, payload: payload)
        checkTruncation(EditListBox.self, payload: payload)
        #expect(box.entries[0].mediaTime == nil)
        #expect(box.entries[1] == .init(duration: 1 << 32, mediaTime: 7, rate: 2 << 16))
    }

    @Test func tref() throws {
        let box = try checkRoundTrip(
            TrackReferenceBox.self, payload: hex("0000000c 'cdsc' 00000001 00000010 'hint' 00000002 00000003"))
        #expect(
            box.references == [.init(type: "cdsc", trackIDs: [1]), .init(type: "hint", trackIDs: [2, 3])])
    }
}
