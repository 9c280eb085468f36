import Bytes
import MediaModel

extension SequenceParameterSet {
    /// The colours that the stream states: colour_description of the VUI (ITU-T H.264, E.1.1); nil if it has none.
    ///
    /// - Parameter unit: the NAL unit, including its header.
    static func color(in unit: [UInt8]) throws(ParseError) -> ColorDescription? {
        let head = try SequenceParameterSet(unit: unit)
        var reader = BitReader(unit: unit, structure: "H.264 sequence parameter set")
        _ = try reader.bits(32)
        _ = try reader.unsignedExpGolomb()
        if profilesWithChromaFormat.contains(head.profile) {
            try skipChromaAndScaling(&reader, chromaFormat: head.chromaFormat)
        }
        try skipPictureOrder(&reader)
        // max_num_ref_frames, gaps_in_frame_num_value_allowed_flag, width and height in macroblocks.
        _ = try reader.unsignedExpGolomb()
        _ = try reader.bit()
        for _ in 0..<2 { _ = try reader.unsignedExpGolomb() }
        // Interlaced pictures have one flag more; then direct_8x8_inference_flag.
        if try reader.bit() == 0 { _ = try reader.bit() }
        _ = try reader.bit()
        if try reader.bit() == 1 { for _ in 0..<4 { _ = try reader.unsignedExpGolomb() } }
        return try reader.bit() == 1 ? reader.colorOfVideoUsability() : nil
    }

    private static func skipChromaAndScaling(_ reader: inout BitReader, chromaFormat: UInt8) throws(ParseError) {
        _ = try reader.unsignedExpGolomb()
        if chromaFormat == 3 { _ = try reader.bit() }
        for _ in 0..<2 { _ = try reader.unsignedExpGolomb() }
        _ = try reader.bit()
        guard try reader.bit() == 1 else { return }
        for list in 0..<(chromaFormat == 3 ? 12 : 8) where try reader.bit() == 1 {
            // 7.3.2.1.1.1: a list ends where the next scale is 0.
            var (last, next) = (8, 8)
            for _ in 0..<(list < 6 ? 16 : 64) where next != 0 {
                next = (last + (try reader.signedExpGolomb()) % 256 + 256) % 256
                if next != 0 { last = next }
            }
        }
    }

    private static func skipPictureOrder(_ reader: inout BitReader) throws(ParseError) {
        _ = try reader.unsignedExpGolomb()
        switch try reader.unsignedExpGolomb() {
        case 0: _ = try reader.unsignedExpGolomb()
        case 1:
            _ = try reader.bit()
            for _ in 0..<2 { _ = try reader.unsignedExpGolomb() }
            for _ in 0..<min(try reader.unsignedExpGolomb(), 255) { _ = try reader.unsignedExpGolomb() }
        default: break
        }
    }
}

extension BitReader {
    /// se(v): a signed Exp-Golomb code (ITU-T H.264, 9.1.1).
    mutating func signedExpGolomb() throws(ParseError) -> Int {
        let code = Int(try unsignedExpGolomb())
        return code % 2 == 1 ? (code + 1) / 2 : -code / 2
    }

    /// The beginning of vui_parameters, which H.264 (E.1.1) and HEVC (E.2.1) share, up to the colours; nil if they are
    /// not stated.
    mutating func colorOfVideoUsability() throws(ParseError) -> ColorDescription? {
        // aspect_ratio_idc 255 is followed by the ratio.
        if try bit() == 1, try bits(8) == 255 { _ = try bits(32) }
        if try bit() == 1 { _ = try bit() }
        guard try bit() == 1 else { return nil }
        _ = try bits(3)
        let isFullRange = try bit() == 1
        guard try bit() == 1 else { return nil }
        return ColorDescription(
            primaries: UInt16(try bits(8)), transfer: UInt16(try bits(8)), matrix: UInt16(try bits(8)),
            isFullRange: isFullRange)
    }
}
