public import LivePhotoKit
import MediaModel

/// A value that users write on the command line, in presets and in job files.
public protocol OptionValue: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of value, with its article: `a bit rate`.
    static var kind: String { get }
    /// The allowed values, as the end of the sentence "write …".
    static var allowed: String { get }
    /// The words among the allowed values, which shells complete.
    static var words: [String] { get }
    /// The members of its JSON Schema (draft 2020-12): `"type": "string", "pattern": "…"`. The schema must accept
    /// everything that `init(text:)` accepts, and may accept more.
    static var jsonSchema: String { get }

    /// Reads the value from `text`, without surrounding spaces and with ASCII digits. Nil for invalid text.
    init?(text: String)
    /// What exactly is wrong with an invalid text and what to do, as a clause: `the option plot of curves is not allowed,
    /// because it writes a file; leave it out`. Nil, the default, if the allowed values say enough.
    static func problem(in text: String) -> String?
    /// The value in a form that `init(text:)` reads; by default `description`.
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
        guard let value = Self(text: text) else {
            if let problem = Self.problem(in: text) {
                throw LivePhotoError(.invalidValue, nil, "\(quoted(text)) is not \(Self.kind): \(problem)")
            }
            throw .invalidValue(text, isNot: Self.kind, write: Self.allowed)
        }
        self = value
    }

    public var optionText: String { description }

    public static var words: [String] { [] }

    public static var jsonSchema: String { #""type": "string""# }

    public static func problem(in text: String) -> String? { nil }

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

/// An option with a fixed set of words.
public protocol OptionChoice: OptionValue, CaseIterable, RawRepresentable where RawValue == String {}

extension OptionChoice {
    /// Reads one of the words, exactly as spelled in `rawValue`.
    public init?(text: String) { self.init(rawValue: text) }

    public var description: String { rawValue }

    public static var words: [String] { allCases.map(\.rawValue) }

    /// `keep or none`
    public static var allowed: String { alternatives(words, "or") }

    public static var jsonSchema: String {
        "\"enum\": [\(words.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
}
