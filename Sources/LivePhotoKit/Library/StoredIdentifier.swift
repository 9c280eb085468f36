package import MediaModel

/// A content identifier as a file stores it. Spellings that differ only in case are equal: they mean the same pair, and
/// linking makes them the same. Those that are UUIDs, as almost all are, take no memory of their own.
package struct StoredIdentifier: Sendable {
    private enum Form {
        /// The spelling is nil for capital letters.
        case uuid(UInt64, UInt64, FileText?)
        case other(FileText)
    }

    private let form: Form

    package init(_ text: FileText) {
        guard let (high, low, isCapital) = Self.number(text.bytes) else {
            form = .other(text)
            return
        }
        form = .uuid(high, low, isCapital ? nil : text)
    }

    package var text: FileText {
        switch form {
        case .uuid(_, _, let text?), .other(let text): text
        case .uuid(let high, let low, nil): Self.text(high, low)
        }
    }

    /// The places of the hyphens in a UUID.
    private static let hyphens = [8, 13, 18, 23]
    private static let length = 36

    /// The 128 bits of a UUID, and whether its letters are capitals; nil for other text.
    private static func number(_ bytes: [UInt8]) -> (UInt64, UInt64, isCapital: Bool)? {
        guard bytes.count == length else { return nil }
        var (high, low, isCapital) = (UInt64(0), UInt64(0), true)
        for (index, byte) in bytes.enumerated() {
            if hyphens.contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexadecimalDigit(byte) else { return nil }
            if byte >= UInt8(ascii: "a") { isCapital = false }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        return (high, low, isCapital)
    }

    private static func text(_ high: UInt64, _ low: UInt64) -> FileText {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        let digits = Array("0123456789ABCDEF".utf8)
        for index in 0..<32 {
            if hyphens.contains(bytes.count) { bytes.append(UInt8(ascii: "-")) }
            let word = index < 16 ? high : low
            bytes.append(digits[Int(word >> UInt64(60 - index % 16 * 4) & 0xF)])
        }
        return FileText(bytes)
    }
}

extension StoredIdentifier: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        switch (one.form, other.form) {
        case (.uuid(let high, let low, _), .uuid(let otherHigh, let otherLow, _)): high == otherHigh && low == otherLow
        case (.other(let text), .other(let other)): text.uppercasedASCII == other.uppercasedASCII
        case (.uuid, .other), (.other, .uuid): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch form {
        case .uuid(let high, let low, _):
            hasher.combine(high)
            hasher.combine(low)
        case .other(let text): hasher.combine(text.uppercasedASCII)
        }
    }
}
