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
        let split = SpeechFrames.split(packet, codec: codec)
        #expect(split.map(\.count) == frames.map(\.1) && Array(split.joined()) == packet)
        #expect(SpeechFrames.split(packet + [frames[0].0], codec: codec) == [packet + [frames[0].0]], "cut off")
        #expect(SpeechFrames.split(packet, codec: "aac") == [packet])
    }

    @Test(arguments: [("amr_nb", 0x48), ("amr_wb", 0x54), ("qcelp", 9), ("evrc", 2)] as [(String, UInt8)])
    func `a packet with a frame of an unknown type stays whole`(codec: String, type: UInt8) {
        let packet = [type] + [UInt8](repeating: 0, count: 9)
        #expect(SpeechFrames.split(packet, codec: codec) == [packet])
    }

    /// A frame's bits: of a mode of narrowband, and of layers above it. All are 1 behind each mode.
    private static func frame(_ mode: Int, _ size: Int, layers: [(mode: Int, size: Int)] = []) -> String {
        func binary(_ value: Int, _ count: Int) -> String {
            String((0..<count).reversed().map { value >> $0 & 1 == 1 ? "1" : "0" })
        }
        return "0" + binary(mode, 4) + String(repeating: "1", count: size - 5)
            + layers.map { "1" + binary($0.mode, 3) + String(repeating: "1", count: $0.size - 4) }.joined()
    }

    private static func bytes(_ bits: String) -> [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { offset in
            let part = bits.dropFirst(offset).prefix(8)
            return UInt8(part + String(repeating: "0", count: 8 - part.count), radix: 2) ?? 0
        }
    }

    static let speex: [[String]] = [
        [frame(8, 79), frame(3, 160), frame(0, 5)],
        [
            frame(5, 300, layers: [(1, 36)]), frame(7, 492, layers: [(4, 352), (1, 36)]),
            frame(5, 300, layers: [(1, 36)]),
        ],
        [frame(1, 43), frame(2, 119), frame(4, 220), frame(6, 364, layers: [(0, 4)])],
    ]

    @Test(arguments: speex)
    func `a Speex packet is divided into frames that begin at bytes`(frames: [String]) {
        // A terminator, and ones up to the end of the byte.
        let expected = frames.map(Self.bytes)
        #expect(SpeexFrames.split(Self.bytes(frames.joined() + "01111")) == expected)
        let whole = frames.joined()
        let padding = (8 - whole.count % 8) % 8
        if padding < 5 { #expect(SpeexFrames.split(Self.bytes(whole + "0111".prefix(padding))) == expected) }
        #expect(SpeexFrames.split(Array(Self.bytes(whole + "01111").dropLast(3))) == nil, "cut off")
    }

    @Test(arguments: ["1000000000", "0100100000000000", "0000011010000000"])
    func `what is no sequence of Speex frames stays whole`(bits: String) {
        #expect(SpeexFrames.split(Self.bytes(bits)) == nil)
    }
}
