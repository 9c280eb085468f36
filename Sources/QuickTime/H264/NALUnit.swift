/// The first byte of an H.264 NAL unit (ITU-T H.264, 7.3.1).
struct NALUnitHeader {
    /// nal_ref_idc is not 0: other pictures may refer to this one.
    let isReference: Bool
    let type: NALUnitType

    init(_ byte: UInt8) {
        isReference = byte & 0x60 != 0
        type = NALUnitType(rawValue: byte & 0x1F)
    }
}

/// nal_unit_type (ITU-T H.264, table 7-1).
struct NALUnitType: RawRepresentable, Hashable {
    let rawValue: UInt8

    static let idrSlice = NALUnitType(rawValue: 5)
    static let supplementalInformation = NALUnitType(rawValue: 6)
    static let sequenceParameterSet = NALUnitType(rawValue: 7)
    static let pictureParameterSet = NALUnitType(rawValue: 8)
    static let accessUnitDelimiter = NALUnitType(rawValue: 9)

    /// Whether it holds a part of a coded picture.
    var isSlice: Bool { (1...5).contains(rawValue) }
}
