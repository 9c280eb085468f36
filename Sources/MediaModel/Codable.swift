// For orders to another process and its answers. What is read is held against what each type promises.

extension MediaTime: Codable {
    private enum CodingKeys: CodingKey {
        case value, timescale
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let timescale = try container.decode(Int32.self, forKey: .timescale)
        guard timescale > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .timescale, in: container, debugDescription: "a timescale is at least 1")
        }
        self.init(value: try container.decode(Int64.self, forKey: .value), timescale: timescale)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(value, forKey: .value)
        try container.encode(timescale, forKey: .timescale)
    }
}

extension FrameRate: Codable {
    private enum CodingKeys: CodingKey {
        case numerator, denominator
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let rate = FrameRate(
                try container.decode(Int32.self, forKey: .numerator),
                try container.decode(Int32.self, forKey: .denominator))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .numerator, in: container, debugDescription: "a frame rate is above zero")
        }
        self = rate
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(numerator, forKey: .numerator)
        try container.encode(denominator, forKey: .denominator)
    }
}

extension ContentIdentifier: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed { ContentIdentifier($0) }
    }

    public func encode(to encoder: any Encoder) throws { try encoder.write(string) }
}

extension GeographicLocation: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.parsed { GeographicLocation(iso6709: $0) }
    }

    public func encode(to encoder: any Encoder) throws { try encoder.write(iso6709) }
}

extension Decoder {
    fileprivate func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = parse(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(quoted(text)) is no \(Value.self)")
        }
        return value
    }
}

extension Encoder {
    fileprivate func write(_ text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
