import Bytes
import MediaModel

extension SequenceParameterSet {
    /// The colours that the stream states: colour_description of the VUI (ITU-T H.264, E.1.1); nil if it has none.
    ///
    /// - Parameter unit: the NAL unit, including its header.
    static func color(in unit: [UInt8]) throws(ParseError) -> ColorDescription? {
        var reader = Self.reader(unit)
        let set = try SequenceParameterSet(from: &reader)
        if profilesWithChromaFormat.contains(set.profile) {
            try skipScalingLists(&reader, chromaFormat: set.chromaFormat)
        }
        // log2_max_frame_num_minus4.
        try reader.skipExpGolomb()
        try skipPictureOrder(&reader)
        // max_num_ref_frames, gaps_in_frame_num_value_allowed_flag, width and height in macroblocks.
        try reader.skipExpGolomb()
        try reader.skip(1)
        try reader.skipExpGolomb(2)
        // Interlaced pictures have one more flag, before direct_8x8_inference_flag.
        try reader.skip(try reader.bit() == 0 ? 2 : 1)
        if try reader.bit() == 1 { try reader.skipExpGolomb(4) }
        return try reader.bit() == 1 ? reader.colorOfVideoUsability() : nil
    }

    private static func skipScalingLists(_ reader: inout BitReader, chromaFormat: UInt8) throws(ParseError) {
        // qpprime_y_zero_transform_bypass_flag.
        try reader.skip(1)
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
        switch try reader.unsignedExpGolomb() {
        case 0: try reader.skipExpGolomb()
        case 1:
            try reader.skip(1)
            try reader.skipExpGolomb(2)
            try reader.skipExpGolomb(Int(min(try reader.unsignedExpGolomb(), 255)))
        default: break
        }
    }
}

extension BitReader {
    /// Reads the colours in vui_parameters, whose beginning is the same in H.264 (E.1.1) and HEVC (E.2.1); nil if the
    /// stream does not state them.
    mutating func colorOfVideoUsability() throws(ParseError) -> ColorDescription? {
        // aspect_ratio_idc 255 is followed by the ratio.
        if try bit() == 1, try bits(8) == 255 { try skip(32) }
        if try bit() == 1 { try skip(1) }
        guard try bit() == 1 else { return nil }
        try skip(3)
        let isFullRange = try bit() == 1
        guard try bit() == 1 else { return nil }
        return ColorDescription(
            primaries: UInt16(try bits(8)), transfer: UInt16(try bits(8)), matrix: UInt16(try bits(8)),
            isFullRange: isFullRange)
    }
}
