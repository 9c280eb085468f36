import Foundation
import Testing

@Suite struct PresetsCommandTests {
    private static let names = ["classic", "smooth", "compact"]

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
        #expect(shown.output.contains("\nname: \(name)\n"))
        try Data(shown.output.utf8).write(to: folder.url.appendingPathComponent("mine.yaml"))
        let clip = try SampleClips.moving("tall.mp4", size: "720x1280", codec: "libx264 -preset ultrafast -g 30")
        let plans = try [name, "mine.yaml"].map { preset in
            try Program.livephoto(
                "convert", clip, "--preset", preset, "-n", "--id", "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC",
                in: folder.url)
        }
        #expect(plans.allSatisfy { $0.status == 0 && $0.errors.isEmpty })
        #expect(plans[0].output == plans[1].output)
        #expect(plans[0].output.contains(["classic": "15 fps", "smooth": "30 fps", "compact": "CRF 24"][name] ?? "?"))
    }
}
