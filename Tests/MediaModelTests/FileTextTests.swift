import MediaModel
import Testing

@Suite struct FileTextTests {
    @Test(
        arguments: [
            ("a", "a", true), ("\u{E9}", "e\u{301}", false), ("", "", true), ("a", "A", false),
        ] as [(FileText, FileText, Bool)])
    func `texts are equal if their bytes are`(one: FileText, other: FileText, isEqual: Bool) {
        #expect((one == other) == isEqual && (Set([one, other]).count == 1) == isEqual)
        #expect((one < other || other < one) != isEqual)
    }

    @Test(
        arguments: [
            ("abcabd", "", true, true, true), ("abcabd", "abc", true, false, true),
            ("abcabd", "abd", false, true, true),
            ("abcabd", "cab", false, false, true), ("abcabd", "abe", false, false, false),
            ("ab", "abc", false, false, false), ("", "a", false, false, false), ("e\u{301}", "e", true, false, true),
        ] as [(FileText, FileText, Bool, Bool, Bool)])
    func `a part of a text is found by its bytes`(
        text: FileText, part: FileText, begins: Bool, ends: Bool, contains: Bool
    ) {
        #expect(text.hasPrefix(part) == begins && text.hasSuffix(part) == ends && text.contains(part) == contains)
    }

    @Test(
        arguments: [
            ("12", 12), (" \t-7 s", -7), ("+3\n", 3), ("", nil), ("x", nil), ("1e3", nil), ("1.5", nil),
            ("99999999999999999999", nil), (FileText(Array(repeating: 0x31, count: 1 << 20)), nil),
            ("1\u{301}", nil), ("\u{661}", nil),
        ] as [(FileText, Int?)])
    func `a number at the beginning is read`(text: FileText, number: Int?) {
        #expect(text.integer == number)
    }

    @Test func `letters of ASCII change their case, and others stay`() {
        let text: FileText = "aZ[`{\u{E9}\u{C9}"
        #expect(text.lowercasedASCII == "az[`{\u{E9}\u{C9}" && text.uppercasedASCII == "AZ[`{\u{E9}\u{C9}")
    }

    @Test func `text of files stays as it is within other text`() {
        let invalid = FileText([0x80, 0])
        #expect(("<\(invalid)|\(12)>" as FileText).bytes == [0x3C, 0x80, 0, 0x7C, 0x31, 0x32, 0x3E])
    }

    @Test(
        arguments: [
            ("abc", 3, "abc"), ("abcd", 3, "abc…"), ("ab\u{E9}", 3, "ab…"), ("a\u{1F600}b", 4, "a…"),
            (FileText([0x61, 0xFF, 0x62]), 3, "a\u{FFFD}b"), ("", 0, ""), ("a", 0, "…"),
        ] as [(FileText, Int, String)])
    func `a text is cut between characters`(text: FileText, limit: Int, shown: String) {
        #expect(text.string(limit: limit) == shown)
    }

    @Test func `control characters are escaped where a text is shown`() {
        let text = FileText("a\u{1B}[1m\n\u{202E}b")
        #expect("\(text)" == printable("a\u{1B}[1m\n\u{202E}b") && !"\(text)".unicodeScalars.contains(where: isControl))
        #expect(FileText(String(repeating: "ab", count: 50)).shown(10) == "ababababab…")
        #expect(quoted(FileText(String(repeating: "a", count: 60))) == "'\(String(repeating: "a", count: 60))'")
        #expect(quoted(FileText(String(repeating: "a", count: 61))) == "'\(String(repeating: "a", count: 60))…'")
    }

    /// Texts whose characters Swift can only separate, sort or count together.
    private static let hostile = [
        "\u{301}", "\u{301}\u{323}", "\u{1F1E6}", "\u{200D}", "\u{1F469}\u{200D}", "\u{1100}", "\u{600}", "\u{202E}",
        "\u{FE0F}", "\u{94D}", "\u{1F3FB}",
    ]

    @Test(arguments: hostile)
    func `a long run of joined characters is compared, searched and shown at once`(unit: String) {
        let text = FileText("a" + String(repeating: unit, count: 100_000))
        let began = ContinuousClock.now
        #expect(Set([text, text + "b", "b" + text]).count == 3 && !text.contains("b") && text != text + "b")
        let shown = text.string()
        #expect(shown.utf8.count <= FileText.shownBytes + 3 && !FileText.hasLongChain(shown.unicodeScalars))
        // What is shown is used like any text.
        #expect(Set([shown, shown + "b"]).count == 2 && shown < shown + "b" && shown.lastIndex(of: "b") == nil)
        #expect(!shown.hasSuffix("b") && shown.split(separator: "b").count == 1 && !shown.lowercased().isEmpty)
        #expect("\(text)".unicodeScalars.count < 10 * 200)
        #expect(ContinuousClock.now - began < .seconds(2))
    }

    @Test(arguments: ["\u{301}", "\u{1F1E6}", "\u{200D}"])
    func `thirty joined characters in a row stay, and more are left out`(mark: String) {
        func text(_ count: Int) -> String { "a" + String(repeating: mark, count: count) + "b" }
        #expect(FileText(text(30)).string() == text(30) && !FileText.hasLongChain(text(30).unicodeScalars))
        #expect(FileText(text(31)).string() == text(30) && FileText.hasLongChain(text(31).unicodeScalars))
    }

    /// Korean, as macOS spells the names of files.
    @Test func `a long word in letters that form syllables stays`() {
        let word = String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 40)
        #expect(Array(FileText(word).string().unicodeScalars) == Array(word.unicodeScalars))
    }
}
