package import Bytes
import ISOBMFF

/// `avcC`: the parameter sets of H.264 video, an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1). In `avc1`.
package struct AVCConfigurationBox: Box {
    package static var type: FourCC { "avcC" }

    /// The fields that only High profiles have; older files omit them even for those.
    package struct HighProfile: Sendable, Hashable {
        /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
        package var chromaFormat: UInt8
        package var lumaBitDepth: UInt8
        package var chromaBitDepth: UInt8
        package var parameterSetExtensions: [[UInt8]] = []
    }

    /// profile_idc: 66 Baseline, 77 Main, 100 High.
    package var profile: UInt8
    /// The byte of constraint flags between profile and level.
    package var constraints: UInt8
    /// level_idc: 40 is level 4.0.
    package var level: UInt8
    /// Bytes of the length before each NAL unit of a sample: 1, 2 or 4.
    package var lengthSize: Int = 4
    package var sequenceParameterSets: [[UInt8]]
    package var pictureParameterSets: [[UInt8]]
    package var highProfile: HighProfile?

    /// The profiles whose records end before the fields of `HighProfile`: Baseline, Main, Extended.
    static let lowProfiles: Set<UInt8> = [66, 77, 88]
}

extension AVCConfigurationBox {
    package init(from reader: inout ByteReader) throws(ParseError) {
        let version = try reader.integer(UInt8.self)
        guard version == 1 else {
            throw reader.error(.unsupported, expected: "configuration version 1, found \(version)")
        }
        profile = try reader.integer()
        constraints = try reader.integer()
        level = try reader.integer()
        lengthSize = Int(try reader.integer(UInt8.self) & 3) + 1
        sequenceParameterSets = try reader.parameterSets(countMask: 0x1F)
        pictureParameterSets = try reader.parameterSets(countMask: 0xFF)
        if !Self.lowProfiles.contains(profile), reader.remaining >= 4 {
            highProfile = HighProfile(
                chromaFormat: try reader.integer(UInt8.self) & 3,
                lumaBitDepth: (try reader.integer(UInt8.self) & 7) + 8,
                chromaBitDepth: (try reader.integer(UInt8.self) & 7) + 8,
                parameterSetExtensions: try reader.parameterSets(countMask: 0xFF))
        }
        // The rest belongs to no known version: some writers append bytes.
        _ = reader.rest()
    }

    package func write(to writer: inout ByteWriter) {
        writer.append([1, profile, constraints, level, 0xFC | (UInt8(truncatingIfNeeded: lengthSize - 1) & 3)])
        writer.parameterSets(sequenceParameterSets, countMask: 0x1F)
        writer.parameterSets(pictureParameterSets, countMask: 0xFF)
        if let highProfile {
            writer.append([
                0xFC | (highProfile.chromaFormat & 3),
                // Bit depths are 8 to 14: three bits, which wrap rather than trap.
                0xF8 | (highProfile.lumaBitDepth &- 8) & 7,
                0xF8 | (highProfile.chromaBitDepth &- 8) & 7,
            ])
            writer.parameterSets(highProfile.parameterSetExtensions, countMask: 0xFF)
        }
    }
}

extension ByteReader {
    /// NAL units with 16-bit lengths; their count is in the low bits of the first byte.
    fileprivate mutating func parameterSets(countMask: UInt8) throws(ParseError) -> [[UInt8]] {
        let count = try integer(UInt8.self) & countMask
        var sets: [[UInt8]] = []
        for _ in 0..<count {
            let size = try integer(UInt16.self)
            sets.append(try bytes(Int(size)))
        }
        return sets
    }
}

extension ByteWriter {
    fileprivate mutating func parameterSets(_ sets: [[UInt8]], countMask: UInt8) {
        let reserved: UInt8 = countMask == 0xFF ? 0 : ~countMask
        integer(reserved | UInt8(truncatingIfNeeded: sets.count) & countMask)
        for set in sets {
            integer(UInt16(truncatingIfNeeded: set.count))
            append(set)
        }
    }
}
