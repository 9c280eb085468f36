import Bytes
import MediaModel

/// An HEVC sequence parameter set (ITU-T H.265, 7.3.2.2.1), read for its colours and for the fields of `hvcC`.
enum HEVCSequenceParameterSet {
    private static let structure = "HEVC sequence parameter set"
    /// num_short_term_ref_pic_sets (7.4.3.2.1), and the pictures in one (7.4.8).
    private static let referenceSetLimit: UInt32 = 64
    private static let referenceLimit: UInt32 = 16

    /// The colours that the stream states: colour_description of the VUI (E.2.1); nil if it has none.
    ///
    /// - Parameter unit: the NAL unit, including its header.
    static func color(in unit: [UInt8]) throws(ParseError) -> ColorDescription? {
        var reader = BitReader(unit: unit, structure: structure)
        // The unit's header and sps_video_parameter_set_id.
        try reader.skip(20)
        let subLayers = Int(try reader.bits(3))
        try reader.skip(1)
        try skipProfiles(&reader, subLayers: subLayers)
        // sps_seq_parameter_set_id, chroma_format_idc, width and height, the conformance window, bit depths.
        try reader.skipExpGolomb()
        if try reader.unsignedExpGolomb() == 3 { try reader.skip(1) }
        try reader.skipExpGolomb(2)
        if try reader.bit() == 1 { try reader.skipExpGolomb(4) }
        try reader.skipExpGolomb(2)
        let orderBits = min(Int(try reader.unsignedExpGolomb()), 12) + 4
        let orderLayers = try reader.bit() == 1 ? subLayers + 1 : 1
        // Three numbers for each sub-layer, then the sizes of coding and transform blocks.
        try reader.skipExpGolomb(3 * orderLayers + 6)
        if try reader.bit() == 1, try reader.bit() == 1 { try skipScalingLists(&reader) }
        try reader.skip(2)
        // The parameters of PCM samples.
        if try reader.bit() == 1 {
            try reader.skip(8)
            try reader.skipExpGolomb(2)
            try reader.skip(1)
        }
        try skipShortTermReferences(&reader)
        // Long-term reference pictures.
        if try reader.bit() == 1 { try reader.skip(Int(min(try reader.unsignedExpGolomb(), 32)) * (orderBits + 1)) }
        try reader.skip(2)
        return try reader.bit() == 1 ? reader.colorOfVideoUsability() : nil
    }

    /// The 22 bytes of fields with which `hvcC` begins (ISO/IEC 14496-15, 8.3.3.1), for samples with 4-byte lengths.
    ///
    /// - Parameter unit: the NAL unit, including its header.
    static func configurationFields(of unit: [UInt8]) throws(ParseError) -> [UInt8] {
        var reader = BitReader(unit: unit, structure: structure)
        try reader.skip(20)
        let subLayers = UInt8(try reader.bits(3))
        let isNested = UInt8(try reader.bit())
        var writer = ByteWriter()
        writer.integer(UInt8(1))
        // The general part of profile_tier_level: profile, compatibility and constraint flags, level.
        var profiles = reader
        for _ in 0..<12 { writer.integer(UInt8(try reader.bits(8))) }
        try skipProfiles(&profiles, subLayers: Int(subLayers))
        try profiles.skipExpGolomb()
        let chromaFormat = try profiles.unsignedExpGolomb()
        if chromaFormat == 3 { try profiles.skip(1) }
        try profiles.skipExpGolomb(2)
        if try profiles.bit() == 1 { try profiles.skipExpGolomb(4) }
        let (luma, chroma) = (try profiles.unsignedExpGolomb(), try profiles.unsignedExpGolomb())
        guard chromaFormat <= 3, luma <= 7, chroma <= 7 else {
            throw ParseError(.invalidValue, in: structure, at: 0, expected: "4:0:0 to 4:4:4 of 8 to 15 bits")
        }
        // Segmentation and parallelism are not stated; reserved bits are 1.
        writer.append([0xF0, 0, 0xFC, 0xFC | UInt8(chromaFormat), 0xF8 | UInt8(luma), 0xF8 | UInt8(chroma)])
        // The frame rate is not stated; then the temporal layers, and the length of the lengths, less one.
        writer.append([0, 0, (subLayers + 1) << 3 | isNested << 2 | 3])
        return writer.bytes
    }

    /// profile_tier_level (7.3.3).
    private static func skipProfiles(_ reader: inout BitReader, subLayers: Int) throws(ParseError) {
        try reader.skip(96)
        var presence: [(profile: Bool, level: Bool)] = []
        for _ in 0..<subLayers { presence.append((try reader.bit() == 1, try reader.bit() == 1)) }
        if subLayers > 0 { try reader.skip(2 * (8 - subLayers)) }
        for (profile, level) in presence { try reader.skip((profile ? 88 : 0) + (level ? 8 : 0)) }
    }

    /// scaling_list_data (7.3.4).
    private static func skipScalingLists(_ reader: inout BitReader) throws(ParseError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                let isCoded = try reader.bit() == 1
                try reader.skipExpGolomb(isCoded ? min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0) : 1)
            }
        }
    }

    /// st_ref_pic_set (7.3.7) for each of the sets.
    private static func skipShortTermReferences(_ reader: inout BitReader) throws(ParseError) {
        let count = try reader.unsignedExpGolomb()
        guard count <= referenceSetLimit else {
            throw ParseError(
                .overLimit, in: structure, at: 0, expected: "at most \(referenceSetLimit) reference picture sets")
        }
        var pictures = 0
        for set in 0..<Int(count) {
            if set > 0, try reader.bit() == 1 {
                // Coded as differences to the previous set.
                try reader.skip(1)
                try reader.skipExpGolomb()
                var kept = 0
                for _ in 0...pictures {
                    let isUsed = try reader.bit() == 1
                    if isUsed { kept += 1 } else if try reader.bit() == 1 { kept += 1 }
                }
                pictures = kept
            } else {
                let (before, after) = (try reader.unsignedExpGolomb(), try reader.unsignedExpGolomb())
                guard before <= referenceLimit, after <= referenceLimit else {
                    throw ParseError(.overLimit, in: structure, at: 0, expected: "at most \(referenceLimit) pictures")
                }
                pictures = Int(before + after)
                for _ in 0..<pictures {
                    try reader.skipExpGolomb()
                    try reader.skip(1)
                }
            }
        }
    }
}
