import Bytes
import QuickTime
import TestSupport
import Testing

/// Records of live-photo-info tracks.
@Suite struct LivePhotoInfoTests {
    /// As an iPhone wrote them, but with other numbers: one face, two persons, and none of them.
    private static let records = [
        """
        03000000 00000c3a 0100000000000000  ; version 3; 1/1872 s; the autofocus score
        00000041 000000bf 0000c03e 000000bf  ; moved by (8, -0.5), blurred by (0.375, -0.5)
        0000f83f 0000b43f 02 04 ff00  ; zoom 1.9375, gain 1.40625; focus status and mode; all of these are valid
        01000000  ; 1 face
          a72f03feffffffff  0000003f 0000003f 0000803d 0000803d  e9030000 0000 0700  ; 33 ms before; person 1001
        02000000 00000000 00000000 00000000  ; 2 humans
          a72f03feffffffff  0000003f 0000803e 0000003e 0000003e  f0030000 4301 0f00
          a72f03feffffffff  0000803e 0000803e 0000003e 0000003e  f1030000 4302 0f00
        0700 0000  ; homography, time and original time are valid
        0000903f 0000003e 0000a7c4 0000803e 000000be 0000d5c4 0000803a 0000003a 000090bf  ; 1.125 0.125 -1336 …
        0b2a1b2225640400 1b1c302225640400  ; time and original time in ns
        00 00 00 00 00000000 00000000 00000000
        """,
        """
        03000000 00000c3a 0000000000000000 00000000 00000000 00000000 00000000 00000000 00000000 ff 01 0800  ; only blur
        00000000 00000000 00000000 00000000 00000000  ; nothing in the picture
        2100 abcd  ; homography, and whether it is interpolated
        00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
        0000000000000000 0000000000000000 05 fe 01 ef 00000000 00000000 01020304
        """,
    ]

    @Test(arguments: records) func `a record is written back byte for byte`(_ record: String) throws {
        #expect(try LivePhotoInfo(hex(record)).bytes == hex(record))
    }

    @Test func `a record has the measured values of its frame`() throws {
        let info = try LivePhotoInfo(hex(Self.records[0]))
        #expect(
            info.blur == LivePhotoInfo.Vector(x: 0.375, y: -0.5) && info.motion == LivePhotoInfo.Vector(x: 8, y: -0.5))
        #expect(
            info.faces.map(\.id) == [1001]
                && info.humans.map(\.rectangle) == [[0.5, 0.25, 0.125, 0.125], [0.25, 0.25, 0.125, 0.125]])
        #expect(info.faces[0].time == -33_345_625 && info.cats.isEmpty)
        #expect(info.homography.prefix(3) == [1.125, 0.125, -1336] && info.originalTime - info.time == 1_372_688)
        #expect(info.validMotion == [.homography, .time, .originalTime] && info.focusMode == 4)
        let other = try LivePhotoInfo(hex(Self.records[1]))
        #expect(other.validValues == .blur && other.validMotion == [.homography, .interpolated])
        #expect((other.recipe, other.displacement, other.interpolated) == (5, -2, 1))
    }

    @Test(
        arguments: zip(
            records,
            [
                "exposed for 0.53 ms, moved by (8, -0.5) px, blurred by (0.38, -0.5) px, 1 face, 2 people, with homography",
                "blurred by (0, 0) px, with homography, interpolated",
            ]))
    func `a record is described by what it marks as valid`(_ record: String, _ description: String) throws {
        #expect("\(try LivePhotoInfo(hex(record)))" == description)
    }

    @Test func `a record that is cut off, too long or of another version is an error`() throws {
        let record = hex(Self.records[0])
        for count in record.indices {
            #expect(throws: ParseError.self) { try LivePhotoInfo(Array(record.prefix(count))) }
        }
        #expect(throws: ParseError.self) { try LivePhotoInfo(record + [0]) }
        #expect(throws: ParseError.self) { try LivePhotoInfo([4] + record.dropFirst()) }
        var many = record
        many.replaceSubrange(44..<48, with: hex("ffffffff"))
        #expect(throws: ParseError.self) { try LivePhotoInfo(many) }
    }

    @Test func `a record of measured motion marks only that as valid`() throws {
        let record = LivePhotoInfo(
            time: 33_333_333, motion: LivePhotoInfo.Vector(x: 8, y: -0.5), blur: LivePhotoInfo.Vector(x: 0.5, y: 0),
            homography: [1, 0, -8, 0, 1, 0.5, 0, 0, 1])
        let bytes = hex(
            """
            03000000 00000000 0000000000000000
            00000041 000000bf 0000003f 00000000  ; moved by (8, -0.5), blurred by (0.5, 0)
            00000000 00000000 00 00 0c00  ; motion and blur are valid
            00000000 00000000 00000000 00000000 00000000  ; nothing in the picture
            0300 0000  ; homography and time are valid
            0000803f 00000000 000000c1 00000000 0000803f 0000003f 00000000 00000000 0000803f
            55a0fc0100000000 0000000000000000
            00 00 00 00 00000000 00000000 00000000
            """)
        #expect(record.bytes == bytes)
        #expect(try LivePhotoInfo(bytes) == record)
        #expect("\(record)" == "moved by (8, -0.5) px, blurred by (0.5, 0) px, with homography")
    }
}
