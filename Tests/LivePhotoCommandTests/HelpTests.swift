import Foundation
import TestSupport
import Testing
import livephoto

/// What help and version print.
@Suite struct HelpTests {
    static let commands = [
        [], ["convert"], ["frames"], ["batch"], ["batch", "report"], ["inspect"], ["verify"], ["edit"], ["link"],
        ["unlink"], ["undo"], ["import"], ["pack"], ["extract"], ["share"], ["studio"], ["preview"], ["export"],
        ["presets"],
        ["presets", "list"],
        ["presets", "show"], ["presets", "check"], ["presets", "keys"],
        ["doctor"], ["completions"], ["manual"],
    ]

    /// The command lines at the end of a command's help.
    private static func examples(_ command: [String]) throws -> [String] {
        let help = try Program.livephoto(command + ["--help"]).output
        let block = try #require(help.components(separatedBy: "\n\nExamples:\n").dropFirst().last)
        return block.split(separator: "\n").map { String($0) }
    }

    @Test(arguments: commands) func `each command's help ends with examples`(command: [String]) throws {
        let help = try Program.livephoto(command + ["--help"])
        #expect(help.status == 0 && help.errors.isEmpty)
        #expect(help.output.hasPrefix("OVERVIEW: ") && help.output.contains("\nUSAGE: livephoto"))
        let examples = try Self.examples(command)
        #expect(examples.count >= 2 && examples.allSatisfy { $0.hasPrefix("  livephoto") && $0.count <= 80 })
        #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try Program.livephoto(["help"] + command).output == help.output)
    }

    @Test(arguments: commands) func `-h is one screen with the options that matter most`(command: [String]) throws {
        let short = try Program.livephoto(command + ["-h"]).output
        let lines = short.split(separator: "\n", omittingEmptySubsequences: false)
        let full = Set(try Program.livephoto(command + ["--help"]).output.split(separator: "\n"))
        #expect(command.isEmpty || lines.count <= 45, "\(lines.count) lines")
        #expect(lines.count { $0.hasPrefix("  -") } <= 10 && lines.allSatisfy { $0.count <= 80 })
        #expect(short.contains("\nUSAGE: livephoto") && short.contains("\n\nExamples:\n  livephoto"))
        let options = lines.filter { $0.hasPrefix("  -") }
        #expect(options.allSatisfy { full.contains($0) })
    }

    @Test(arguments: commands) func `the help lists each option of the parser once, in one group`(command: [String])
        throws
    {
        let help = try Program.livephoto(command + ["--help"]).output
        let description = try #require(CommandDescription.program().command(command))
        for option in description.arguments where option.isVisible && !option.names.isEmpty {
            let name = try #require(option.names.first { $0.hasPrefix("--") })
            let uses = help.matches(of: try Regex("(?m)^  (-., )?\(name)( |$)"))
            #expect(uses.count == 1, "\(name)")
        }
    }

    @Test(arguments: [
        ["convert", "beach.mp4", "--help"], ["convert", "--still", "--help"], ["convert", "--help", "--stil"],
    ])
    func `help comes before everything else that the line says`(arguments: [String]) throws {
        #expect(try Program.livephoto(arguments).output == Program.livephoto("convert", "--help").output)
    }

    @Test func `without arguments the program shows its help`() throws {
        let outcome = try Program.livephoto()
        let help = try Program.livephoto("--help").output
        #expect(outcome.status == 0 && outcome.output == help)
    }

    @Test func `two dashes alone are no arguments`() throws {
        let outcome = try Program.livephoto("--")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try outcome.output == Program.livephoto("--help").output)
    }

    @Test(arguments: commands) func `help with hidden options has all of the help`(command: [String]) throws {
        let outcome = try Program.livephoto(command + ["--help-hidden"])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = Set(outcome.output.split(separator: "\n"))
        let help = try Program.livephoto(command + ["--help"]).output
        // The usage names hidden options too.
        #expect(help.split(separator: "\n").filter { !lines.contains($0) && !$0.hasPrefix("USAGE: ") } == [])
    }

    @Test(arguments: [
        (["--generate-completion-script", "bash"], "#!/bin/bash\n"),
        (["convert", "--generate-completion-script", "zsh"], "#compdef livephoto\n"),
        (["--generate-completion-script=fish"], "function __livephoto_"),
        (["--experimental-dump-help"], "{\n"),
    ])
    func `the options of every program with ArgumentParser print what they promise`(
        arguments: [String], start: String
    ) throws {
        let outcome = try Program.livephoto(arguments)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.hasPrefix(start) && outcome.output.count > 10_000, "\(outcome.output.prefix(100))")
    }

    @Test(arguments: [
        ("help convert bogus", "unexpected argument 'bogus' after 'livephoto help convert'"),
        ("help presets show bogus", "unexpected argument 'bogus' after 'livephoto help presets show'"),
        ("help convert --bogus", "unexpected argument '--bogus' after 'livephoto help convert'"),
        ("help --bogus", "unexpected argument '--bogus' after 'livephoto help'"),
        ("help bogus", "'bogus' is not a command of livephoto; there are convert, "),
        ("--generate-completion-script tcsh", "an't generate completion scripts for 'tcsh'"),
    ])
    func `help and scripts for what does not exist are errors`(line: String, sentence: String) throws {
        let arguments = line.split(separator: " ").map { String($0) }
        try expectFailure(arguments, in: TemporaryFolder(), 64, sentence)
    }

    @Test(arguments: commands) func `the examples work as they are written`(command: [String]) throws {
        let folder = try TemporaryFolder()
        let clip = try SampleClips.moving("concert.mp4", size: "64x64", rate: "24", seconds: 100, sound: nil)
        for (number, example) in try Self.examples(command).enumerated() {
            let home = folder.url.appendingPathComponent("\(number)")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
            let isOfClips = ["convert", "batch", "frames", "share beach.mp4", "studio beach.mp4"].contains {
                example.contains($0)
            }
            try FileManager.default.createDirectory(
                at: home.appendingPathComponent("Clips"), withIntermediateDirectories: false)
            for name in ["beach.mp4", "concert.mkv", "Clips/beach.mp4"] where isOfClips {
                try FileManager.default.copyItem(atPath: clip, toPath: home.appendingPathComponent(name).path)
            }
            if !isOfClips { try Self.addPair(to: home) }
            if example.contains("jobs.yaml") {
                let text = "version: 1\njobs:\n  - input: beach.mp4\n"
                try Data(text.utf8).write(to: home.appendingPathComponent("jobs.yaml"))
            }
            if example.contains("check") {
                let text = "name: mine\nextends: compact\n"
                try Data(text.utf8).write(to: home.appendingPathComponent("mine.yaml"))
            }
            if example.contains("batch report") { try Self.addReports(to: home) }
            try Self.addFiles(of: example, to: home)
            if example.contains("undo --import") {
                _ = try Program.livephoto(["import", "Pictures", "--output", "Library"], in: home)
            } else if example.contains("undo") {
                for pair in ["beach.JPG", "Pictures/beach.JPG"] {
                    _ = try Program.livephoto(["edit", pair, "--no-audio", "--in-place"], in: home)
                }
            }
            let path = Program.livephoto.deletingLastPathComponent().path
            // Both end when everything is done; here they are stopped.
            let isEndless = ["livephoto share", "livephoto studio"].contains { example.contains($0) }
            let limit = isEndless ? ["timeout", "--preserve-status", "--signal=INT", "5"] : []
            let outcome = try Program.system(
                "env", ["HOME=\(home.path)", "PATH=\(path):/usr/bin:/bin"] + limit + ["bash", "-c", example], in: home)
            // How many pairs there were is said beside the results.
            let hasComplaints = outcome.errors.contains("error") || outcome.errors.contains("warning")
            let isStopped = example.contains("livephoto share")
            #expect(outcome.status == (isStopped ? 130 : 0) && !hasComplaints, "\(example): \(outcome.errors)")
            #expect(!isEndless || outcome.output.contains("://"), "\(example)")
        }
    }

    /// The files that examples of other commands than `convert` name.
    private static func addPair(to home: URL) throws {
        try SamplePair.copyConverted(to: home, withMotionPhoto: true)
        let pictures = home.appendingPathComponent("Pictures")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: false)
        try SamplePair.copyConverted(to: pictures)
    }

    /// What single examples name.
    private static func addFiles(of example: String, to home: URL) throws {
        func run(_ arguments: String...) throws { try Program.run([Program.livephoto.path] + arguments, in: home) }
        if example.contains(".HEIC") {
            let folder = example.contains("Live/") ? "Live" : "."
            try run("convert", SampleClips.beach(), "--photo-format", "heic", "--name", "IMG_1", "-o", folder)
        }
        for name in ["Takeout", "DCIM"] where example.contains(name) {
            try run("link", "beach.JPG", "beach.MOV", "--output", name)
        }
        if example.contains("edit.yaml") { try run("edit", "beach.JPG", "--no-audio", "-o", "Edited") }
        if example.contains("Pictures/Live") {
            try FileManager.default.createDirectory(
                at: home.appendingPathComponent("Pictures/Live"), withIntermediateDirectories: false)
            try SamplePair.copyConverted(to: home.appendingPathComponent("Pictures/Live"))
        }
    }

    /// What two parts of a batch have left.
    private static func addReports(to home: URL) throws {
        let record = "{\"id\":\"beach\",\"status\":\"done\"}\n"
        for name in ["part-1.jsonl", "part-2.jsonl", "LivePhotos/.livephoto-batch/journal.jsonl"] {
            let file = home.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(record.utf8).write(to: file)
        }
    }

    @Test func `commands for many files have the same options, in one order`() throws {
        let order = ["--force", "--dry-run", "--json", "--jobs", "--progress", "--quiet", "--verbose"]
        let commands = try CommandDescription.program().visibleCommands
        for (names, command) in commands {
            let names = names.joined(separator: " ")
            let own = command.arguments.filter(\.isVisible).flatMap(\.names).filter(order.contains)
            #expect(own == order.filter(own.contains), "\(names)")
            if ["convert", "link", "extract", "pack", "preview"].contains(names) { #expect(own == order, "\(names)") }
            // An import replaces nothing.
            if names == "import" { #expect(own == Array(order.dropFirst())) }
        }
        let options = ["-f", "-n", "-q", "-v"]
        for (names, command) in commands {
            for option in zip(options, ["--force", "--dry-run", "--quiet", "--verbose"]) {
                let having = command.arguments.named(option.1)
                #expect(having == nil || having?.names.contains(option.0) == true, "\(names) \(option)")
            }
        }
    }

    @Test(arguments: [["--version"], ["convert", "--version"], ["convert", "x.mp4", "--still", "--version"]])
    func `the version is three numbers, and the commit where the sources came from git`(arguments: [String]) throws {
        let outcome = try Program.livephoto(arguments)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(outcome.output.wholeMatch(of: /livephoto [0-9]+\.[0-9]+\.[0-9]+( \(commit [^ ()]+\))?\n/) != nil)
    }

    @Test func `the version with --verbose lists the libraries as doctor does`() throws {
        let outcome = try Program.livephoto("--version", "--verbose")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n")
        let version = try Program.livephoto("--version").output
        #expect(lines.first.map { "\($0)\n" } == version)
        let libraries = lines.dropFirst().joined(separator: "\n")
        #expect(libraries.contains("libavcodec") && libraries.contains("x264") && libraries.contains("libheif"))
        #expect(try Program.livephoto("doctor").output.contains("\n\(libraries)\n"))
    }
}
