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
