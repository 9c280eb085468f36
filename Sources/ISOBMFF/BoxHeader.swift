package import Bytes

/// Size and type, with which every box begins (ISO/IEC 14496-12, 4.2).
package struct BoxHeader: Sendable, Hashable {
    /// Bytes of a header with a 32-bit size, and of one with a 64-bit size.
    package static let shortSize = 8
    package static let longSize = 16

    package let type: FourCC
    /// Bytes of the header itself.
    package let size: Int
    /// Bytes that follow the header; nil when the box ends where its container does (a size field of 0).
    package let payloadSize: Int?

    /// A header with a 32-bit size, or a 64-bit size where the box needs one.
    package init(_ type: FourCC, payloadSize: Int) {
        self.type = type
        self.payloadSize = payloadSize
        size = payloadSize <= Int(UInt32.max) - Self.shortSize ? Self.shortSize : Self.longSize
    }

    /// Reads it; a size field of 1 means that a 64-bit size follows the type.
    package init(from reader: inout ByteReader) throws(ParseError) {
        let start = reader
        let field = try reader.integer(UInt32.self)
        type = try reader.fourCC()
        let claimed = field == 1 ? try reader.integer(UInt64.self) : UInt64(field)
        size = reader.offset - start.offset
        guard field != 0 else {
            payloadSize = nil
            return
        }
        guard let whole = Int(exactly: claimed), whole >= size else {
            throw start.error(.invalidValue, expected: "a size of \(type) that holds its header, found \(claimed)")
        }
        payloadSize = whole - size
    }

    package func write(to writer: inout ByteWriter) {
        let isLong = size == Self.longSize
        let whole = payloadSize.map { UInt64($0 + size) } ?? 0
        writer.integer(isLong ? 1 : UInt32(whole))
        writer.fourCC(type)
        if isLong { writer.integer(whole) }
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        write(to: &writer)
        return writer.bytes
    }
}
