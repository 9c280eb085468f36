/// Reading values that another process wrote, which may be wrong or meant to do harm.
extension KeyedDecodingContainer {
    /// A whole number.
    ///
    /// - Throws: `DecodingError` unless it is in the range.
    package func whole(_ key: Key, in range: ClosedRange<Int>) throws -> Int {
        try checked(decode(Int.self, forKey: key), for: key) { range.contains($0) }
    }

    /// A time that is not negative.
    ///
    /// - Throws: `DecodingError` for any other.
    package func duration(_ key: Key) throws -> MediaTime {
        try checked(decode(MediaTime.self, forKey: key), for: key) { $0 >= .zero }
    }

    /// An array.
    ///
    /// - Throws: `DecodingError` if it has more or fewer elements.
    package func array<Element: Decodable>(
        of: Element.Type = Element.self, _ key: Key, count: ClosedRange<Int>
    ) throws -> [Element] {
        try checked(decode([Element].self, forKey: key), for: key) { count.contains($0.count) }
    }

    /// Text of any kind, shortened to `limit` Unicode scalars, with control characters escaped.
    ///
    /// - Parameter isMultiline: whether line feeds are kept.
    package func text(_ key: Key, limit: Int, isMultiline: Bool = false) throws -> String {
        shownText(try decode(String.self, forKey: key), limit: limit, isMultiline: isMultiline)
    }

    /// Text that is one of those that `isValid` accepts.
    ///
    /// - Throws: `DecodingError` for any other.
    package func text(_ key: Key, where isValid: (String) -> Bool) throws -> String {
        try checked(decode(String.self, forKey: key), for: key, isValid)
    }

    private func checked<Value>(_ value: Value, for key: Key, _ isValid: (Value) -> Bool) throws -> Value {
        guard isValid(value) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "out of range")
        }
        return value
    }
}

/// `text` shortened to `limit` Unicode scalars, with control characters escaped.
///
/// - Parameter isMultiline: whether line feeds are kept.
package func shownText(_ text: String, limit: Int, isMultiline: Bool = false) -> String {
    let scalars = text.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex)
    let cut = String(scalars[..<(end ?? scalars.endIndex)]) + (end.map { $0 < scalars.endIndex } == true ? "…" : "")
    guard isMultiline else { return printable(cut) }
    return cut.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        .map { printable(String($0)) }.joined(separator: "\n")
}
