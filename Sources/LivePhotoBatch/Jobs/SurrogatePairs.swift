/// JSON may escape a character beyond U+FFFF as a surrogate pair, `\ud83c\udf89`, which YAML does not allow.
enum SurrogatePairs {
    /// Replaces escaped surrogate pairs with YAML's escape, `\U0001f389`.
    static func joined(in bytes: [UInt8]) -> [UInt8] {
        let backslash = UInt8(ascii: "\\")
        guard bytes.contains(backslash) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let high = unit(bytes, at: index), let low = unit(bytes, at: index + 6),
                UTF16.isLeadSurrogate(high), UTF16.isTrailSurrogate(low)
            {
                let scalar = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
                result += Array(("\\U" + padded(scalar, 8, radix: 16)).utf8)
                index += 12
            } else {
                // Copy another escape with its second character, which may be a backslash.
                let end = min(index + (bytes[index] == backslash ? 2 : 1), bytes.count)
                result += bytes[index..<end]
                index = end
            }
        }
        return result
    }

    /// The number of an escape: `\u` and four hexadecimal digits.
    private static func unit(_ bytes: [UInt8], at index: Int) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    }
}
