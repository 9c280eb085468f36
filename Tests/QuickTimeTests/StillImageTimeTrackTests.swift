import Bytes
import QuickTime
import TestSupport
import Testing

@Suite struct StillImageTimeTrackTests {
    private static let mebx = """
        00000060 'mebx' 000000000000 0001
          00000050 'keys'
            00000048 00000001
              00000030 'keyd' 'mdta' 'com.apple.quicktime.still-image-time'
              00000010 'dtyp' 00000000 00000041

        """

    @Test func `its sample entry takes 96 bytes`() throws {
        let track = StillImageTimeTrack.track(
            id: 3, stillTime: 540, sampleOffset: 0x24, videoTrackID: 1, times: .unknown)
        let entry = track.media.information.sampleTable.descriptions.entries[0]
        #expect(entry.payload.count + 8 == 96)
        #expect(box(entry.type, entry.payload) == hex(Self.mebx))
    }

    @Test func `the sample is one key of value -1`() {
        #expect(StillImageTimeTrack.sample == hex("00000009 00000001 ff"))
    }

    @Test func `the track presents its sample at the still time`() {
        let track = StillImageTimeTrack.track(
            id: 3, stillTime: 540, sampleOffset: 0x24, videoTrackID: 1,
            times: HeaderTimes(creation: 0xE39A_54CB, modification: 0xE39A_54CB))
        let edits = hex(
            "00000030 'edts' 00000028 'elst' 00000000 00000002 0000021c ffffffff 00010000 00000001 00000000 00010000")
        #expect(bytes(of: track) == Self.track(duration: "0000021d", edits: edits, size: 604))
    }

    @Test func `at time 0 there is no empty edit`() {
        let track = StillImageTimeTrack.track(
            id: 3, stillTime: 0, sampleOffset: 0x24, videoTrackID: 1,
            times: HeaderTimes(creation: 0xE39A_54CB, modification: 0xE39A_54CB))
        let edits = hex("00000024 'edts' 0000001c 'elst' 00000000 00000001 00000001 00000000 00010000")
        #expect(bytes(of: track) == Self.track(duration: "00000001", edits: edits, size: 592))
    }

    private static func track(duration: String, edits: [UInt8], size: UInt32) -> [UInt8] {
        let header = hex(
            """
            0000005c 'tkhd' 0000000f e39a54cb e39a54cb 00000003 00000000
            """ + duration + """

                0000000000000000 0000 0000 0000 0000
                00010000 00000000 00000000 00000000 00010000 00000000 00000000 00000000 40000000
                00000000 00000000
                """)
        let rest = hex(
            """
            00000014 'tref' 0000000c 'cdsc' 00000001
            000001b4 'mdia'
              00000020 'mdhd' 00000000 e39a54cb e39a54cb 00000258 00000001 55c4 0000
              00000034 'hdlr' 00000000 'mhlr' 'meta' 'appl' 00000001 00000000 13 'Core Media Metadata'
              00000158 'minf'
                00000020 'gmhd' 00000018 'gmin' 00000000 0040 8000 8000 8000 0000 0000
                00000038 'hdlr' 00000000 'dhlr' 'alis' 'appl' 00000000 00000000 17 'Core Media Data Handler'
                00000024 'dinf' 0000001c 'dref' 00000000 00000001 0000000c 'alis' 00000001
                000000d4 'stbl'
                  00000070 'stsd' 00000000 00000001

            """ + mebx + """
                00000018 'stts' 00000000 00000001 00000001 00000001
                0000001c 'stsc' 00000000 00000001 00000001 00000001 00000001
                00000014 'stsz' 00000000 00000009 00000001
                00000014 'stco' 00000000 00000001 00000024
                """)
        var writer = ByteWriter()
        writer.integer(size)
        writer.fourCC("trak")
        return writer.bytes + header + edits + rest
    }
}
