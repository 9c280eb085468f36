import FoundationEssentials
import MediaModel

/// How this program writes and reads JSON: keys in order, so that equal values give equal text.
package enum JSON {
    package static func text(_ value: some Encodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }

    /// The value on one line, with the line's end, as in journals and in the connection to the worker.
    package static func line(_ value: some Encodable) throws -> [UInt8] {
        Array(try encode(value)) + [UInt8(ascii: "\n")]
    }

    package static func decode<Value: Decodable>(
        _: Value.Type = Value.self, from text: some Sequence<UInt8>
    ) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text))
    }

    /// JSON of a stranger without long runs of joined characters, written as they are or as escapes, whose keys and texts
    /// Swift would compare slowly (`FileText`).
    package static func withoutLongChains(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var chain = FileText.Chain()
        var place = 0
        while place < text.count {
            let (count, scalar) = scalar(at: place, in: text)
            if chain.keeps(scalar) { result += text[place..<place + count] }
            place += count
        }
        return result
    }

    private static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
    }
}

extension JSON {
    /// A character of a text and the number of its bytes; `\u0301` is one.
    private static func scalar(at place: Int, in text: [UInt8]) -> (count: Int, Unicode.Scalar) {
        let first = text[place]
        if first == UInt8(ascii: "\\") {
            guard let unit = unit(at: place, in: text) else { return (min(2, text.count - place), "\\") }
            if let scalar = Unicode.Scalar(unit) { return (6, scalar) }
            guard UTF16.isLeadSurrogate(unit), let next = self.unit(at: place + 6, in: text),
                UTF16.isTrailSurrogate(next)
            else { return (6, "\u{FFFD}") }
            return (12, UTF16.decode(UTF16.EncodedScalar([unit, next])))
        }
        guard first >= 0x80 else { return (1, Unicode.Scalar(first)) }
        var bytes = text[place...].prefix(4).makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes) else { return (1, "\u{FFFD}") }
        return (UTF8.width(scalar), scalar)
    }

    /// The value of an escape with four digits; nil for other text.
    private static func unit(at place: Int, in text: [UInt8]) -> UInt16? {
        guard text.count - place >= 6, text[place...].starts(with: "\\u".utf8) else { return nil }
        var value: UInt16 = 0
        for byte in text[place + 2..<place + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
