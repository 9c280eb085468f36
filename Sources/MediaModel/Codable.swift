// Values in orders to the worker and its results, as text. Invalid text is an error.

extension ContentIdentifier: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed { ContentIdentifier($0) }
    }

    public func encode(to encoder: any Encoder) throws { try string.encode(to: encoder) }
}

extension GeographicLocation: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed { GeographicLocation(iso6709: $0) }
    }

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
