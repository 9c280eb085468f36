package import Bytes

/// The size and type at the beginning of every box (ISO/IEC 14496-12, 4.2).
package struct BoxHeader: Sendable, Hashable {
    /// Bytes of a header with a 32-bit size, and of one with a 64-bit size.
    package static let shortSize = 8
    package static let longSize = 16

    package let type: FourCC
    /// Bytes of the header itself.
    package let size: Int
    /// Bytes after the header; nil if the box ends with its container (a size field of 0).
    package let payloadSize: Int?

    /// A header with a 32-bit size, or a 64-bit size if the box needs one.
    package init(_ type: FourCC, payloadSize: Int) {
        self.type = type
        self.payloadSize = payloadSize
        size = payloadSize <= Int(UInt32.max) - Self.shortSize ? Self.shortSize : Self.longSize
    }

    /// Reads the header. A size field of 1 means that a 64-bit size follows the type.
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
        guard let boxSize = Int(exactly: claimed), boxSize >= size else {
            throw start.error(.invalidValue, expected: "a size of \(type) that includes its header, found \(claimed)")
        }
        payloadSize = boxSize - size
    }

    package var bytes: [UInt8] {
        let isLong = size == Self.longSize
        let boxSize = payloadSize.map { UInt64($0 + size) } ?? 0
        var writer = ByteWriter()
        writer.integer(isLong ? 1 : UInt32(boxSize))
        writer.fourCC(type)
        if isLong { writer.integer(boxSize) }
        return writer.bytes
    }
}
