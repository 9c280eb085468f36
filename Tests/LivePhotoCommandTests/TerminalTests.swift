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
    private func onTerminal(_ command: String, columns: Int = 80) throws -> String {
        let line = "stty cols \(columns); \(command)".replacing("$0", with: "'\(Program.livephoto.path)'")
        let outcome = try Program.system("script", ["-qec", line, "/dev/null"], in: folder.url)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    @Test func `a terminal sees a bar grow to the last frame, and then go`() throws {
        let seen = try onTerminal("$0 convert beach.mp4 -o out >printed")
        let lines = seen.split(separator: "\r", omittingEmptySubsequences: false)
        let numbers = lines.compactMap {
            $0.wholeMatch(of: /beach\.mp4 [━ ]+ ([0-9]+)\/45 frames/).flatMap { Int($0.1) }
        }
        #expect(numbers.contains { $0 < 45 } && numbers == numbers.sorted())
        #expect(lines.contains { $0.hasSuffix("━ 45/45 frames") })
        #expect(lines.last == "\u{1B}[K")
        #expect(try text("printed") == "out/beach.JPG\nout/beach.MOV\n")
    }

    @Test(arguments: [1, 12, 30, 50, 79, 200]) func `the bar never wraps`(columns: Int) throws {
        let name = String(repeating: "é", count: 100) + ".mp4"
        try FileManager.default.moveItem(atPath: folder.path("beach.mp4"), toPath: folder.path(name))
        let seen = try onTerminal("$0 convert *.mp4 -o out >printed", columns: columns)
        let widest = seen.split(separator: "\r").map(\.count).max() ?? 0
        #expect(widest < max(columns, 13) && widest > 10)
    }

    @Test func `without a terminal there is no bar`() throws {
        #expect(try onTerminal("$0 convert beach.mp4 -o out 2>said") == "out/beach.JPG\r\nout/beach.MOV\r\n")
        #expect(try text("said").isEmpty)
    }

    @Test func `an error takes the bar away and stands on a line of its own`() throws {
        let seen = try onTerminal("$0 convert beach.mp4 -o out --still 9 || true")
        let error = "error: beach.mp4: the still time 9 s lies outside the clip, which lasts 4 s\r\n"
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
