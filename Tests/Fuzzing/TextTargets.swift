import Bytes
import Files
import LivePhotoBatch
import LivePhotoKit
import LivePhotoRequests
import SystemPackage

extension FuzzedReader {
    static let sidecars = FuzzedReader(
        sources: [
            "LivePhotoKit/Dates/TakeoutSidecar.swift", "LivePhotoKit/Dates/SidecarTitle.swift", "Files/JSON.swift",
        ],
        words: [
            "\"photoTakenTime\":", "\"timestamp\":", "\"geoData\":", "\"geoDataExif\":", "\"latitude\":",
            "\"longitude\":",
            "\"altitude\":", "\"title\":", "\\u0301", "\\ud83d\\ude00", "&#39;", "\u{301}",
        ],
        samples: {
            [
                #"{"title":"IMG_1.JPG","photoTakenTime":{"timestamp":"1700000000","formatted":"x"},"geoData":"#
                    + #"{"latitude":1.5,"longitude":-2.25,"altitude":3},"geoDataExif":{"latitude":0,"longitude":0}}"#,
                #"{"title":"It&#39;s (1).MP4","photoTakenTime":{"timestamp":0}}"#,
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let sidecar = (try? TakeoutSidecar.read(scratchPath(bytes))) ?? nil else { return }
            guard let title = sidecar.title else { return }
            Fuzzing.expect(title.utf8.count <= 3 * TakeoutSidecar.titleLimit, "a title has \(title.utf8.count) bytes")
            for name in ["IMG_1.JPG", "It_s(1).mp4", title] { _ = SidecarTitle(title).fits(name) }
        })

    static let yaml = FuzzedReader(
        sources: ["LivePhotoRequests/YAML"],
        words: [
            "- ", ": ", "\n  ", "&a ", "*a", "!!str ", "---\n", "...\n", "%YAML 1.2\n", "%TAG ", "|\n", ">-\n", "? ",
            "null", "~",
        ],
        samples: { [presetText, jobsText, recipeText].map { Array($0.utf8) } },
        run: { bytes in
            guard let node = try? YAMLNode(yaml: bytes, file: "a.yaml") else { return }
            let json = node.json
            Fuzzing.must("a value in JSON cannot be read") {
                let again = try YAMLNode(yaml: Array(json.utf8), file: "b.json", limit: .max)
                Fuzzing.expect(again.json == json, "a value in JSON is read as another one")
            }
        })

    static let jobFiles = FuzzedReader(
        sources: ["LivePhotoBatch/Jobs", "LivePhotoRequests/Options"],
        words: settingWords + ["jobs:", "defaults:", "version: 1"],
        samples: {
            [jobsText, #"{"version":1,"defaults":{"crf":20}}"# + "\n" + #"{"input":"a.mp4","still":1.5}"#].map {
                Array($0.utf8)
            }
        },
        run: { bytes in
            // Patterns below the root would search all of this machine.
            guard !bytes.contains(UInt8(ascii: "/")) || !bytes.contains(where: { "*?[".utf8.contains($0) }) else {
                return
            }
            guard let file = try? JobFile(bytes, name: "a.yaml", folder: "/nowhere", skipsProblems: true) else {
                return
            }
            let ids = file.jobs.map(\.id)
            Fuzzing.expect(Set(ids).count == ids.count, "two jobs have one name")
            for job in file.jobs where job.problem == nil {
                guard let line = job.line else { continue }
                Fuzzing.must("the line of a job cannot be read") {
                    let text = Job.headLine(output: nil) + "\n" + line + "\n"
                    let again = try JobFile(Array(text.utf8), name: "b.jsonl", folder: "/nowhere", isLines: true)
                    Fuzzing.expect(again.jobs.map(\.id) == [job.id], "the line of a job is read as another one")
                }
            }
        })

    static let presets = FuzzedReader(
        sources: ["LivePhotoRequests/Presets", "LivePhotoRequests/Options"], words: settingWords + ["extends: classic"],
        samples: {
            try PresetLibrary().names.map { Array(try PresetLibrary().yaml(of: $0).utf8) } + [Array(presetText.utf8)]
        },
        run: { bytes in
            guard let preset = try? PresetLibrary().preset(at: scratchPath(bytes)) else { return }
            let text = preset.yaml
            Fuzzing.must("a preset that was written cannot be read") {
                let again = try PresetLibrary().preset(at: scratchPath(Array(text.utf8), place: 1))
                Fuzzing.expect(again.yaml == text, "a preset is read back as another one")
            }
        })

    static let recipes = FuzzedReader(
        sources: ["LivePhotoRequests/Presets/EditRecipe.swift", "LivePhotoRequests/Options"], words: settingWords,
        samples: { [Array(recipeText.utf8)] },
        run: { bytes in
            guard let node = try? YAMLNode(yaml: bytes, file: "a.yaml"), let recipe = try? EditRecipe(node) else {
                return
            }
            let text = recipe.yaml(comments: [])
            guard !text.isEmpty else { return }
            Fuzzing.must("a recipe that was written cannot be read") {
                let again = try EditRecipe(YAMLNode(yaml: Array(text.utf8), file: "b.yaml"))
                Fuzzing.expect(again.yaml(comments: []) == text, "a recipe is read back as another one")
            }
            _ = recipe.overridden(by: recipe)
        })

    static let settingWords =
        Setting.all.flatMap { [$0.path.split(separator: ".").last.map { "\($0): " } ?? "", $0.optionName] }
        + [
            "true", "false", "null", "auto", "1.5", "50%", "16:9", "0:01", "30000/1001", "#102030", "classic", "eq=",
            "inf", "nan",
        ]

    private static let presetText =
        "extends: classic\nstill:\n  before: 1.5\nvideo:\n  crf: 20\npicture: {fill: '4:3'}\n"
    private static let jobsText =
        "version: 1\noutput: out\ndefaults: {preset: modern}\njobs:\n- input: a.mp4\n  still: 1.5\n- {input: b.mov, id: 'x', crf: 20}\n"
    private static let recipeText = "exposure: 0.5\nwarmth: 40\ncrop: 0.1,0.1,0.8,0.8\nrotate: 90\nno-location: true\n"
}
