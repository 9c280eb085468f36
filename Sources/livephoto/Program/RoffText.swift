/// The text of a manual page in the macros of man(7).
struct RoffText {
    private(set) var text = ""

    /// - Parameter date: `2026-11-23`, or empty.
    init(title: String, date: String, source: String) {
        line(#".\" Generated from the program's help by 'livephoto manual'."#)
        line(".TH \(title.uppercased()) 1 \"\(date)\" \"\(source)\" \"User Commands\"")
    }

    private mutating func line(_ line: String) { text += line + "\n" }

    mutating func section(_ name: String) { line(".SH \(name)") }

    /// Plain text. Paragraphs are separated by empty lines.
    mutating func paragraphs(_ paragraphs: String) {
        for (index, paragraph) in paragraphs.split(separator: "\n\n").enumerated() {
            if index > 0 { line(".PP") }
            prose(String(paragraph))
        }
    }

    /// A term with its explanation.
    ///
    /// - Parameter term: in markup.
    mutating func item(_ term: String, _ explanation: String) {
        line(".TP")
        line(term)
        prose(explanation)
    }

    /// Lines in markup that are not filled.
    mutating func lines(_ lines: [String]) {
        for (index, text) in lines.enumerated() {
            if index > 0 { line(".br") }
            line(text)
        }
    }

    /// Command lines, set off from the text.
    mutating func example(_ commands: [String]) {
        line(".nf")
        for command in commands { line(Self.code(command)) }
        line(".fi")
    }

    /// The name of a page and what it describes, in the form that apropos(1) reads.
    mutating func title(_ name: String, _ phrase: String) { prose(phrase, after: "\(Self.code(name)) \\-") }

    /// Begins each sentence on a new line, as is usual in the sources of manual pages, and breaks long ones.
    ///
    /// - Parameter start: markup in front of the text.
    private mutating func prose(_ text: String, after start: String = "") {
        var current = start
        for word in text.split(whereSeparator: \.isWhitespace) {
            let next = Self.marked(String(word))
            if !current.isEmpty, current.utf8.count + next.utf8.count + 1 > 78 {
                line(current)
                current = ""
            }
            current += current.isEmpty ? Self.protected(next) : " \(next)"
            if word.last == "." || word.hasSuffix(".)") {
                line(current)
                current = ""
            }
        }
        if !current.isEmpty { line(current) }
    }

    static func bold(_ text: String) -> String { "\\fB\(code(text))\\fR" }

    static func italic(_ text: String) -> String { "\\fI\(code(text))\\fR" }

    /// Text that is copied as it is, with its hyphens as minus signs.
    static func code(_ text: String) -> String { protected(escaped(text).replacing("-", with: "\\-")) }

    /// A word of a text: options are bold.
    private static func marked(_ word: String) -> String {
        guard let match = word.wholeMatch(of: /([('"]*)(--?[A-Za-z][A-Za-z0-9-]*)([^A-Za-z0-9]*)/) else {
            return escaped(word)
        }
        return escaped(String(match.1)) + bold(String(match.2)) + escaped(String(match.3))
    }

    /// A line that begins with these characters would be a macro.
    private static func protected(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    /// Text in which nothing has a meaning for roff, and quotation marks stay those of ASCII.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "'": "\\(aq"
            case "\"": "\\(dq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            default:
                scalar.isASCII
                    ? String(scalar) : "\\[u" + String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4) + "]"
            }
        }.joined()
    }
}

extension String {
    fileprivate func leftPadded(to width: Int) -> String {
        String(repeating: "0", count: max(width - count, 0)) + self
    }
}
