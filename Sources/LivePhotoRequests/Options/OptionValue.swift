public import LivePhotoKit
import MediaModel

/// A value that users write on the command line, in a preset or in a job file, read the same way everywhere.
public protocol OptionValue: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of value, with its article: `a bit rate`.
    static var kind: String { get }
    /// What is allowed, as the end of the sentence "write …".
    static var allowed: String { get }
    /// The members of a JSON Schema (draft 2020-12) for it: `"type": "string", "pattern": "…"`. It may accept more than
    /// `init(text:)` does, and nothing less.
    static var jsonSchema: String { get }

    /// Reads the value from `text`, which has to be it and nothing else: no spaces around it, ASCII digits. Nil for
    /// anything else.
    init?(text: String)
    /// The value in a form that `init(text:)` reads back; `description` unless it says otherwise.
    var optionText: String { get }
}

extension LivePhotoError {
    /// `'loud' is not an audio mode; write keep or none`
    ///
    /// - Parameters:
    ///   - kind: of value, with its article.
    ///   - allowed: as the end of the sentence "write …".
    static func invalidValue(_ text: String, isNot kind: String, write allowed: String) -> LivePhotoError {
        LivePhotoError(.invalidValue, nil, "\(quoted(text)) is not \(kind); write \(allowed)")
    }
}

extension OptionValue {
    /// Reads the value from `text`.
    ///
    /// - Throws: `LivePhotoError` with a sentence that says what is allowed.
    public init(_ text: String) throws(LivePhotoError) {
        guard let value = Self(text: text) else { throw .invalidValue(text, isNot: Self.kind, write: Self.allowed) }
        self = value
    }

    public var optionText: String { description }

    public static var jsonSchema: String { #""type": "string""# }

    /// Reads the text that `encode` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try Self(container.decode(String.self))
        } catch let error as LivePhotoError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes `optionText`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(optionText)
    }
}

/// An option that is one of a few words.
public protocol OptionChoice: OptionValue, CaseIterable, RawRepresentable where RawValue == String {}

extension OptionChoice {
    public init?(text: String) { self.init(rawValue: text) }

    /// The word.
    public var description: String { rawValue }

    /// `keep or none`
    public static var allowed: String { alternatives(allCases.map(\.rawValue), "or") }

    public static var jsonSchema: String {
        "\"enum\": [\(allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "))]"
    }
}
