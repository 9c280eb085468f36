package import Bytes

/// Size and type, with which every box begins (ISO/IEC 14496-12, 4.2).
package struct BoxHeader: Sendable, Equatable {
    /// Bytes of a header with a 32-bit size, and of one with a 64-bit size.
    package static let shortSize = 8
    package static let longSize = 16

    package var type: FourCC
    /// Bytes of the header itself.
    package var size: Int
    /// Bytes that follow the header; nil when the box ends where what holds it does (a size field of 0).
    package var payloadSize: Int?

    /// Reads it; a size field of 1 says that a 64-bit size follows the type.
    package init(from reader: inout ByteReader) throws(ParseError) {
        let start = reader
        let field = try reader.integer(UInt32.self)
        type = try reader.fourCC()
        size = Self.shortSize
        guard field != 0 else { return }
        var claimed = UInt64(field)
        if field == 1 {
            claimed = try reader.integer(UInt64.self)
            size = Self.longSize
        }
        guard let whole = Int(exactly: claimed), whole >= size else {
            throw start.error(.invalidValue, expected: "a size of \(type) that holds its header, found \(claimed)")
        }
        payloadSize = whole - size
    }
}
