import MediaModel

/// A setting as a person writes it: on the command line, in a preset, in a job file. All of them read it here.
///
/// `description` writes the value in a form that `init(_:)` reads back.
public protocol OptionValue: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Reads the value from `text`, which has to be it and nothing else: no spaces around it, ASCII digits.
    ///
    /// - Throws: `OptionError` with a sentence that says what is allowed.
    init(_ text: String) throws(OptionError)
}

/// A text that is not the option it was given for.
public struct OptionError: Error, Sendable, Hashable {
    /// What was typed.
    public let text: String
    /// What it should have been, with its article: `a bit rate`.
    public let kind: String
    /// What is allowed, as the end of the sentence "write …".
    public let allowed: String

    package init(_ text: String, isNot kind: String, write allowed: String) {
        self.text = text
        self.kind = kind
        self.allowed = allowed
    }
}

extension OptionError: CustomStringConvertible {
    /// `'loud' is not an audio mode; write keep or none`
    public var description: String { "\(quoted(text)) is not \(kind); write \(allowed)" }
}

extension OptionValue {
    /// Reads the text that `encode` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = try Self(container.decode(String.self))
        } catch let error as OptionError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes it as the text by which people give it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// An option that is one of a few words.
public protocol OptionChoice: OptionValue, CaseIterable, RawRepresentable where RawValue == String {
    /// What the choice is of, with its article: `an audio mode`.
    static var kind: String { get }
}

extension OptionChoice {
    public init(_ text: String) throws(OptionError) {
        guard let choice = Self(rawValue: text) else {
            throw OptionError(text, isNot: Self.kind, write: alternatives(Self.allCases.map(\.rawValue), "or"))
        }
        self = choice
    }

    /// The word.
    public var description: String { rawValue }
}
