#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Values as JSON, one on a line: what journals, reports, orders to the worker and its answers have in common.
package enum JSONLine {
    /// With the line's end.
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    package static func decode<Value: Decodable>(_: Value.Type = Value.self, from line: some Sequence<UInt8>) throws
        -> Value
    {
        try JSONDecoder().decode(Value.self, from: Data(line))
    }
}
