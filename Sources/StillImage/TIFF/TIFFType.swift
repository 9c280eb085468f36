/// The type of a field's values: TIFF 6.0 section 2 (1 to 12), TIFF Technical Note 1 (13), BigTIFF (16 to 18).
package enum TIFFType: UInt16, Hashable, Sendable, CaseIterable {
    case byte = 1
    case ascii = 2
    case short = 3
    case long = 4
    case rational = 5
    case signedByte = 6
    case undefined = 7
    case signedShort = 8
    case signedLong = 9
    case signedRational = 10
    case float = 11
    case double = 12
    case ifd = 13
    case long8 = 16
    case signedLong8 = 17
    case ifd8 = 18

    /// Bytes per value.
    package var size: Int {
        self == .rational || self == .signedRational ? 2 * numberSize : numberSize
    }

    /// Bytes of each number in a value; the byte order applies to these.
    package var numberSize: Int {
        switch self {
        case .byte, .ascii, .signedByte, .undefined: 1
        case .short, .signedShort: 2
        case .long, .signedLong, .rational, .signedRational, .float, .ifd: 4
        case .double, .long8, .signedLong8, .ifd8: 8
        }
    }
}
