import Foundation
import TestSupport
import Testing

@Suite struct PresetsCommandTests {
    private static let names = ["classic", "smooth", "compact", "modern", "wallpaper"]

    @Test(arguments: [["presets"], ["presets", "list"]])
    func `each preset is listed with what it is for, and the default marked`(arguments: [String]) throws {
        let outcome = try Program.livephoto(arguments)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
        #expect(lines.map(\.first) == Self.names.map { Substring($0) })
        #expect(lines.allSatisfy { $0.count == 2 && $0[1].contains("fps") })
        #expect(lines.filter { $0[1].hasSuffix("(default)") }.map(\.first) == ["classic"])
    }

    @Test(arguments: names) func `a preset shown and given back as a file gives the same plan`(name: String) throws {
        let folder = try TemporaryFolder()
        let shown = try Program.livephoto("presets", "show", name)
        #expect(shown.status == 0 && shown.errors.isEmpty)
        try Data(shown.output.utf8).write(to: folder.url.appendingPathComponent("mine.yaml"))
        let clip = try SampleClips.moving("tall.mp4", size: "720x1280", codec: "libx264 -preset ultrafast -g 30")
        let plans = try [name, "mine.yaml"].map { preset in
            try Program.livephoto(
                "convert", clip, "--preset", preset, "-n", "--id", "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC",
                in: folder.url)
        }
        #expect(plans.allSatisfy { $0.status == 0 && $0.errors.isEmpty })
        #expect(plans[0].output == plans[1].output)
        let expected = [
            "classic": "15 fps", "smooth": "30 fps", "compact": "CRF 24", "modern": "HEVC Main, x265 medium",
            "wallpaper": "motion: still",
        ]
        #expect(plans[0].output.contains(expected[name] ?? "?"))
    }

    @Test func `a preset shown whole has every key, and gives the same plan`() throws {
        let folder = try TemporaryFolder()
        let whole = try Program.livephoto("presets", "show", "compact", "--whole")
        #expect(whole.status == 0 && whole.errors.isEmpty)
        #expect(whole.output.contains("\nextends: null\n") && whole.output.contains("\n  still: null\n"))
        #expect(whole.output.contains("\n  crf: 24\n") && whole.output.contains("\n  x264Preset: faster\n"))
        try Data(whole.output.utf8).write(to: folder.url.appendingPathComponent("mine.yaml"))
        let again = try Program.livephoto(["presets", "show", "--whole", "./mine.yaml"], in: folder.url)
        #expect(again.status == 0 && again.output == whole.output)
    }

    /// The user's presets in a configuration folder.
    private static func configuration(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let presets = folder.url.appendingPathComponent("livephoto/presets")
        try FileManager.default.createDirectory(at: presets, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: presets.appendingPathComponent(name)) }
        return folder
    }

    @Test func `the user's own presets are listed with their folder, broken ones with what is wrong`() throws {
        let home = try Self.configuration([
            "film.yaml": "name: film\ndescription: as film\nextends: smooth", "bad.yaml": "name: bad\nextends: gone",
            "classic.yaml": "name: classic\nextends: smooth",
        ])
        let outcome = try Program.livephoto(["presets"], environment: ["XDG_CONFIG_HOME": home.url.path])
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let shipped = try Program.livephoto("presets").output
        let folder = home.path("livephoto/presets")
        #expect(
            outcome.output == shipped + """

                \(folder):
                bad       error: \(folder)/bad.yaml:2:10: no preset is named 'gone'; there are classic, smooth, compact, modern, wallpaper, bad and film
                classic   error: \(folder)/classic.yaml: 'classic' is the name of a shipped preset, which this one cannot replace; \
                rename the file
                film      as film

                """)
    }

    @Test func `the user's own presets are asked for by name`() throws {
        let home = try Self.configuration([
            "film.yaml": "name: film\nextends: compact\nwindow: {still: 25%, start: 0, end: 2}\n"
                + "picture: {fill: 1:1}\naudio: {mode: none}\nmetadata: none\n"
        ])
        func run(_ arguments: String...) throws -> Outcome {
            try Program.livephoto(arguments, in: home.url, environment: ["XDG_CONFIG_HOME": home.url.path])
        }
        let clip = try SampleClips.moving("tall.mp4", size: "720x1280", codec: "libx264 -preset ultrafast -g 30")
        let plan = try run("convert", clip, "-n", "--preset", "film")
        #expect(plan.status == 0 && plan.errors.isEmpty)
        for text in ["movie: 720x720, 30 frames", ", 2 s, from 0 s of", "CRF 24", "audio: none", ", 1 s in the clip"] {
            #expect(plan.output.contains(text), "\(text) in \(plan.output)")
        }
        let other = try run("convert", clip, "-n", "--preset", "film", "--fit", "3:4", "--end", "3", "--fps", "30")
        #expect(other.output.contains("movie: 720x960, 90 frames at 30"), "\(other.output)\(other.errors)")
        #expect(try run("presets", "show", "film").output.hasPrefix("name: film\nextends: compact\n"))
        #expect(try run("presets", "check", "film").output == "film: good\n")
    }

    @Test(arguments: [
        ("Presets.md", "presets"), ("Batch.md", "jobs"), ("job-file.schema.json", "schema"),
    ])
    func `the tables of keys and the schema are what the program prints`(file: String, form: String) throws {
        let keys = try Program.livephoto("presets", "keys", form)
        #expect(keys.status == 0 && keys.errors.isEmpty && keys.output.split(separator: "\n").count > 20)
        let text = try String(contentsOf: Repository.file("Documentation/\(file)"), encoding: .utf8)
        #expect(form == "schema" ? text == keys.output : text.contains("\n\n\(keys.output)\n"))
    }

    @Test func `check says of each preset whether it is good, and where it is not`() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("good", "compact"), ("bad", "compact\nvideo: {crf: 99}"), ("worse", "[compact]")] {
            try Data("name: \(name)\nextends: \(text)\n".utf8).write(
                to: folder.url.appendingPathComponent("\(name).yaml"))
        }
        let good = try Program.livephoto(["presets", "check", "good.yaml", "classic"], in: folder.url)
        #expect(good.status == 0 && good.errors.isEmpty && good.output == "good.yaml: good\nclassic: good\n")
        let files = ["bad.yaml", "good.yaml", "worse.yaml", "gone.yaml"]
        let bad = try Program.livephoto(["presets", "check"] + files, in: folder.url)
        #expect(bad.status == 64 && bad.errors.isEmpty)
        #expect(
            bad.output == """
                bad.yaml:3:14: video.crf: '99' is not a CRF; write a number from 1 to 51 with at most two decimals
                good.yaml: good
                worse.yaml:2:10: extends: expected a value, found a list
                cannot read gone.yaml: No such file or directory

                """)
    }
}
