package struct ByteWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package var count: Int { bytes.count }

    package mutating func integer<Value: FixedWidthInteger>(_ value: Value, _ endianness: ByteReader.Endianness = .big)
    {
        withUnsafeBytes(of: endianness == .big ? value.bigEndian : value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func fourCC(_ code: FourCC) {
        integer(code.rawValue)
    }

    package mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    package mutating func append(_ more: Span<UInt8>) {
        more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Allocates space for `count` more bytes.
    package mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + count)
    }

    package mutating func text(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func zeros(_ count: Int) {
        bytes.append(contentsOf: repeatElement(0, count: count))
    }

    /// Overwrites the integer at byte `position`.
    package mutating func patch<Value: FixedWidthInteger>(_ value: Value, at position: Int) {
        withUnsafeBytes(of: value.bigEndian) { bytes.replaceSubrange(position..<position + $0.count, with: $0) }
    }
}
