package import Bytes

/// One H.264 picture as stored in a movie: NAL units with 4-byte lengths (ISO/IEC 14496-15, 5.3.2), without parameter
/// sets and access unit delimiters.
package struct AVCSample: Sendable, Equatable {
    package let bytes: [UInt8]
    /// Whether decoding can begin here: an IDR picture.
    package let isSync: Bool
    /// Whether no other picture refers to this one.
    package let isDisposable: Bool

    /// - Parameters:
    ///   - annexB: one access unit between start codes, as encoders return it.
    ///   - keepsInformation: whether supplemental enhancement information stays.
    /// - Throws: `.missing` when it holds no picture; `.invalidValue` when it does not begin with a start code.
    package init(annexB: Span<UInt8>, keepsInformation: Bool = true) throws(ParseError) {
        let structure = "H.264 access unit"
        var writer = ByteWriter()
        writer.reserve(annexB.count + 64)
        var slices = 0
        var (hasIDR, hasReference) = (false, false)
        for unit in try AnnexB.units(in: annexB, structure: structure) {
            let header = NALUnitHeader(annexB[unit.lowerBound])
            if Self.omittedTypes.contains(header.type) { continue }
            if !keepsInformation, header.type == .supplementalInformation { continue }
            if header.type.isSlice {
                slices += 1
                hasIDR = hasIDR || header.type == .idrSlice
                hasReference = hasReference || header.isReference
            }
            writer.integer(UInt32(truncatingIfNeeded: unit.count))
            writer.append(annexB.extracting(unit))
        }
        guard slices > 0 else { throw ParseError(.missing, in: structure, at: 0, expected: "a coded slice") }
        bytes = writer.bytes
        isSync = hasIDR
        isDisposable = !hasReference
    }

    /// Parameter sets are in `avcC`, and the sample table delimits samples.
    private static let omittedTypes: Set<NALUnitType> = [
        .sequenceParameterSet, .pictureParameterSet, .accessUnitDelimiter,
    ]
}
