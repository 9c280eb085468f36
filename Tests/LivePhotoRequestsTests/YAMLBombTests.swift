import LivePhotoRequests
import Testing

private func read(_ text: String) throws(LivePhotoError) -> YAMLNode {
    try YAMLNode(yaml: Array(text.utf8), file: "job.yaml")
}

/// Documents that would take much time or memory if they were read.
@Suite(.timeLimit(.minutes(1))) struct YAMLBombTests {
    @Test func `nested aliases are refused before they are expanded, as values and as keys`() {
        var bomb = "l0: &l0 [x, x]\n"
        for level in 1...40 {
            bomb += "l\(level): &l\(level) [*l\(level - 1), *l\(level - 1)]\n"
        }
        for text in [bomb, bomb + "{*l40 : 1}: 2\n", bomb + "? *l40\n: 1\n"] {
            let error = #expect(throws: LivePhotoError.self) { try read(text) }
            #expect(error?.code == .syntax)
        }
    }

    @Test(arguments: ["[", "{", "{a: ", "- ", "? ", "[{? ", "- - [", "[\n", "&a [", "!x {"])
    func `endless nesting is refused`(opening: String) {
        let text = String(repeating: opening, count: 100_000 / opening.utf8.count)
        #expect(throws: LivePhotoError.self) { try read(text) }
    }

    @Test func `33 levels are one too many`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(try read(nested(32)).path.isEmpty)
        let error = #expect(throws: LivePhotoError.self) { try read(nested(33)) }
        #expect(error?.code == .overLimit)
        #expect(error?.description == "job.yaml:1:33: nested too deeply")
    }

    /// Text of a mebibyte that is hard for a scanner; each has a limit of time for all.
    @Test(arguments: [
        "[a, ", "a: b\n", "'", "\" ", "a: |\n  b\n", "# c\n", "? ", "[a]: ", "%", "\t", "a:\n- b\n- ", "{a: b}, ",
        "%YAML 1.2\n", "---\n", "...\n", "&a ", "!x ", "\r",
    ])
    func `a long text is read or refused in a time that grows with its length`(part: String) {
        let text = String(repeating: part, count: (1 << 20) / part.utf8.count)
        let began = ContinuousClock.now
        for document in [text, "x: [" + text, "x: \"" + text] { _ = try? read(document) }
        #expect(ContinuousClock.now - began < .seconds(10))
    }

    @Test(arguments: ["", "---\n", "a: 1\n", "a: 1\n...\n"])
    func `thousands of %TAG directives are refused at the first one`(start: String) {
        let text = start + (0..<40_000).map { "%TAG !\($0)! b\n" }.joined() + "---\na: 1\n"
        let began = ContinuousClock.now
        let error = #expect(throws: LivePhotoError.self) { try read(text) }
        #expect(error?.description.contains("%TAG is not read") == true)
        #expect(ContinuousClock.now - began < .seconds(1))
    }

    @Test(arguments: [
        ("a: x", "\u{323}\u{301}", "", 4), ("? x", "\u{323}\u{301}", "\n: 1", 3), ("[", "\u{323}", "]", 2),
        (#"a: ""#, #"\u0323\u0301"#, #"""#, 4), (#"{"a"#, #"\u0323\u0301"#, #"": 1}"#, 2),
    ])
    func `thousands of combining characters in a row are refused before they are compared`(
        start: String, accents: String, end: String, column: Int
    ) {
        let began = ContinuousClock.now
        let error = #expect(throws: LivePhotoError.self) {
            try read(start + String(repeating: accents, count: 50_000) + end)
        }
        #expect(error?.code == .overLimit)
        #expect(error?.description == "job.yaml:1:\(column): more than 30 combining characters in a row")
        #expect(ContinuousClock.now - began < .seconds(5))
    }

    @Test func `long keys within keys are refused before they are read again and again`() {
        let list = "[" + String(repeating: "a,", count: 300_000) + "]"
        let explicit = String(repeating: "{? ", count: 900) + list + String(repeating: "}", count: 900)
        #expect(throws: LivePhotoError.self) { try read(explicit) }

        // An implicit key has up to 1,024 characters.
        let key = String(repeating: "{", count: 150) + "a" + String(repeating: ": 1}", count: 150)
        let implicit = String(repeating: "- {\(key): 1}\n", count: 1_000)
        #expect(throws: LivePhotoError.self) { try read(implicit) }
        let afterWord = "a]: {\(key): 1}\n"
        #expect(throws: LivePhotoError.self) { try read(afterWord) }
    }
}
