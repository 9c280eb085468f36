/// nal_unit_type of HEVC (ITU-T H.265, table 7-1).
struct HEVCNALUnitType: RawRepresentable, Hashable {
    let rawValue: UInt8

    static let accessUnitDelimiter = HEVCNALUnitType(rawValue: 35)
    static let prefixInformation = HEVCNALUnitType(rawValue: 39)
    static let suffixInformation = HEVCNALUnitType(rawValue: 40)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// - Parameter firstByte: of the NAL unit.
    init(firstByte: UInt8) { self.init(rawValue: firstByte >> 1 & 0x3F) }

    /// Whether it holds a part of a coded picture.
    var isSlice: Bool { rawValue < 32 }
    /// Whether decoding can begin with its picture.
    var isRandomAccess: Bool { (16...23).contains(rawValue) }
    /// Whether other pictures of the same temporal sub-layer may refer to its picture.
    var isReference: Bool { rawValue > 14 || !rawValue.isMultiple(of: 2) }
    var isParameterSet: Bool { HEVCParameterSets.Kind(rawValue: rawValue) != nil }
}
