package import Bytes

/// `hvcC`: the format of HEVC video, the first part of an HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3). In
/// `hvc1`, where `others` holds the complete box.
package struct HEVCConfiguration: Sendable, Hashable {
    static let type: FourCC = "hvcC"

    /// general_profile_idc: 1 Main, 2 Main 10, 3 Main Still Picture, 4 format range extensions.
    package let profile: UInt8
    package let isHighTier: Bool
    /// general_level_idc: thirty times the level; 120 is level 4.
    package let level: UInt8
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package let chromaFormat: UInt8
    package let lumaBitDepth: UInt8
    package let chromaBitDepth: UInt8

    init(from reader: inout ByteReader) throws(ParseError) {
        let version = try reader.integer(UInt8.self)
        // Writers used version 0 before the specification was final; its fields are the same.
        guard version <= 1 else {
            throw reader.error(.unsupported, expected: "configuration version 1, found \(version)")
        }
        let profileByte = try reader.integer(UInt8.self)
        profile = profileByte & 0x1F
        isHighTier = profileByte & 0x20 != 0
        // Compatibility and constraint flags.
        try reader.skip(10)
        level = try reader.integer()
        // Segmentation and parallelism.
        try reader.skip(3)
        chromaFormat = try reader.integer(UInt8.self) & 3
        lumaBitDepth = (try reader.integer(UInt8.self) & 7) + 8
        chromaBitDepth = (try reader.integer(UInt8.self) & 7) + 8
    }
}

extension VisualSampleEntry {
    /// The configuration in `hvcC`; nil if there is none.
    package func hevcConfiguration() throws(ParseError) -> HEVCConfiguration? {
        guard let box = others.first(where: { $0.type == HEVCConfiguration.type }) else { return nil }
        var reader = box.reader
        return try HEVCConfiguration(from: &reader)
    }
}
