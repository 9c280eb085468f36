// Values in orders to the worker and its results, as text. Invalid text is an error.

extension ContentIdentifier: Codable {
    /// Reads the UUID as text.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed { ContentIdentifier($0) }
    }

    /// Writes the UUID as text.
    public func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}

extension GeographicLocation: Codable {
    /// Reads the text of ISO 6709, as `init(iso6709:)` does.
    ///
    /// - Throws: `DecodingError` for any other text.
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed { GeographicLocation(iso6709: $0) }
    }

    /// Writes `iso6709`, which keeps four decimals of a degree (11 m) and three of a metre.
    public func encode(to encoder: any Encoder) throws { try iso6709.encode(to: encoder) }
}

extension Decoder {
    fileprivate func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
        let text = try String(from: self)
        guard let value = parse(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "\(quoted(text)) is not a valid \(Value.self)"))
        }
        return value
    }
}
