import Bytes
import MediaModel

/// An HEVC sequence parameter set (ITU-T H.265, 7.3.2.2.1), read for its colours.
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
        _ = try reader.bits(20)
        let subLayers = Int(try reader.bits(3))
        _ = try reader.bit()
        try skipProfiles(&reader, subLayers: subLayers)
        _ = try reader.unsignedExpGolomb()
        if try reader.unsignedExpGolomb() == 3 { _ = try reader.bit() }
        for _ in 0..<2 { _ = try reader.unsignedExpGolomb() }
        if try reader.bit() == 1 { for _ in 0..<4 { _ = try reader.unsignedExpGolomb() } }
        for _ in 0..<2 { _ = try reader.unsignedExpGolomb() }
        let orderBits = min(Int(try reader.unsignedExpGolomb()), 12) + 4
        for _ in (try reader.bit() == 1 ? 0 : subLayers)...subLayers {
            for _ in 0..<3 { _ = try reader.unsignedExpGolomb() }
        }
        // Sizes of coding and transform blocks.
        for _ in 0..<6 { _ = try reader.unsignedExpGolomb() }
        if try reader.bit() == 1, try reader.bit() == 1 { try skipScalingLists(&reader) }
        _ = try reader.bits(2)
        if try reader.bit() == 1 {
            _ = try reader.bits(8)
            for _ in 0..<2 { _ = try reader.unsignedExpGolomb() }
            _ = try reader.bit()
        }
        try skipShortTermReferences(&reader)
        if try reader.bit() == 1 {
            for _ in 0..<min(try reader.unsignedExpGolomb(), 32) { _ = try reader.bits(orderBits + 1) }
        }
        _ = try reader.bits(2)
        return try reader.bit() == 1 ? reader.colorOfVideoUsability() : nil
    }

    /// profile_tier_level (7.3.3).
    private static func skipProfiles(_ reader: inout BitReader, subLayers: Int) throws(ParseError) {
        try skip(96, of: &reader)
        var presence: [(profile: Bool, level: Bool)] = []
        for _ in 0..<subLayers { presence.append((try reader.bit() == 1, try reader.bit() == 1)) }
        if subLayers > 0 { try skip(2 * (8 - subLayers), of: &reader) }
        for (profile, level) in presence { try skip((profile ? 88 : 0) + (level ? 8 : 0), of: &reader) }
    }

    private static func skip(_ count: Int, of reader: inout BitReader) throws(ParseError) {
        for _ in 0..<count { _ = try reader.bit() }
    }

    /// scaling_list_data (7.3.4).
    private static func skipScalingLists(_ reader: inout BitReader) throws(ParseError) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try reader.bit() == 1 else {
                    _ = try reader.unsignedExpGolomb()
                    continue
                }
                let count = min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0)
                for _ in 0..<count { _ = try reader.unsignedExpGolomb() }
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
                _ = try reader.bit()
                _ = try reader.unsignedExpGolomb()
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
                    _ = try reader.unsignedExpGolomb()
                    _ = try reader.bit()
                }
            }
        }
    }
}
