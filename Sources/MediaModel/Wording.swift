/// `text` in single quotes for a message: cut after 60 characters, with control characters escaped, so that text from a
/// file cannot control a terminal.
package func quoted(_ text: String) -> String {
    let shown = printable(String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))))
    return "'" + shown + (text.unicodeScalars.count > 60 ? "…'" : "'")
}

/// As for text of our own.
package func quoted(_ text: FileText) -> String { "'\(text.shown(60))'" }

/// `text` on one line, with control characters and directional overrides escaped.
package func printable(_ text: String) -> String {
    text.unicodeScalars.map { isControl($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
}

/// A path as one word of a shell's command line: in single quotes unless it consists of letters, digits and harmless marks.
package func shellWord(_ path: String) -> String { shellText(path.hasPrefix("-") ? "./\(path)" : path) }

/// Any text as one word of a shell's command line, as `shellWord`.
package func shellText(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+,:=@%".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : "'\(text.replacing("'", with: #"'\''"#))'"
}

/// `1 frame`, `2 frames`, `0 boxes`.
package func counted(_ count: some BinaryInteger, _ noun: String, plural: String? = nil) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(plural ?? "\(noun)s")"
}

/// Whether `scalar` is a control character, a line end or a directional override, which makes a name look like another
/// (Unicode Standard Annex 9, 2.1 to 2.5).
package func isControl(_ scalar: Unicode.Scalar) -> Bool {
    if (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value) { return true }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}
