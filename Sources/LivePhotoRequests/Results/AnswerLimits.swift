import MediaModel

/// Limits of what the worker may answer: far more than any task needs, and little enough that nothing overflows or fills
/// the memory.
enum AnswerLimits {
    /// Frames of a clip, a movie or an animation: more than a day with 60 in a second.
    static let frames = 10_000_000
    /// Bytes of a file; files of the worker have at most 4 GiB.
    static let fileSize = 1 << 40
    static let candidates = 1_000
    static let components = 1_000
    /// Warnings.
    static let lines = 1_000
    /// Unicode scalars of a name or version.
    static let name = 200
    /// Unicode scalars of a sentence.
    static let line = 4_000
    /// Unicode scalars of the description of a plan.
    static let text = 100_000
}

/// A structural similarity: 1 for equal pictures, about 0 for unrelated ones.
package struct Similarity: Sendable, Hashable, Codable {
    package let value: Double

    /// - Parameter value: rounding may take it slightly out of -1…1.
    package init(_ value: Double) { self.value = value.isNaN ? 0 : min(max(value, -1), 1) }

    /// - Throws: `DecodingError` outside of -1…1.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        value = try container.decode(Double.self)
        guard -1...1 ~= value else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a similarity")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// A part of a file in bytes.
struct FileSize: Decodable {
    let bytes: Int

    /// - Throws: `DecodingError` for a negative or impossible size.
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        bytes = try container.decode(Int.self)
        guard 0...AnswerLimits.fileSize ~= bytes else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not the size of a file")
        }
    }
}

/// Text that is shown: shortened, and with control characters escaped.
package struct ShownText: Sendable, Hashable, Codable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(from decoder: any Decoder) throws {
        text = shownText(try decoder.singleValueContainer().decode(String.self), limit: AnswerLimits.line)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Warnings, each one sentence.
package struct ShownLines: Sendable, Hashable, Codable {
    package let lines: [String]

    package init(_ lines: [String]) { self.lines = lines }

    /// - Throws: `DecodingError` for a thousand lines.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let decoded = try container.decode([ShownText].self)
        guard decoded.count <= AnswerLimits.lines else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "too many lines")
        }
        lines = decoded.map(\.text)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(lines)
    }
}

extension KeyedDecodingContainer {
    /// A time that can be copied into a command: `2.5`.
    ///
    /// - Throws: `DecodingError` for other text.
    func stillTime(_ key: Key) throws -> String { try text(key) { MediaTime(text: $0) != nil && $0.utf8.count <= 32 } }

    /// A value that may be missing or null.
    func optional<Value>(_ key: Key, _ decode: (Self, Key) throws -> Value) throws -> Value? {
        try contains(key) && !decodeNil(forKey: key) ? decode(self, key) : nil
    }
}
