import Bytes

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
    ) throws(ParseError) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "&"):
                let start = rest.startIndex
                guard let end = rest.prefix(longestReference).firstIndex(of: UInt8(ascii: ";")),
                    let scalar = scalar(String(decoding: rest[..<end], as: UTF8.self))
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
        return String(decoding: text, as: UTF8.self)
    }

    /// The text as the value of an attribute in double quotes.
    static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }

    /// The character of the reference `&…;`.
    private static func scalar(_ reference: String) -> Unicode.Scalar? {
        switch reference {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard reference.hasPrefix("#") else { return nil }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.hasPrefix("x")
        // UInt32(_:radix:) would accept a sign.
        let number = isHexadecimal ? digits.dropFirst() : digits
        guard number.first?.isHexDigit == true, let code = UInt32(number, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(code), code >= 0x20 || [0x09, 0x0A, 0x0D].contains(code)
        else { return nil }
        return scalar
    }
}
