import FFmpegKit
import Testing

@Suite struct SpeechFramesTests {
    /// The first bytes of frames and their sizes.
    @Test(
        arguments: [
            ("amr_nb", [(0x3C, 32), (0x04, 13), (0x44, 6), (0x7C, 1), (0x3C, 32)]),
            ("amr_wb", [(0x44, 61), (0x04, 18), (0x4C, 6), (0x7C, 1)]),
            ("qcelp", [(4, 35), (3, 17), (2, 8), (1, 4), (0, 1), (14, 1)]),
            ("evrc", [(4, 23), (3, 11), (1, 3), (0, 1), (5, 1)]),
        ] as [(String, [(UInt8, Int)])])
    func `a packet is divided into its frames`(codec: String, frames: [(UInt8, Int)]) {
        let packet = frames.flatMap { [$0] + [UInt8](repeating: 0xFF, count: $1 - 1) }
        #expect(SpeechFrames.sizes(in: packet, codec: codec) == frames.map(\.1))
        #expect(SpeechFrames.sizes(in: packet + [frames[0].0], codec: codec) == [packet.count + 1], "cut off")
        #expect(SpeechFrames.sizes(in: packet, codec: "aac") == [packet.count])
    }

    @Test(arguments: [("amr_nb", 0x48), ("amr_wb", 0x54), ("qcelp", 9), ("evrc", 2)] as [(String, UInt8)])
    func `a packet with a frame of an unknown type stays whole`(codec: String, type: UInt8) {
        #expect(SpeechFrames.sizes(in: [type] + [UInt8](repeating: 0, count: 9), codec: codec) == [10])
    }
}
