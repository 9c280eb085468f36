package import MediaModel

/// A content identifier as a file stores it. Spellings that differ only in case are equal: they mean the same pair, and
/// linking makes them the same.
package struct StoredIdentifier: Sendable, Hashable {
    let text: FileText

    package init(_ text: FileText) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool { one.folded == other.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    /// Identifiers consist of hexadecimal digits.
    private var folded: FileText { text.uppercasedASCII }
}
