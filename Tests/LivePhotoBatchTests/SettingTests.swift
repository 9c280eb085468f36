import Foundation
import LivePhotoBatch
import LivePhotoRequests
import TestSupport
import Testing

/// Everything that follows from the table of settings.
@Suite struct SettingTests {
    /// A value of each setting, as presets write it; where there is another, not the one of `classic`.
    static let values = [
        "window.still": "25%", "window.start": "1s", "window.end": "#37", "window.duration": "2s",
        "window.before": "0.5s", "window.after": "0.25s", "picture.crop": "0,2,8,8", "picture.fill": "3:4",
        "picture.fit": "16:9", "picture.hdr": "both", "picture.toneMap": "hable", "picture.background": "#1E90FF",
        "video.codec": "hevc",
        "adjust.rotate": "90", "adjust.flip": "horizontal", "adjust.straighten": "-1.5", "adjust.exposure": "0.5",
        "adjust.contrast": "-20", "adjust.saturation": "30", "adjust.warmth": "-40", "adjust.tint": "5",
        "adjust.vignette": "50", "adjust.sharpen": "60", "adjust.denoise": "70",
        "adjust.stabilize": "true", "adjust.lut": "/looks/warm.cube", "adjust.filter": "eq=contrast=1.2,gblur=2",
        "audio.volume": "0.5",
        "motion.effect": "bounce", "motion.speed": "1.25",
        "video.frameRate": "24000/1001-30", "video.maxSize": "1280x720", "video.x264Preset": "slow",
        "video.crf": "18.5", "video.livePhotoInfo": "still", "video.repeatFrames": "true",
        "video.stillTransform": "true", "video.vitality": "true", "video.x265Preset": "slow", "video.x265Crf": "23",
        "audio.mode": "none", "audio.bitrate": "96k", "photo.format": "heic", "photo.quality": "80",
        "metadata": "no-location", "limits.timeout": "5s", "limits.memory": "700",
    ]

    private static func document(_ name: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: folder.appendingPathComponent("Documentation/\(name)"), encoding: .utf8)
    }

    private static func preset(_ yaml: String) throws -> Preset {
        let folder = try TemporaryFolder(["mine.yaml": yaml])
        return try PresetLibrary().preset(at: folder.path.appending("mine.yaml"))
    }

    /// The settings by their paths, which a test's arguments can name.
    private static func setting(_ path: String) throws -> Setting {
        try #require(Setting.all.first { $0.path == path })
    }

    @Test func `each setting has a place, a key and an option of its own`() {
        #expect(Set(Setting.all.map(\.path)) == Set(Self.values.keys) && Setting.all.count == Self.values.count)
        let names = Setting.all.compactMap(\.jobKey) + JobKey.allCases.map(\.rawValue)
        #expect(Set(names).count == names.count)
        let options = Setting.all.compactMap(\.option)
        #expect(Set(options).count == options.count)
    }

    @Test(arguments: Setting.all.map(\.path)) func `each setting is read from a preset and printed`(_ path: String)
        throws
    {
        let (setting, value) = (try Self.setting(path), try #require(Self.values[path]))
        let member = "\(setting.key): '\(value)'"
        let preset = try Self.preset(
            "extends: classic\n" + (setting.section.map { "\($0): {\(member)}" } ?? member))
        let classic = try PresetLibrary().preset(named: "classic")
        #expect(setting.text(preset) == value)
        #expect(setting.text(classic) != value)
        for other in Setting.all where other.path != path {
            #expect(other.text(preset) == other.text(classic), "\(other.path)")
        }
        #expect(try Self.preset(preset.yaml) == preset)
    }

    @Test(arguments: Setting.all.map(\.path)) func `each setting is in the documents and the schema`(_ path: String)
        throws
    {
        let setting = try Self.setting(path)
        let row = try #require(
            try Self.document("Presets.md").split(separator: "\n").first { $0.hasPrefix("| `\(path)` |") })
        #expect(row.contains(setting.help) && (row.contains(setting.allowed) || row.contains("| as `")))
        let schema = try Self.document("job-file.schema.json")
        #expect(schema.contains("\"\(setting.key)\": {\"description\": \(YAMLNode.json(setting.help))"))
        guard let key = setting.jobKey else { return }
        #expect(try Self.document("Batch.md").contains("\n| `\(key)` | `\(setting.path)` of presets |"))
    }

    @Test(arguments: Setting.all.filter { $0.jobKey != nil }.map(\.path))
    func `each setting of jobs is read and checked there`(_ path: String) throws {
        let (setting, value) = (try Self.setting(path), try #require(Self.values[path]))
        let key = try #require(setting.jobKey)
        let job = try #require(try JobFile(yaml: "version: 1\njobs:\n- {input: a.mp4, \(key): '\(value)'}").jobs.first)
        #expect(job.options.contains("\"\(key)\":\(YAMLNode.json(value))"))
        let error = #expect(throws: LivePhotoError.self) {
            try JobFile(yaml: "version: 1\njobs:\n- {input: a.mp4, \(key): '?'}")
        }
        let place = "jobs.yaml:3:\(20 + key.count): jobs[0].\(key): "
        #expect(error?.description.hasPrefix(place + "'?' is not ") == true, "\(error.debugDescription)")
        #expect(error?.description.hasSuffix("; write \(setting.allowed)") == true)
    }

    @Test func `the allowed filters are those of the documentation, in its order`() throws {
        let document = try Self.document("Filters.md")
        let start = try #require(document.firstRange(of: "These are allowed:"))
        let end = try #require(document.firstRange(of: "They change each picture by itself"))
        let names = document[start.upperBound..<end.lowerBound].matches(of: /`(\w+)`/).map { String($0.1) }
        #expect(names == AllowedFilter.all.map(\.name))
    }

    @Test func `each option of a setting is in the help of convert, with its sentence`() throws {
        let help = try Program.livephoto("convert", "--help").output
        let words = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        for setting in Setting.all {
            guard let option = setting.option else { continue }
            // A switch is off by default.
            let fallback = setting.valueName?.isEmpty == false ? " \(setting.fallbackNote)" : ""
            let sentence = "--\(option) \(setting.help)\(fallback)"
            #expect(words.contains(sentence), "\(sentence)")
        }
    }
}
