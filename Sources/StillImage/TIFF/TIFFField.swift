import Bytes
package import MediaModel

/// One field of an IFD: a tag and its values.
package struct TIFFField: Hashable, Sendable {
    package let tag: TIFFTag
    package let type: TIFFType
    /// The consecutive values, always big-endian; `count` times the type's size.
    package let data: [UInt8]

    package var count: Int { data.count / type.size }

    private init(_ tag: TIFFTag, _ type: TIFFType, data: [UInt8]) {
        self.tag = tag
        self.type = type
        self.data = data
    }

    /// Reads `count` values from `values` in the byte order of the file.
    init(
        _ tag: TIFFTag, _ type: TIFFType, count: Int, from values: inout ByteReader, _ endianness: ByteReader.Endianness
    ) throws(ParseError) {
        guard count <= values.remaining / type.size else {
            throw values.error(
                .truncated, expected: "\(count) values of \(type.size) bytes, found \(values.remaining) bytes")
        }
        self.init(tag, type, data: Self.swap(try values.bytes(count * type.size), type, endianness))
    }

    /// The values in the byte order of a file.
    func bytes(_ endianness: ByteReader.Endianness) -> [UInt8] { Self.swap(data, type, endianness) }

    /// Converts between big-endian and another byte order.
    private static func swap(_ data: [UInt8], _ type: TIFFType, _ endianness: ByteReader.Endianness) -> [UInt8] {
        guard endianness == .little, type.numberSize > 1 else { return data }
        var data = data
        for start in stride(from: 0, to: data.count, by: type.numberSize) {
            data[start..<start + type.numberSize].reverse()
        }
        return data
    }

    package static func byte(_ tag: TIFFTag, _ values: UInt8...) -> TIFFField {
        TIFFField(tag, .byte, data: values)
    }

    /// Text with its final NUL. A NUL within `text` would end it, so it is left out.
    package static func ascii(_ tag: TIFFTag, _ text: String) -> TIFFField {
        TIFFField(tag, .ascii, data: text.utf8.filter { $0 != 0 } + [0])
    }

    package static func short(_ tag: TIFFTag, _ values: UInt16...) -> TIFFField {
        TIFFField(tag, .short, data: values.flatMap(bigEndianBytes))
    }

    package static func shorts(_ tag: TIFFTag, _ values: [UInt16]) -> TIFFField {
        TIFFField(tag, .short, data: values.flatMap(bigEndianBytes))
    }

    package static func long(_ tag: TIFFTag, _ values: UInt32...) -> TIFFField {
        TIFFField(tag, .long, data: values.flatMap(bigEndianBytes))
    }

    package static func rational(_ tag: TIFFTag, _ values: TIFFRational...) -> TIFFField {
        TIFFField(
            tag, .rational,
            data: values.flatMap { bigEndianBytes($0.numerator) + bigEndianBytes($0.denominator) })
    }

    package static func signedRational(_ tag: TIFFTag, _ numerator: Int32, _ denominator: Int32) -> TIFFField {
        TIFFField(tag, .signedRational, data: bigEndianBytes(numerator) + bigEndianBytes(denominator))
    }

    package static func undefined(_ tag: TIFFTag, _ data: [UInt8]) -> TIFFField {
        TIFFField(tag, .undefined, data: data)
    }

    /// The text up to the first NUL; nil when the field is not text.
    package var text: FileText? {
        guard type == .ascii else { return nil }
        return FileText(data.prefix { $0 != 0 })
    }

    /// The first value of an unsigned integer type (BYTE, SHORT, LONG, IFD).
    package var unsigned: UInt32? {
        guard [.byte, .short, .long, .ifd].contains(type), data.count >= type.size else { return nil }
        return data.prefix(type.size).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The values of a SHORT field; nil if it is of another type.
    package var shorts: [UInt16]? {
        guard type == .short else { return nil }
        return stride(from: 0, to: data.count - 1, by: 2).map { UInt16(data[$0]) << 8 | UInt16(data[$0 + 1]) }
    }

    /// The first value of a SRATIONAL field; nil if it is of another type, or unknown.
    package var firstNumber: Double? {
        guard type == .signedRational, data.count >= type.size else { return nil }
        let words = [0, 4].map { data[$0..<$0 + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        return words[1] == 0 ? nil : Double(Int32(bitPattern: words[0])) / Double(Int32(bitPattern: words[1]))
    }

    /// The values of a RATIONAL field; nil if it is of another type.
    package var rationals: [TIFFRational]? {
        guard type == .rational else { return nil }
        return stride(from: 0, to: data.count, by: type.size).map { start in
            let words = [start, start + 4].map { data[$0..<$0 + 4].reduce(0) { $0 << 8 | UInt32($1) } }
            return TIFFRational(words[0], words[1])
        }
    }
}

/// A RATIONAL: two unsigned numbers; a denominator of 0 means "unknown" (CIPA DC-008 4.6.2).
package struct TIFFRational: Hashable, Sendable {
    package var numerator: UInt32
    package var denominator: UInt32

    package init(_ numerator: UInt32, _ denominator: UInt32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Nil if it is unknown.
    package var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
}

private func bigEndianBytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian, Array.init)
}
