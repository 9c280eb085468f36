extension YAMLNode {
    /// The value as JSON on one line, which parses to the same value. All scalars are strings.
    package var json: String {
        switch content {
        case .null: "null"
        case .text(let text): Self.json(text)
        case .list(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\(Self.json($0.key)):\($0.value.json)" }.joined(separator: ",") + "}"
        }
    }

    /// `text` as a YAML scalar, quoted if it could have another meaning.
    static func scalar(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCIIAlphanumeric || " ,-./%".contains($0) }
        let isNegative = text.first == "-" && text.dropFirst().first?.isNumber == true
        let isWhole = text.first?.isASCIIAlphanumeric == true && text.last != " " && text.lowercased() != "null"
        return isPlain && (isWhole || isNegative) ? text : json(text)
    }

    /// `text` as a JSON string (RFC 8259, section 7).
    package static func json(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
                result += "\\u" + padded(scalar.value, 4, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
