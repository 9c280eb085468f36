import Bytes
import MediaModel

/// The text of XML: character references and the five predefined entities (XML 1.0, sections 4.1 and 4.6).
enum XMLText {
    /// Bytes of the longest valid reference, with leading zeros.
    private static let longestReference = 12

    /// - Parameters:
    ///   - bytes: UTF-8; invalid sequences become U+FFFD.
    ///   - isAttribute: whether line ends and tabs count as spaces (3.3.3).
    ///   - fileOffset: what to add to an index of `bytes` for its file offset.
    static func decode(
        _ bytes: ArraySlice<UInt8>, isAttribute: Bool, fileOffset: Int
    ) throws(ParseError) -> FileText {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "&"):
                let start = rest.startIndex
                guard let end = rest.prefix(longestReference).firstIndex(of: UInt8(ascii: ";")),
                    let scalar = scalar(rest[..<end])
                else {
                    throw ParseError(
                        .invalidValue, in: "XML", at: fileOffset + start - 1,
                        expected: "one of the five entities, or a character by its number")
                }
                text += Array(String(scalar).utf8)
                rest = rest[(end + 1)...]
            case 0x0D:
                // Line ends become one character (2.11).
                if rest.first == 0x0A { rest.removeFirst() }
                text.append(isAttribute ? 0x20 : 0x0A)
            case 0x09, 0x0A: text.append(isAttribute ? 0x20 : byte)
            default: text.append(byte)
            }
        }
        return FileText(text)
    }

    /// The text as the value of an attribute in double quotes.
    static func escaped(_ text: FileText) -> FileText {
        FileText(
            text.bytes.flatMap { byte in
                switch byte {
                case UInt8(ascii: "&"): Array("&amp;".utf8)
                case UInt8(ascii: "<"): Array("&lt;".utf8)
                case UInt8(ascii: "\""): Array("&quot;".utf8)
                default: [byte]
                }
            })
    }

    /// The character of the reference `&…;`.
    private static func scalar(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let entities: [(FileText, Unicode.Scalar)] = [
            ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
        ]
        if let entity = entities.first(where: { $0.0.bytes[...] == reference }) { return entity.1 }
        guard reference.first == UInt8(ascii: "#") else { return nil }
        let isHexadecimal = reference.dropFirst().first == UInt8(ascii: "x")
        let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        let radix = isHexadecimal ? 16 : 10
        guard !values.isEmpty, values.count == digits.count, values.allSatisfy({ $0 < radix }),
            // A reference has few bytes.
            let code = UInt32(exactly: values.reduce(0) { $0 * radix + $1 }),
            let scalar = Unicode.Scalar(code), code >= 0x20 || [0x09, 0x0A, 0x0D].contains(code)
        else { return nil }
        return scalar
    }
}
