import FoundationEssentials

/// How this program writes and reads JSON: keys in order, so that equal values give equal text.
package enum JSON {
    /// - Parameter indented: Whether the text has many lines and is easier to read.
    package static func text(_ value: some Encodable, indented: Bool = false) throws -> String {
        String(decoding: try encode(value, indented: indented), as: UTF8.self)
    }

    /// The value on one line, with the line's end, as in journals and in the connection to the worker.
    package static func line(_ value: some Encodable) throws -> [UInt8] {
        Array(try encode(value, indented: false)) + [UInt8(ascii: "\n")]
    }

    package static func decode<Value: Decodable>(
        _: Value.Type = Value.self, from text: some Sequence<UInt8>
    ) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text))
    }

    private static func encode(_ value: some Encodable, indented: Bool) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if indented { encoder.outputFormatting.insert(.prettyPrinted) }
        return try encoder.encode(value)
    }
}
