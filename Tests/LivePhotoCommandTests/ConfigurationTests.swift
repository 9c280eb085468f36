import Foundation
import TestSupport
import Testing
import livephoto

/// The user's own defaults for options, in config.yaml.
@Suite struct ConfigurationTests {
    private static let clip = Result { try SampleClips.beach() }

    /// A configuration folder with a file, and a preset `mine`.
    private func home(_ text: String) throws -> TemporaryFolder {
        let home = try TemporaryFolder()
        let presets = home.url.appendingPathComponent("livephoto/presets")
        try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
        try Data("extends: compact".utf8).write(to: presets.appendingPathComponent("mine.yaml"))
        try Data(text.utf8).write(to: home.url.appendingPathComponent("livephoto/config.yaml"))
        return home
    }

    private func run(
        _ arguments: [String], _ home: TemporaryFolder, _ environment: [String: String] = [:]
    ) throws -> Outcome {
        let variables = ["XDG_CONFIG_HOME": home.url.path, "HOME": home.url.path].merging(environment) { $1 }
        return try Program.livephoto(arguments, in: home.url, environment: variables)
    }

    @Test(arguments: [
        (file: "", options: [], plan: ["CRF 20"]),
        ("# Nothing yet.\n", [], ["CRF 20"]),
        ("preset: mine", [], ["CRF 24"]),
        ("preset: mine", ["--preset", "classic"], ["CRF 20"]),
        ("preset: mine\nconvert: {preset: classic}", [], ["CRF 20"]),
        ("convert:\n  preset: mine\n  no-audio: true\n", [], ["CRF 24", "audio: none"]),
        ("convert: {no-audio: true, volume: null}", ["--volume", "0.5"], ["audio: AAC"]),
        ("convert: {still: 1}", ["--count", "1"], ["files: beach-1.JPG"]),
        ("convert: {duration: 2}", ["--start", "1", "--end", "3"], ["CRF 20"]),
        ("convert: {before: 1, after: 1}", ["--duration", "1"], ["CRF 20"]),
        ("progress: none\nconvert: {quiet: false}", ["--quiet"], ["CRF 20"]),
        ("convert: {output: ~/Live, preset: null}", [], ["files: HOME/Live/beach.JPG", "CRF 20"]),
        ("convert: {output: Live}", ["-oOther"], ["files: Other/beach.JPG"]),
        ("frames: {max-size: 100x100}\nbatch report: {json: true}", [], ["CRF 20"]),
    ])
    func `the options of a command that are not given have the values of config.yaml`(
        file: String, options: [String], plan: [String]
    ) throws {
        let home = try home(file)
        let outcome = try run(["convert", "-n", try Self.clip.get()] + options, home)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        for text in plan {
            let text = text.replacing("HOME", with: home.url.path)
            #expect(outcome.output.contains(text), "\(text) in \(outcome.output)")
        }
    }

    @Test func `a configured --no-metadata holds with a given date`() throws {
        let home = try home("convert: {no-metadata: true}")
        let clip = try SampleClips.moving("place.mp4", seconds: 1, more: "-metadata location=+48.85+002.35/")
        func location(_ home: TemporaryFolder) throws -> Bool {
            let outcome = try run(["convert", "-n", clip, "--date", "2025-10-12"], home)
            try #require(outcome.status == 0, "\(outcome.errors)")
            return outcome.output.contains("+48.85")
        }
        #expect(try location(self.home("")))
        #expect(try !location(home))
    }

    @Test(arguments: [
        ("frames: {count: 4}", ["frames", "CLIP", "--suggest", "2", "--json"]),
        ("link: {tree: '%Y', csv: x.csv}", ["link", "gone.jpg", "gone.mov"]),
    ])
    func `an option of the command line excludes a configured one that contradicts it`(
        file: String, command: [String]
    ) throws {
        let clip = try Self.clip.get()
        let outcome = try run(command.map { $0 == "CLIP" ? clip : $0 }, home(file))
        #expect(outcome.status != 64, "\(outcome.errors)")
    }

    @Test func `a value of config.yaml that is wrong is an error that says where it is from`() throws {
        let home = try home("convert:\n  preset: gone\n")
        let outcome = try run(["convert", "-n", try Self.clip.get()], home)
        #expect(outcome.status == 64)
        #expect(
            outcome.errors.hasPrefix(
                "note: \(home.path("livephoto/config.yaml")):2 sets --preset=gone\nerror: no preset is named 'gone'"))
        let other = try run(
            ["convert", "-n", try Self.clip.get(), "--photo-format", "gif"], try self.home("convert: {photo: x.jpg}"))
        #expect(other.status == 64 && !other.errors.contains("note:"), "\(other.errors)")
    }

    @Test func `every command can have a section, and its options count`() throws {
        let names = try CommandDescription.program().visibleCommands.map { $0.names.joined(separator: " ") }
        let sections = names.map { "\($0): {}\n" }.joined()
        #expect(try run(["completions", "bash"], home(sections)).status == 0)
        #expect(try run(["doctor"], home(sections)).status == 0)
        let home = try home("verify: {json: true}\nbatch report: {json: true}\npresets list: {names: true}")
        try Data("{\"id\":\"a\",\"status\":\"done\"}\n".utf8).write(to: home.url.appendingPathComponent("r.jsonl"))
        #expect(try run(["verify", "--explain", "still-time-value"], home).output.hasPrefix("{"))
        #expect(try run(["batch", "report", "r.jsonl"], home).output.hasPrefix("{"))
        let kept = try self.home("batch: {resume: true}")
        #expect(try run(["batch", "gone.yaml", "--restart"], kept).errors.hasPrefix("error: gone.yaml: no such file"))
        #expect(try run(["presets", "list"], home).output.hasPrefix("classic\n"))
        // A mistake does not stop what shells run when they start.
        #expect(try run(["completions", "bash"], self.home("convert: {outptu: x}")).status == 0)
    }

    @Test(arguments: [
        ("outptu: Live", "1:1: unknown key 'outptu'"),
        ("output: Live", "1:1: 'output' is not for all commands; write it below the name of one, such as 'convert:'"),
        ("convert: {outptu: Live}", "1:11: unknown key 'outptu'; did you mean 'output'?"),
        ("convert: {force: true}", "1:11: 'force' is only for single calls, on the command line"),
        ("id: CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC", "1:1: 'id' is only for single calls, on the command line"),
        ("quiet: yes please", "1:8: quiet: 'yes please' is not a flag's value; write true or false"),
        ("batch: {restart: true}", "1:9: 'restart' is only for single calls, on the command line"),
        ("only: edit", "1:1: unknown key 'only'"),
        ("convert: smooth", "1:10: convert: expected keys with values, found 'smooth'"),
        ("jobs: [1, 2]", "1:7: jobs: expected a value, found a list"),
        ("jobs: 1\njobs: 2", "1:1: 'jobs' given more than once"),
    ])
    func `a mistake in config.yaml is an error with its place, which 'doctor' shows too`(
        file: String, error: String
    ) throws {
        let home = try home(file)
        let place = "\(home.path("livephoto/config.yaml")):\(error)"
        let outcome = try run(["verify", "."], home)
        #expect(outcome.status == 64 && outcome.errors.hasPrefix("error: \(place)"), "\(outcome.errors)")
        let doctor = try run(["doctor"], home)
        #expect(doctor.status == 1 && doctor.output.contains("configuration error: \(place)"), "\(doctor.output)")
        #expect(try run(["verify", "--help"], home).status == 0)
    }

    @Test func `LIVEPHOTO_CONFIG names another file, or none`() throws {
        let home = try home("preset: gone")
        try Data("preset: mine".utf8).write(to: home.url.appendingPathComponent("other.yaml"))
        let command = ["convert", "-n", try Self.clip.get()]
        #expect(try run(command, home, ["LIVEPHOTO_CONFIG": "other.yaml"]).output.contains("CRF 24"))
        #expect(try run(command, home, ["LIVEPHOTO_CONFIG": ""]).output.contains("CRF 20"))
        let missing = try run(command, home, ["LIVEPHOTO_CONFIG": "none.yaml"])
        #expect(missing.status == 66 && missing.errors == "error: none.yaml: no such file\n")
    }

    @Test func `'doctor' says which settings are in force, and from where`() throws {
        let home = try home("sandbox: auto\ncolor: false\nconvert:\n  preset: mine\n")
        let outcome = try run(["doctor"], home, ["LIVEPHOTO_SANDBOX": "off"])
        let file = home.path("livephoto/config.yaml")
        for line in [
            "configuration \(file)",
            "--sandbox=auto for all commands (\(file):1; LIVEPHOTO_SANDBOX counts instead)",
            "--preset=mine for convert (\(file):4)", "no colours",
            "own presets   mine (\(home.path("livephoto/presets")))", "variable      LIVEPHOTO_SANDBOX=off",
            "off; decoders run with all your permissions",
        ] {
            #expect(outcome.output.contains(line), "\(line) in \(outcome.output)")
        }
        let none = try Program.livephoto("doctor").output
        #expect(none.contains("configuration none (it would be /nonexistent/livephoto/config.yaml)"))
    }
}
