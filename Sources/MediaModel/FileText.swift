/// Text from a file, as the bytes of its UTF-8, which need not be valid.
///
/// Text of strangers stays bytes until it is shown. Swift's `String` compares, counts and searches by characters, which
/// takes time that grows with the square of their length where they consist of thousands of marks, flags or joiners. So
/// this is the only type that makes a `String` of the bytes of a file (`Scripts/check` verifies it), and only of a limited
/// number of them, with `longestChain` joined characters in a row at most.
package struct FileText: Hashable, Sendable {
    package private(set) var bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Nil for text that is longer than `limit` bytes, or is not UTF-8.
    package init?(validating bytes: some Collection<UInt8>, limit: Int = .max) {
        guard bytes.count <= limit, String(validating: bytes, as: UTF8.self) != nil else { return nil }
        self.init(bytes)
    }

    /// From UTF-16; unpaired surrogates are replaced.
    package init(utf16 units: some Collection<UInt16>) {
        self.init(String(decoding: units, as: UTF16.self))
    }

    /// Nil for units that are not UTF-16.
    package init?(validatingUTF16 units: some Sequence<UInt16>) {
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        self.init(text)
    }
}

extension FileText {
    package var isEmpty: Bool { bytes.isEmpty }

    package func hasPrefix(_ other: FileText) -> Bool { bytes.starts(with: other.bytes) }

    package func hasSuffix(_ other: FileText) -> Bool {
        bytes.count >= other.bytes.count && bytes[(bytes.count - other.bytes.count)...] == other.bytes[...]
    }

    package func contains(_ other: FileText) -> Bool {
        guard let first = other.bytes.first else { return true }
        var rest = bytes[...]
        while let start = rest.firstIndex(of: first) {
            guard rest.endIndex - start >= other.bytes.count else { return false }
            if rest[start...].starts(with: other.bytes) { return true }
            rest = rest[(start + 1)...]
        }
        return false
    }

    package static func + (one: FileText, other: FileText) -> FileText { FileText(one.bytes + other.bytes) }

    package static func += (text: inout FileText, other: FileText) { text.bytes += other.bytes }

    /// The text with the letters of ASCII in lower case.
    package var lowercasedASCII: FileText { FileText(bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }) }

    /// The text with the letters of ASCII in upper case.
    package var uppercasedASCII: FileText { FileText(bytes.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }) }

    /// The text without spaces, tabs and line ends before and after it.
    package var trimmed: FileText {
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var rest = bytes.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return FileText(rest)
    }

    /// The decimal number that the text begins with, up to white space; nil for other text.
    package var integer: Int? {
        let word = trimmed.bytes.prefix { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return word.count <= Self.longestNumber ? Int(String(decoding: word, as: UTF8.self)) : nil
    }

    /// The text as a number; nil for other text.
    package var number: Double? {
        bytes.count <= Self.longestNumber ? Double(String(decoding: bytes, as: UTF8.self)) : nil
    }

    /// Bytes of the longest text that is read as a number.
    private static let longestNumber = 64
}

// MARK: Showing

extension FileText {
    /// Joined characters in a row that a `String` may have; languages need a few (Unicode Standard Annex 15, section 13).
    package static let longestChain = 30
    /// Bytes of the longest `String` that is made unless stated otherwise: long comments.
    package static let shownBytes = 4096

    /// The text for people and for documents: cut after so many bytes, with an ellipsis, and without the end of long runs of
    /// joined characters. Bytes that are not UTF-8 are replaced as well.
    package func string(limit: Int = shownBytes) -> String {
        // A character has four bytes at most.
        let isCut = bytes.count > limit
        var end = Swift.min(limit, bytes.count)
        while isCut, end > 0, end > limit - 3, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let text = String(decoding: bytes[..<end], as: UTF8.self) + (isCut ? "…" : "")
        return Self.hasLongChain(text.unicodeScalars) ? Self.withoutLongChains(text) : text
    }

    private static func withoutLongChains(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var chain = Chain()
        for scalar in text.unicodeScalars {
            if chain.keeps(scalar) { result.append(scalar) }
        }
        return String(result)
    }

    /// Counts the joined characters of a text.
    package struct Chain {
        private var count = 0

        package init() {}

        /// Whether the next scalar of the text is not one too many.
        package mutating func keeps(_ scalar: Unicode.Scalar) -> Bool {
            count = joins(scalar) ? count + 1 : 0
            return count <= longestChain
        }
    }

    /// Whether more than `longestChain` joined characters follow each other.
    package static func hasLongChain(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        var chain = Chain()
        return scalars.contains { !chain.keeps($0) }
    }

    /// Whether Swift may have to go through all of a run of such scalars for each of them, to sort it or to find where a
    /// character begins.
    private static func joins(_ scalar: Unicode.Scalar) -> Bool {
        // The first one is U+0300; most text needs no table.
        guard scalar.value >= 0x300 else { return false }
        // Joiners, and regional indicators, which Swift counts from the first one.
        if (0x200C...0x200D).contains(scalar.value) || (0x1F1E6...0x1F1FF).contains(scalar.value) { return true }
        return scalar.properties.canonicalCombiningClass != .notReordered || scalar.properties.isGraphemeExtend
    }
}

extension FileText: CustomStringConvertible {
    /// The text on one line, as `printable` writes it, cut after 200 characters.
    package var description: String { shown(Self.shownScalars) }

    private static let shownScalars = 200

    /// The text on one line, as `printable` writes it, cut after so many scalars.
    package func shown(_ count: Int) -> String {
        let scalars = string(limit: 4 * count).unicodeScalars
        let isCut = scalars.count > count && !(scalars.count == count + 1 && scalars.last == "…")
        return printable(String(String.UnicodeScalarView(scalars.prefix(count)))) + (isCut ? "…" : "")
    }
}

extension FileText: Comparable {
    /// By bytes, which is the order of the scalars.
    package static func < (one: FileText, other: FileText) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }
}

extension FileText: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(text) }

    package init(stringInterpolation: Interpolation) { self.init(stringInterpolation.bytes) }

    /// Text of our own with text of files in it, unchanged.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var bytes: [UInt8] = []

        package init(literalCapacity: Int, interpolationCount: Int) { bytes.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ text: String) { bytes += text.utf8 }

        package mutating func appendInterpolation(_ text: FileText) { bytes += text.bytes }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            bytes += value.description.utf8
        }
    }
}

extension [FileText] {
    package func joined(separator: FileText = "") -> FileText {
        FileText(map(\.bytes).joined(separator: separator.bytes))
    }
}
