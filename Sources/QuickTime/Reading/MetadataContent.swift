import Bytes
package import MediaModel

/// The content of a metadata value, decoded by its type.
package enum MetadataContent: Sendable, Hashable {
    case text(FileText)
    case integer(Int64)
    /// A number too large for `integer`.
    case unsigned(UInt64)
    /// One floating-point number, or those of a point, a rectangle, a matrix, in the order of the file.
    case numbers([Double])
    /// A picture in a format such as `JPEG`.
    case image(format: String, byteCount: Int)
    case livePhotoInfo(LivePhotoInfo)
    /// A live-photo-info record that cannot be read: its version, and its size in bytes.
    case otherLivePhotoInfo(version: UInt32, byteCount: Int)
    /// Another type, or bytes that do not fit the type.
    case data([UInt8])
}

extension MetadataContent: CustomStringConvertible {
    private static let shownBytes = 16

    /// A description for display: text, cut only if it is very long, numbers separated by spaces, the first bytes of data.
    package var description: String {
        switch self {
        case .text(let text): return text.string()
        case .integer(let number): return "\(number)"
        case .unsigned(let number): return "\(number)"
        case .numbers(let numbers): return numbers.map { decimal($0, places: 6) }.joined(separator: " ")
        case .image(let format, let byteCount): return "\(format) picture, \(counted(byteCount, "byte"))"
        case .livePhotoInfo(let info): return "\(info)"
        case .otherLivePhotoInfo(let version, let byteCount): return "version \(version), \(counted(byteCount, "byte"))"
        case .data(let bytes):
            let digits = hexadecimal(bytes.prefix(Self.shownBytes))
            return bytes.count <= Self.shownBytes ? digits : "\(digits)… (\(bytes.count) bytes)"
        }
    }
}

extension MetadataValue {
    /// The decoded content.
    package var content: MetadataContent {
        switch type.layout {
        case .text: text.map { .text($0) } ?? .data(bytes)
        case .signed: integer.map { .integer($0) } ?? .data(bytes)
        case .unsigned: integer.map { .integer($0) } ?? unsigned.map { .unsigned($0) } ?? .data(bytes)
        case .float32: numbers(UInt32.self) { Double(Float(bitPattern: $0)) }
        case .float64: numbers(UInt64.self) { Double(bitPattern: $0) }
        case .image(let format): .image(format: format, byteCount: bytes.count)
        case .data: .data(bytes)
        }
    }

    private var unsigned: UInt64? {
        bytes.count == 8 ? bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : nil
    }

    private func numbers<Bits: FixedWidthInteger>(_: Bits.Type, _ number: (Bits) -> Double) -> MetadataContent {
        let width = Bits.bitWidth / 8
        guard !bytes.isEmpty, bytes.count.isMultiple(of: width) else { return .data(bytes) }
        return .numbers(
            stride(from: 0, to: bytes.count, by: width).map { start in
                number(bytes[start..<start + width].reduce(0) { $0 << 8 | Bits(truncatingIfNeeded: $1) })
            })
    }
}
