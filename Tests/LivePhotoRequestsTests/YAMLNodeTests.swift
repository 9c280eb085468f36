import LivePhotoRequests
import TestSupport
import Testing

private func read(_ text: String) throws(LivePhotoError) -> YAMLNode {
    try YAMLNode(yaml: Array(text.utf8), file: "job.yaml")
}

/// A node as one line, for comparing.
private func flat(_ node: YAMLNode) -> String {
    switch node.content {
    case .null: "null"
    case .text(let text): "<\(text)>"
    case .list(let nodes): "[" + nodes.map(flat).joined(separator: ",") + "]"
    case .mapping(let entries): "{" + entries.map { "\($0.key):\(flat($0.value))" }.joined(separator: ",") + "}"
    }
}

private let documents: [(yaml: String, flat: String)] = [
    ("a: 1\nb: [x, 'y', \"z\"]", "{a:<1>,b:[<x>,<y>,<z>]}"),
    (#"{"a": {"b": [1, null, true]}}"#, "{a:{b:[<1>,null,<true>]}}"),
    ("a:\nb: ~\nc: null\nd: 'null'\ne: ''\nf: Null\ng: nUll", "{a:null,b:null,c:null,d:<null>,e:<>,f:null,g:<nUll>}"),
    (
        "a: 012\nb: 1:30\nc: 1e3\nd: no\ne: 2025-01-01\nf: 0x10",
        "{a:<012>,b:<1:30>,c:<1e3>,d:<no>,e:<2025-01-01>,f:<0x10>}"
    ),
    ("a: |\n  one\n  two\n", "{a:<one\ntwo\n>}"),
    ("\u{FEFF}a: 1", "{a:<1>}"),
    ("a: 1\r\nb: 2\r\n", "{a:<1>,b:<2>}"),
    ("--- \na: 1\n...\n", "{a:<1>}"),
    // Signs that are text where they stand.
    (
        "a: R&B *bold* why?\nb: '*x'\nc: \"&x\"\nd: x ? y\n# &anchor *alias ? key\n",
        "{a:<R&B *bold* why?>,b:<*x>,c:<&x>,d:<x ? y>}"
    ),
    ("{\"a]: b\": '}: ', c: \"[x]: y\"}", "{a]: b:<}: >,c:<[x]: y>}"),
    ("a: é日本🎈", "{a:<é日本🎈>}"),
    ("a: <<\n<<: 1", "{a:<<<>,<<:<1>}"),
    ("b[1]: 2\n? c\n: ?x", "{b[1]:<2>,c:<?x>}"),
    (#"a: "x\0y""#, "{a:<x\0y>}"),
    ("---", "null"),
    ("%YAML 1.2\n---\na: '\n %TAG'\nb: x %TAG", "{a:< %TAG>,b:<x %TAG>}"),
    ("a\(accents)b\(accents): \(accents)c", "{a\(accents)b\(accents):<\(accents)c>}"),
]

/// As many combining characters as may be in a row.
private let accents = String(repeating: "\u{323}\u{301}", count: 15)

/// What is wrong with a document, its code, and the message with its place.
private let damaged: [(yaml: String, code: LivePhotoError.Code, message: String)] = [
    ("", .syntax, "job.yaml: the file is empty"),
    ("\n  \n# only a comment\n", .syntax, "job.yaml: the file is empty"),
    (
        "a: 'open", .syntax,
        "job.yaml:1:9: not valid YAML: found unexpected end of stream (while scanning a quoted scalar that began at 1:4)"
    ),
    (
        "a: 1\nb: [1, 2\nc: 3\n", .syntax,
        "job.yaml:3:2: not valid YAML: did not find expected ',' or ']' (while parsing a flow sequence that began at 2:4)"
    ),
    (
        "a: 1\n\tb: 2\n", .syntax,
        "job.yaml:2:1: not valid YAML: found a tab character that violates indentation (while scanning a plain scalar that began at 1:4)"
    ),
    ("a: b: c", .syntax, "job.yaml:1:5: not valid YAML: mapping values are not allowed in this context"),
    (
        "a: 1\n---\nb: 2\n", .syntax,
        "job.yaml:2:1: a second document begins here; only one is read"
    ),
    ("a: 1\nb: 2\na: 3\n", .duplicateKey, "job.yaml:1:1: 'a' given more than once"),
    ("a: 1\nb: {c: 1, 'c': 2}\n", .duplicateKey, "job.yaml:2:5: 'c' given more than once"),
    (
        "a: &x 1\nb: 2", .syntax,
        "job.yaml:1:4: anchors (&) and aliases (*) are not read; write the value out, or quote it if it is text"
    ),
    (
        "a: *x", .syntax,
        "job.yaml:1:4: anchors (&) and aliases (*) are not read; write the value out, or quote it if it is text"
    ),
    (
        "clips:\n  - *.mp4", .syntax,
        "job.yaml:2:5: anchors (&) and aliases (*) are not read; write the value out, or quote it if it is text"
    ),
    (
        "a: 1\n? *x\n: 2", .syntax,
        "job.yaml:2:3: anchors (&) and aliases (*) are not read; write the value out, or quote it if it is text"
    ),
    (
        "a: 1\n<<: &x\n  b: 2", .syntax,
        "job.yaml:2:5: anchors (&) and aliases (*) are not read; write the value out, or quote it if it is text"
    ),
    ("a: !!int 5", .syntax, "job.yaml:1:4: tags (!) are not read; leave it out"),
    ("a: !x {b: 1}", .syntax, "job.yaml:1:4: tags (!) are not read; leave it out"),
    ("a: ! [b]", .syntax, "job.yaml:1:4: tags (!) are not read; leave it out"),
    ("a: !!str 'b'", .syntax, "job.yaml:1:4: tags (!) are not read; leave it out"),
    ("!x a: 1", .syntax, "job.yaml:1:1: tags (!) are not read; leave it out"),
    (
        "%TAG ! tag:x,2000:\n---\na: !y 1", .syntax,
        "job.yaml:1:1: %TAG is not read; leave the line out, or indent it if it is text"
    ),
    (
        "a: 1\u{2028}%TAG ! b\n---\n", .syntax,
        "job.yaml:2:1: %TAG is not read; leave the line out, or indent it if it is text"
    ),
    ("%YAML 3.0\n---\na: 1", .syntax, "job.yaml:1:1: not valid YAML: found incompatible YAML document"),
    ("[a, b]: 1", .syntax, "job.yaml:1:1: a key has to be a word; quote this if it is text"),
    ("a: 1\n? {b: 1}\n: 2", .syntax, "job.yaml:2:3: a key has to be a word; quote this if it is text"),
    ("a: 1\nb: \u{7}", .syntax, #"job.yaml:2:4: the character \u{07} is not allowed"#),
    ("a: \u{0}", .syntax, #"job.yaml:1:4: the character \0 is not allowed"#),
    ("a: x\u{FEFF}", .syntax, #"job.yaml:1:5: the character \u{FEFF} is not allowed"#),
]

@Suite struct YAMLNodeTests {
    @Test(arguments: documents) func `a document becomes texts, lists and mappings; only nothing is typed`(
        yaml: String, expected: String
    ) throws {
        #expect(try flat(read(yaml)) == expected)
    }

    @Test(arguments: damaged) func `a document that cannot be read says where`(
        yaml: String, code: LivePhotoError.Code, message: String
    ) {
        let error = #expect(throws: LivePhotoError.self) { try read(yaml) }
        #expect(error?.code == code)
        #expect(error?.description == message)
    }

    @Test func `each value knows its place and the keys that lead to it`() throws {
        let root = try read("défaut: {é: 1}\njobs:\n  - clip: a.mov\n  - clip: [b]\n")
        var found: [String] = []
        func collect(_ node: YAMLNode) {
            found.append("\(node.path) \(node.place.line):\(node.place.column)")
            switch node.content {
            case .null, .text: break
            case .list(let nodes): nodes.forEach(collect)
            case .mapping(let entries): entries.map(\.value).forEach(collect)
            }
        }
        collect(root)
        #expect(
            found == [
                " 1:1", "défaut 1:9", "défaut.é 1:13", "jobs 3:3", "jobs[0] 3:5", "jobs[0].clip 3:11", "jobs[1] 4:5",
                "jobs[1].clip 4:11", "jobs[1].clip[0] 4:12",
            ])
    }

    @Test(
        arguments: [
            [0x61, 0x3A, 0x0A, 0xC3], [0x61, 0x3A, 0x0A, 0xFF], [0x61, 0x3A, 0x0A, 0xED, 0xA0, 0x80],
            [0x61, 0x3A, 0x0A, 0xC0, 0x80],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused at their place`(bytes: [UInt8]) {
        let error = #expect(throws: LivePhotoError.self) { try YAMLNode(yaml: bytes, file: "job.yaml") }
        #expect(error?.description == "job.yaml:2:1: the file is not text in UTF-8")
    }

    @Test func `errors and places count the lines before a text`() throws {
        func read(_ text: String) throws -> YAMLNode {
            try YAMLNode(yaml: Array(text.utf8), file: "jobs.jsonl", linesBefore: 6)
        }
        let place = try read("{a: 1}").place
        #expect((place.line, place.column) == (7, 1))
        for (text, message) in [
            ("{a: \u{7}}", #"jobs.jsonl:7:5: the character \u{07} is not allowed"#),
            ("{a: *x}", "jobs.jsonl:7:5: anchors"),
            ("{a: [1}", "(while parsing a flow sequence that began at 7:5)"),
        ] {
            let error = #expect(throws: LivePhotoError.self) { try read(text) }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test(arguments: ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"])
    func `all errors count lines in the same way, whatever ends a line`(lineBreak: String) {
        for text in ["\u{7}", "*x", "!x y"] {
            let error = #expect(throws: LivePhotoError.self) {
                try read("# é\(lineBreak)a: 1\(lineBreak)\(lineBreak)b: \(text)")
            }
            #expect(error?.description.hasPrefix("job.yaml:4:4: ") == true, "\(error?.description ?? "")")
        }
    }

    @Test func `UTF-16 is refused`() {
        #expect(throws: LivePhotoError.self) { try YAMLNode(yaml: [0xFF, 0xFE, 0x61, 0], file: "job.yaml") }
    }

    @Test func `a document of up to a mebibyte is read`() throws {
        let limit = 1 << 20
        let fitting = "a: " + String(repeating: "x", count: limit - 3)
        #expect(try read(fitting).path.isEmpty)
        let error = #expect(throws: LivePhotoError.self) { try read(fitting + "x") }
        #expect(error?.code == .overLimit)
        #expect(error?.description == "job.yaml: the file is larger than 1048576 bytes")
    }

    @Test func `every part of a document is read or refused, and none crashes`() {
        let whole = Array(#"{"a": [1, "é\u00e9", 'b', !t x, &y z], c: {d: |-"#.utf8) + Array("\n  *y ? : -\n".utf8)
        for count in 0...whole.count {
            _ = try? YAMLNode(yaml: Array(whole.prefix(count)), file: "job.yaml")
            _ = try? YAMLNode(yaml: Array(whole.suffix(count)), file: "job.yaml")
        }
    }

    @Test(.seeded) func `random text of YAML's signs is read or refused, and never crashes`() throws {
        var random = SeededGenerator()
        let parts = [
            "[", "]", "{", "}", ",", ":", ": ", "- ", "? ", "&a", "*a", "!", "!!str ", "|", ">", "|2-", "'", "\"", "\\",
            "\\x41", "\\u00e9", "%YAML 1.1\n", "%TAG ! !\n", "---\n", "...\n", "#", " ", "  ", "\t", "\n", "\r\n", "a",
            "null", "~", "é", "🎈", "\u{85}", "\u{2028}", "<<", "@", "`",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 1...24, using: &random)).compactMap { _ in
                parts.randomElement(using: &random)
            }.joined()
            guard let node = try? read(text) else { continue }
            // What was read can be written and read again.
            #expect(try flat(read(node.json)) == flat(node), "\(text.debugDescription)")
        }
    }
}
