import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

private let identityMatrix = """
    00010000 00000000 00000000
    00000000 00010000 00000000
    00000000 00000000 40000000
    """

@Suite struct HeaderBoxTests {
    @Test func ftyp() throws {
        let box = try checkRoundTrip(FileTypeBox.self, payload: hex("'qt  ' 00000000 'qt  '"))
        #expect(box == .quickTime)
    }

    @Test func mvhd() throws {
        let payload = hex(
            """
            00000000 e39a54cb e39a54cc      ; version and flags, created, changed
            00000258 00000348               ; timescale, duration
            00010000 0100 0000 00000000 00000000
            """ + identityMatrix + """

                00000000 00000001 00000000 00000000 00000000 00000000
                00000006                    ; next track id
                """)
        let box = try checkRoundTrip(MovieHeaderBox.self, payload: payload)
        checkTruncation(MovieHeaderBox.self, payload: payload)
        #expect(box.timescale == 600 && box.duration == 840 && box.nextTrackID == 6)
        #expect(box.matrix == .identity)
    }

    @Test func `mvhd with 64-bit times is read, and written as short as its values allow`() throws {
        let payload = hex(
            """
            01000000 00000000e39a54cb 00000001e39a54cb
            00000258 0000000000000348
            00010000 0100 0000 00000000 00000000
            """ + identityMatrix + "\n" + String(repeating: "00", count: 24) + "00000002")
        var box = try checkRoundTrip(MovieHeaderBox.self, payload: payload)
        #expect(box.times.modification == 0x1_e39a_54cb)
        box.times.modification = 1
        #expect(bytes(of: box).count == 108)
    }

    @Test(arguments: [
        ("tkhd", "00000000 00000000 00000000 00000001 00000000 FFFFFFFF", nil as UInt64?),
        ("tkhd", "01000000 0000000000000000 0000000000000000 00000001 00000000 00000000FFFFFFFF", 0xFFFF_FFFF),
    ])
    func `a duration of all ones is unknown`(_: String, start: String, duration: UInt64?) throws {
        let payload = hex(start + String(repeating: "00", count: 16) + identityMatrix + "00000000 00000000")
        #expect(try checkRoundTrip(TrackHeaderBox.self, payload: payload).duration == duration)
    }

    @Test func tkhd() throws {
        let payload = hex(
            """
            0000000f e39a54cb e39a54cc 00000005 00000000 0000021d   ; flags, times, id, duration
            0000000000000000 0001 0002 0100 0000
            00000000 00010000 00000000
            ffff0000 00000000 00000000                              ; turned by a quarter
            04380000 00000000 40000000
            07800000 04380000
            """)
        let box = try checkRoundTrip(TrackHeaderBox.self, payload: payload)
        checkTruncation(TrackHeaderBox.self, payload: payload)
        #expect(box.flags == .all && box.trackID == 5 && box.duration == 541)
        #expect(box.layer == 1 && box.alternateGroup == 2 && box.volume == 256)
        #expect(box.matrix.orientation == .rotated90Clockwise)
        #expect(box.size.pixelSize == PixelSize(width: 1920, height: 1080))
    }

    @Test(arguments: [
        "00000000 e39a54cb e39a54cb 0000ac44 0000e5b0 55c4 0000",
        "01000000 00000000e39a54cb 00000000e39a54cb 0000ac44 000000100000e5b0 55c4 0000",
    ])
    func mdhd(payload: String) throws {
        let box = try checkRoundTrip(MediaHeaderBox.self, payload: hex(payload))
        checkTruncation(MediaHeaderBox.self, payload: hex(payload))
        #expect(box.timescale == 44100 && box.language == MediaHeaderBox.undeterminedLanguage)
    }

    @Test(arguments: [
        ("'mhlr' 'vide' 'appl' 00000000 00000000 10 'Core Media Video'", "Core Media Video"),
        ("'mhlr' 'vide' 'appl' 00000000 00000000 04 'Name' 0000", "Name"),
        ("00000000 'vide' 00000000 00000000 00000000 'VideoHandler' 00", "VideoHandler"),
        ("00000000 'vide' 00000000 00000000 00000000 0c 'VideoHandler'", "VideoHandler"),
        ("00000000 'mdta' 00000000 00000000 00000000 0000", ""),
        ("00000000 'mdta' 00000000 00000000 00000000", ""),
        ("'mhlr' 'vide' 'appl' 00000000 00000000 ff 'Name'", "\u{FFFD}Name"),
    ])
    func `hdlr has a name of Pascal or of C`(fields: String, name: String) throws {
        #expect(try checkRoundTrip(HandlerBox.self, payload: hex("00000000" + fields)).name.string() == name)
    }
}
