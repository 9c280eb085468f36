import Foundation
import TestSupport
import Testing

/// What is shown to a person at a terminal, and what is not where there is none.
@Suite struct TerminalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: try SampleClips.beach(), toPath: folder.path("beach.mp4"))
    }

    /// What a terminal receives of a command line in which `livephoto` is written `$0`.
    ///
    /// - Parameter environment: assignments in addition to those of an ordinary terminal.
    private func onTerminal(_ command: String, columns: Int = 80, environment: String = "") throws -> String {
        let variables = "unset NO_COLOR; export TERM=xterm LC_ALL=C.UTF-8 \(environment)"
        let line = "stty cols \(columns); \(variables); \(command)"
            .replacing("$0", with: "'\(Program.livephoto.path)'")
        let outcome = try Program.system("script", ["-qec", line, "/dev/null"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    @Test func `a terminal sees a bar grow to the last frame, and then go`() throws {
        let seen = try onTerminal("$0 convert beach.mp4 -o out >printed")
        let lines = bars(seen)
        let numbers = lines.compactMap {
            $0.wholeMatch(of: /beach\.mp4 [━ ]+ ([0-9]+)\/45 frames(?:, [0-9]+ s left)?/).flatMap { Int($0.1) }
        }
        #expect(numbers.contains { $0 < 45 } && numbers == numbers.sorted())
        #expect(lines.contains { $0.hasSuffix("━ 45/45 frames") })
        #expect(seen.hasSuffix("\r\(Self.erase)"))
        #expect(try text("printed") == "out/beach.JPG\nout/beach.MOV\n")
    }

    /// The lines that were drawn over each other.
    private func bars(_ seen: String) -> [String] {
        seen.split(separator: "\r").map { String($0).replacing(Self.erase, with: "") }
    }

    /// Erases the rest of the line.
    private static let erase = "\u{1B}[K"

    /// - Parameter width: columns of a character of the name.
    @Test(
        arguments: zip(
            [1, 12, 30, 50, 79, 200],
            [("é", 1), ("浜", 2), ("한", 2), ("浜", 2), ("e\u{301}", 1), ("🌊", 2)] as [(String, Int)]))
    func `the bar never wraps`(columns: Int, letter: (text: String, width: Int)) throws {
        let name = String(repeating: letter.text, count: 60) + ".mp4"
        try FileManager.default.moveItem(atPath: folder.path("beach.mp4"), toPath: folder.path(name))
        let seen = try onTerminal("$0 convert *.mp4 -o out >printed", columns: columns)
        let widths = bars(seen).map { line in
            line.reduce(0) { $0 + (String($1) == letter.text ? letter.width : 1) }
        }
        let widest = widths.max() ?? 0
        #expect(widest < max(columns, 13) && widest > 10, "\(seen)")
        // A cut name ends with a whole character.
        if columns >= 79 {
            let start = String(repeating: letter.text, count: 29 / letter.width) + "… "
            #expect(bars(seen).contains { $0.hasPrefix(start) }, "\(seen)")
        }
    }

    @Test func `the bar is ASCII where the locale is not UTF-8`() throws {
        try FileManager.default.moveItem(atPath: folder.path("beach.mp4"), toPath: folder.path("浜.mp4"))
        for locale in ["C", "de_DE.ISO-8859-1"] {
            let seen = try onTerminal("$0 convert *.mp4 -o out -f >printed", environment: "LC_ALL=\(locale)")
            #expect(seen.unicodeScalars.allSatisfy(\.isASCII) && seen.contains("?.mp4 #"), "\(seen)")
        }
        // A locale that is not installed is judged by its name.
        let seen = try onTerminal("$0 convert *.mp4 -o out -f >printed", environment: "LC_ALL=xx_YY.UTF-8")
        #expect(seen.contains("浜.mp4 ━"), "\(seen)")
    }

    @Test func `a terminal that understands no escape sequences gets none`() throws {
        for name in ["dumb", ""] {
            let seen = try onTerminal(
                "$0 convert beach.mp4 -o out -f >printed; $0 convert gone.mp4 || true", environment: "TERM=\(name)")
            #expect(seen == "error: gone.mp4: no such file\r\n")
        }
    }

    @Test func `the words error and warning have a colour on a terminal, unless NO_COLOR is set`() throws {
        let slow = try SampleClips.moving("slow.mp4", rate: "5", seconds: 1, sound: nil)
        let command = "$0 convert '\(slow)' -o out -f --progress none >printed; $0 convert gone.mp4 || true"
        let warning = ": the clip has only 5 fps; its frames are kept as they are\r\n"
        let error = ": gone.mp4: no such file\r\n"
        #expect(
            try onTerminal(command) == "\u{1B}[1;33mwarning:\u{1B}[m\(warning.dropFirst())"
                + "\u{1B}[1;31merror:\u{1B}[m\(error.dropFirst())")
        #expect(try onTerminal(command, environment: "NO_COLOR=1") == "warning\(warning)error\(error)")
        // An empty value counts as not set.
        #expect(try onTerminal(command, environment: "NO_COLOR=").contains("\u{1B}[1;31merror:"))
        #expect(try onTerminal("$0 convert gone.mp4 2>said || true").isEmpty)
        #expect(try text("said") == "error\(error.replacing("\r\n", with: "\n"))")
    }

    @Test func `names of files cannot control a terminal, wherever they are printed`() throws {
        try FileManager.default.moveItem(
            atPath: folder.path("beach.mp4"), toPath: folder.path("b\u{1B}[31m\u{202E}.mp4"))
        let seen = try onTerminal(
            "$0 convert *.mp4 -o out --progress none; $0 inspect out/*.JPG; $0 verify out; $0 convert *.mp4 -n -o new")
        #expect(
            !seen.replacing(Self.erase, with: "").contains("\u{1B}") && !seen.unicodeScalars.contains("\u{202E}"),
            "\(seen)")
        #expect(seen.contains(#"out/b\u{1B}[31m\u{202E}.JPG + b\u{1B}[31m\u{202E}.MOV: 3.0 s"#), "\(seen)")
    }

    @Test func `a line end in the name of a file cannot begin a line on a terminal`() throws {
        try FileManager.default.moveItem(atPath: folder.path("beach.mp4"), toPath: folder.path("b\nerror: fake.mp4"))
        let seen = try onTerminal(
            "$0 convert *.mp4 -o out; $0 convert *.mp4 -o out -f --quiet; $0 convert *.mp4 -n -o new")
        let lines = seen.replacing(Self.erase, with: "").split { $0.isNewline }
        #expect(!lines.contains { $0.hasPrefix("error") }, "\(seen)")
        let name = #"b\nerror: fake"#
        for line in [
            "out/\(name).JPG + \(name).MOV: 3.0 s", "out/\(name).MOV", "files: new/\(name).JPG, new/\(name).MOV",
            "clip: \(name).mp4, 4 s",
        ] {
            #expect(lines.contains { $0.contains(line) }, "\(seen)")
        }
    }

    @Test func `a terminal sees what came out, in place of the paths`() throws {
        let date = "-metadata creation_time=2025-10-12T10:36:14Z"
        let hdr = try SampleClips.make(
            "hdr.mp4",
            "-f lavfi -i testsrc2=size=1280x720:rate=30:duration=0.5 -c:v libx264 -preset ultrafast -pix_fmt yuv420p10le"
                + " -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc \(date)")
        let still = /still at [0-9]\.[0-9]{2} s/
        let seen = try onTerminal("$0 convert '\(hdr)' -o out 2>said")
        #expect(
            seen.replacing(still, with: "STILL").wholeMatch(
                of:
                    /out\/hdr.JPG \+ hdr.MOV: 0.5 s, 15 of 30 fps, 720p, [0-9.]+ [kM]B; STILL; HDR tone-mapped; date from the clip\r\n/
            )
                != nil, "\(seen)")
        let command =
            "$0 convert beach.mp4 --start 1 --end 2.5 --still 2 --fps 30 --date 2025-10-12T23:36:14+13:00 2>said"
        #expect(
            try onTerminal(command).wholeMatch(
                of:
                    /beach.JPG \+ beach.MOV: 1.5 s, 30 fps, 320x180, [0-9.]+ [kM]B; still at 1.00 s \(2.00 s of the clip\); date as given\r\n/
            )
                != nil)
        #expect(try onTerminal("$0 convert beach.mp4 -f 2>said").hasSuffix("; no date\r\n"))
        #expect(try onTerminal("$0 convert beach.mp4 --force --quiet") == "beach.JPG\r\nbeach.MOV\r\n")
    }

    @Test func `without a terminal there is no bar`() throws {
        for form in ["", "--progress bar", "--progress none", "--quiet"] {
            #expect(try onTerminal("$0 convert beach.mp4 -o out -f \(form) 2>said >printed").isEmpty)
            #expect(try text("said").isEmpty)
            #expect(try text("printed") == "out/beach.JPG\nout/beach.MOV\n")
        }
    }

    @Test func `an error takes the bar away and stands on a line of its own`() throws {
        let seen = try onTerminal("$0 convert beach.mp4 -o out --still 9 || true")
        let error =
            "\u{1B}[1;31merror:\u{1B}[m beach.mp4: the still time 9 s lies outside the clip, which lasts 4 s; "
            + "use at most 4 s\r\n"
        #expect(seen.hasSuffix(error) && !seen.contains("━"))
    }

    @Test(arguments: HelpTests.commands) func `help is no wider than reads well`(command: [String]) throws {
        let help = "$0 \(command.joined(separator: " ")) --help"
        let wide = try onTerminal(help, columns: 250).split(separator: "\r\n")
        #expect(wide.allSatisfy { $0.count <= 100 })
        let narrow = try onTerminal(help, columns: 60).split(separator: "\r\n")
        #expect(narrow.count >= wide.count)
    }

    @Test func `a pipe that is closed early leaves no work in progress`() throws {
        let outcome = try Program.system(
            "bash", ["-c", "'\(Program.livephoto.path)' convert -v beach.mp4 -o out 2>&1 | head -n 1"], in: folder.url)
        #expect(outcome.output.contains("livephoto.libav"))
        #expect(folder.contents == ["beach.mp4", "out", "out/beach.JPG", "out/beach.MOV"])
    }
}
