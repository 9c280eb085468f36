/// A content identifier as a file stores it. Spellings that differ only in case are equal: they mean the same pair, and
/// linking makes them the same.
package struct StoredIdentifier: Sendable, Hashable {
    let text: String

    package init(_ text: String) { self.text = text }

    package static func == (one: Self, other: Self) -> Bool { one.folded == other.folded }

    package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    private var folded: String { text.uppercased() }
}
