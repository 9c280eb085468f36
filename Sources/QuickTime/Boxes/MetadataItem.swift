import Bytes
package import MediaModel

/// A key and its value in `moov/meta`.
package struct MetadataItem: Sendable, Hashable {
    package var key: MetadataKey
    package var value: MetadataValue

    package init(key: MetadataKey, value: MetadataValue) {
        self.key = key
        self.value = value
    }
}

/// A value with its type.
package struct MetadataValue: Sendable, Hashable {
    package var type: MetadataType
    /// Country and language of the value; 0 for all.
    package var locale: UInt32
    package var bytes: [UInt8]

    package init(type: MetadataType, locale: UInt32 = 0, bytes: [UInt8]) {
        self.type = type
        self.locale = locale
        self.bytes = bytes
    }

    package static func text(_ text: FileText) -> MetadataValue {
        MetadataValue(type: .utf8, bytes: text.bytes)
    }

    /// An unsigned integer of one byte.
    package static func byte(_ value: UInt8) -> MetadataValue {
        MetadataValue(type: .unsignedInteger, bytes: [value])
    }

    /// A signed integer of eight bytes.
    package static func int64(_ value: Int64) -> MetadataValue {
        MetadataValue(type: .signedInteger, bytes: bytes(of: value))
    }

    package static func float(_ value: Float) -> MetadataValue {
        MetadataValue(type: .float32, bytes: bytes(of: value.bitPattern))
    }

    private static func bytes(of value: some FixedWidthInteger) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(value)
        return writer.bytes
    }

    /// The number, if it is a float32.
    package var float: Float? {
        guard type == .float32, bytes.count == 4 else { return nil }
        return Float(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The text, if the value is text.
    package var text: FileText? {
        switch type {
        case .utf8, MetadataType(rawValue: 4): FileText(validating: bytes)
        case .utf16, MetadataType(rawValue: 5):
            FileText(
                validatingUTF16: stride(from: 0, to: bytes.count - 1, by: 2).map {
                    UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
                })
        default: nil
        }
    }

    /// The number, if it is an integer of at most 64 signed bits.
    package var integer: Int64? {
        guard (1...8).contains(bytes.count) else { return nil }
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let unused = 64 - 8 * bytes.count
        switch type.layout {
        case .signed: return Int64(bitPattern: bits << unused) >> unused
        case .unsigned: return Int64(exactly: bits)
        case .text, .float32, .float64, .image, .data: return nil
        }
    }
}

extension MetadataValue {
    /// Reads the payload of `data`: type, locale, value.
    init(from reader: inout ByteReader) throws(ParseError) {
        type = MetadataType(rawValue: try reader.integer())
        locale = try reader.integer()
        bytes = reader.rest()
    }

    func write(to writer: inout ByteWriter) {
        writer.integer(type.rawValue)
        writer.integer(locale)
        writer.append(bytes)
    }
}
