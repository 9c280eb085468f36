import Bytes
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct AVCTests {
    @Test func `avcC is made of x264's extradata without its SEI`() throws {
        let extradata = TestMovie.parameterSets
        let configuration = try AVCConfigurationBox(annexB: extradata.span)
        #expect(
            bytes(of: configuration)
                == hex(
                    """
                    0000003b 'avcC' 01 64 00 28 ff
                    e1 001f 67640028acd940780227e5c05a808080a0000003002000000303c1e30632c0
                    01 0005 68eae1bcb0
                    fd f8 f8 00             ; 4:2:0, 8 bits of luma, 8 bits of chroma, no extensions
                    """))
    }

    @Test func `avcC of High profiles round trips`() throws {
        let payload = hex("01 7a 00 28 ff e1 0003 677a00 01 0002 68ea fe fa fa 01 0001 6d")
        let box = try checkRoundTrip(AVCConfigurationBox.self, payload: payload)
        #expect(box.highProfile?.chromaFormat == 2)
        #expect(box.highProfile?.lumaBitDepth == 10)
        #expect(box.highProfile?.parameterSetExtensions == [[0x6d]])
    }

    @Test func `bit depths are read from the parameter set`() throws {
        // profile 110, id 0, chroma_format_idc 1 (010), both bit depths 10 (011 011).
        let set = hex("000001 67 6e 00 28") + [0b1_010_011_0, 0b11_000000] + hex("80 00000001 68ea")
        let configuration = try AVCConfigurationBox(annexB: set.span)
        #expect(configuration.highProfile?.lumaBitDepth == 10)
        #expect(configuration.highProfile?.chromaBitDepth == 10)
    }

    @Test func `Baseline has no High profile fields`() throws {
        let configuration = try AVCConfigurationBox(annexB: hex("000001 6742c01ed9 000001 68ce").span)
        #expect(configuration.profile == 66 && configuration.highProfile == nil)
    }

    @Test(arguments: [
        "", "000001 68ea", "000001 67640028acd940", "67640028", "000001 6764", "000001 67640028 000001 68",
    ])
    func `extradata without whole parameter sets is an error`(bytes: String) {
        #expect(throws: ParseError.self) { try AVCConfigurationBox(annexB: hex(bytes).span) }
    }

    @Test func `an access unit becomes length-prefixed units without parameter sets and delimiter`() throws {
        let sample = try VideoSample(
            .h264,
            annexB: hex(
                """
                00000001 09f0           ; access unit delimiter
                00000001 67640028       ; parameter sets
                000001 68ea
                000001 060503           ; SEI
                0000000001 6588 0000030180 00   ; a slice between zeros
                000001 65ff
                """
            ).span)
        #expect(sample.bytes == hex("00000003 060503 00000007 65880000030180 00000002 65ff"))
        #expect(sample.isSync && !sample.isDisposable)
    }

    @Test func `supplemental information is left out where it is not wanted`() throws {
        let unit = hex("000001 060503 000001 65ff")
        #expect(try VideoSample(.h264, annexB: unit.span, keepsInformation: false).bytes == hex("00000002 65ff"))
    }

    @Test(arguments: [
        ("000001 41ff", false, false), ("000001 01ff", false, true), ("000001 65ff", true, false),
        ("000001 01ff 000001 41ff", false, false),
    ])
    func `key frames and disposable frames are told by their slices`(
        bytes: String, isSync: Bool, isDisposable: Bool
    ) throws {
        let sample = try VideoSample(.h264, annexB: hex(bytes).span)
        #expect(sample.isSync == isSync && sample.isDisposable == isDisposable)
    }

    @Test(arguments: ["", "000000", "000001", "000001 09f0", "41ff", "00000003 41ffff"])
    func `what is no access unit is an error`(bytes: String) {
        #expect(throws: ParseError.self) { try VideoSample(.h264, annexB: hex(bytes).span) }
    }

    @Test func `start codes are found at every place of a unit`() throws {
        for padding in 0..<12 {
            let unit = [0x65] + [UInt8](repeating: 0xFF, count: padding)
            let sample = try VideoSample(.h264, annexB: ([0, 0, 1] + unit + [0, 0, 1] + unit).span)
            let prefixed = [0, 0, 0, UInt8(unit.count)] + unit
            #expect(sample.bytes == prefixed + prefixed)
        }
    }
}
