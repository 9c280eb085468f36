package import Bytes
import ISOBMFF

/// The bytes that `text` writes down: hexadecimal digits in any grouping, `'text'` for its characters, and `;` before
/// a comment that ends with the line.
package func hex(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in text.split(whereSeparator: \.isNewline) {
        let content = line.prefix { $0 != ";" }
        for (index, part) in content.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
            if index.isMultiple(of: 2) {
                let digits = part.compactMap(\.hexDigitValue).map(UInt8.init)
                precondition(digits.count.isMultiple(of: 2), "a byte has two digits: \(line)")
                bytes += stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
            } else {
                bytes += part.utf8
            }
        }
    }
    return bytes
}

/// The bytes of a number, the least significant first.
package func little(_ value: Int, _ count: Int = 4) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }

/// The bytes of a number, the most significant first.
package func big(_ value: Int, _ count: Int = 4) -> [UInt8] { little(value, count).reversed() }

/// A box of ISO base media files with its header.
package func box(_ type: FourCC, _ payload: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.box(type) { $0.append(payload) }
    return writer.bytes
}

extension [UInt8] {
    /// With every `pattern` replaced by something of the same length.
    package func replacing(bytes pattern: [UInt8], with other: [UInt8]) -> [UInt8] {
        precondition(pattern.count == other.count, "offsets must not move")
        var result = self
        for start in indices.dropLast(pattern.count - 1) where self[start...].starts(with: pattern) {
            result.replaceSubrange(start..<start + pattern.count, with: other)
        }
        return result
    }

    /// A movie whose `moov` is its last box, with more in it.
    package func addingToMovieBox(_ bytes: [UInt8]) -> [UInt8] {
        guard let type = indices.first(where: { self[$0...].starts(with: "moov".utf8) }) else { return self }
        let size = UInt32(count - type + 4 + bytes.count)
        var result = self + bytes
        for place in 0..<4 { result[type - 4 + place] = UInt8(truncatingIfNeeded: size >> (8 * (3 - place))) }
        return result
    }
}
