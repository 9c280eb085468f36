import Bytes

/// The fields of an H.264 sequence parameter set that `avcC` repeats (ITU-T H.264, 7.3.2.1.1).
struct SequenceParameterSet {
    /// profile_idc.
    let profile: UInt8
    /// constraint_set flags and reserved bits.
    let constraints: UInt8
    /// level_idc.
    let level: UInt8
    /// chroma_format_idc: 1 is 4:2:0, which profiles below High imply.
    let chromaFormat: UInt8
    let lumaBitDepth: UInt8
    let chromaBitDepth: UInt8

    private static let structure = "H.264 sequence parameter set"

    /// A reader over a NAL unit, including its header.
    static func reader(_ unit: [UInt8]) -> BitReader { BitReader(unit: unit, structure: structure) }

    /// - Parameter reader: at the start of the NAL unit; it ends after these fields.
    init(from reader: inout BitReader) throws(ParseError) {
        try reader.skip(8)
        profile = UInt8(try reader.bits(8))
        constraints = UInt8(try reader.bits(8))
        level = UInt8(try reader.bits(8))
        try reader.skipExpGolomb()
        guard Self.profilesWithChromaFormat.contains(profile) else {
            (chromaFormat, lumaBitDepth, chromaBitDepth) = (1, 8, 8)
            return
        }
        let format = try reader.unsignedExpGolomb()
        if format == 3 { try reader.skip(1) }
        let (luma, chroma) = (try reader.unsignedExpGolomb(), try reader.unsignedExpGolomb())
        guard format <= 3, luma <= 6, chroma <= 6 else {
            throw ParseError(.invalidValue, in: Self.structure, at: 0, expected: "4:0:0 to 4:4:4 of 8 to 14 bits")
        }
        chromaFormat = UInt8(format)
        lumaBitDepth = 8 + UInt8(luma)
        chromaBitDepth = 8 + UInt8(chroma)
    }

    /// The profiles whose sets have chroma_format_idc and bit depths.
    static let profilesWithChromaFormat: Set<UInt8> = [
        100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
    ]
}
