import Bytes

/// Reads bits in order, with the descriptors of H.264's syntax (ITU-T H.264, 7.2 and 9.1).
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0
    private let structure: String

    /// - Parameter unit: a NAL unit; its emulation prevention bytes (00 00 **03**) are left out.
    init(unit: [UInt8], structure: String) {
        var bytes: [UInt8] = []
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
        self.structure = structure
    }

    mutating func bit() throws(ParseError) -> UInt32 {
        guard position / 8 < bytes.count else {
            throw ParseError(.truncated, in: structure, at: bytes.count, expected: "more bits")
        }
        defer { position += 1 }
        return UInt32(bytes[position / 8] >> UInt8(7 - position % 8)) & 1
    }

    /// u(count), with at most 32 bits.
    mutating func bits(_ count: Int) throws(ParseError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count { value = value << 1 | (try bit()) }
        return value
    }

    mutating func skip(_ count: Int) throws(ParseError) {
        for _ in 0..<count { _ = try bit() }
    }

    /// ue(v): an Exp-Golomb code (9.1), of at most 32 bits as everywhere in H.264.
    mutating func unsignedExpGolomb() throws(ParseError) -> UInt32 {
        var zeros = 0
        while try bit() == 0 {
            zeros += 1
            guard zeros < 32 else {
                throw ParseError(.invalidValue, in: structure, at: position / 8, expected: "an Exp-Golomb code")
            }
        }
        // Below 2³¹ + 2³¹ - 1.
        return (1 << UInt32(zeros)) - 1 + (try bits(zeros))
    }

    mutating func skipExpGolomb(_ count: Int = 1) throws(ParseError) {
        for _ in 0..<count { _ = try unsignedExpGolomb() }
    }

    /// se(v): a signed Exp-Golomb code (9.1.1).
    mutating func signedExpGolomb() throws(ParseError) -> Int {
        let code = Int(try unsignedExpGolomb())
        return code % 2 == 1 ? (code + 1) / 2 : -code / 2
    }
}
