package import Bytes
package import MediaModel

/// One picture as stored in a movie: NAL units with 4-byte lengths (ISO/IEC 14496-15, 5.3.2 and 8.3.2), without parameter
/// sets and access unit delimiters.
package struct VideoSample: Sendable, Equatable {
    package let bytes: [UInt8]
    /// Whether decoding can begin here.
    package let isSync: Bool
    /// Whether no other picture refers to this one.
    package let isDisposable: Bool

    /// - Parameters:
    ///   - annexB: one access unit between start codes, as encoders return it.
    ///   - keepsInformation: whether supplemental enhancement information stays.
    /// - Throws: `.missing` when it holds no picture; `.invalidValue` when it does not begin with a start code.
    package init(
        _ codec: VideoCodec, annexB: Span<UInt8>, keepsInformation: Bool = true
    ) throws(ParseError) {
        let structure = codec == .h264 ? "H.264 access unit" : "HEVC access unit"
        var writer = ByteWriter()
        writer.reserve(annexB.count + 64)
        var slices = 0
        var (isSync, hasReference) = (false, false)
        for range in try AnnexB.units(in: annexB, structure: structure) {
            let unit = Unit(codec, annexB[range.lowerBound])
            switch unit.role {
            // Parameter sets are in `avcC` or `hvcC`, and the sample table delimits samples.
            case .omitted: continue
            case .information: if !keepsInformation { continue }
            case .slice:
                slices += 1
                isSync = isSync || unit.isSync
                hasReference = hasReference || unit.isReference
            case .other: break
            }
            writer.integer(UInt32(truncatingIfNeeded: range.count))
            writer.append(annexB.extracting(range))
        }
        guard slices > 0 else { throw ParseError(.missing, in: structure, at: 0, expected: "a coded slice") }
        bytes = writer.bytes
        self.isSync = isSync
        isDisposable = !hasReference
    }

    /// What matters of a NAL unit, from its first byte.
    private struct Unit {
        enum Role {
            /// A part of a coded picture.
            case slice
            case information, omitted, other
        }

        let role: Role
        let isSync: Bool
        let isReference: Bool

        init(_ codec: VideoCodec, _ byte: UInt8) {
            switch codec {
            case .h264:
                let header = NALUnitHeader(byte)
                isSync = header.type == .idrSlice
                isReference = header.isReference
                switch header.type {
                case .sequenceParameterSet, .pictureParameterSet, .accessUnitDelimiter: role = .omitted
                case .supplementalInformation: role = .information
                default: role = header.type.isSlice ? .slice : .other
                }
            case .hevc:
                let type = HEVCNALUnitType(firstByte: byte)
                isSync = type.isRandomAccess
                isReference = type.isReference
                if type.isSlice {
                    role = .slice
                } else if type.isParameterSet || type == .accessUnitDelimiter {
                    role = .omitted
                } else {
                    role = type == .prefixInformation || type == .suffixInformation ? .information : .other
                }
            }
        }
    }
}
