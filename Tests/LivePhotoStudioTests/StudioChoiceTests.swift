import Foundation
import LivePhotoRequests
import LivePhotoStudio
import Testing

/// Choices of the page as requests and as commands.
@Suite struct StudioChoiceTests {
    static let presets = StudioPresets(
        all: PresetLibrary().names.compactMap { try? PresetLibrary().preset(named: $0) }, first: "classic")

    static func choice(_ json: String) throws -> StudioChoice {
        try JSONDecoder().decode(StudioChoice.self, from: Data(json.utf8))
    }

    @Test(arguments: [
        ("{}", "livephoto convert beach.mp4"),
        (
            #"{"settings": {"still": "1.5", "exposure": "-0.5"}}"#,
            "livephoto convert beach.mp4 --still 1.5 --exposure=-0.5"
        ),
        (
            #"{"preset": "compact", "flags": ["no-audio", "force"]}"#,
            "livephoto convert beach.mp4 --preset compact --no-audio --force"
        ),
        (#"{"stills": ["1", "2.5"], "name": "It's"}"#, #"livephoto convert beach.mp4 --still 1,2.5 --name 'It'\''s'"#),
        (
            #"{"settings": {"stabilize": "true", "crop": "0,0,64,64"}}"#,
            "livephoto convert beach.mp4 --crop 0,0,64,64 --stabilize"
        ),
        (
            #"{"flags": ["no-location", "no-metadata"], "date": "2025-10-12T23:36:14Z"}"#,
            "livephoto convert beach.mp4 --no-location --no-metadata --date 2025-10-12T23:36:14Z"
        ),
    ])
    func `the shown command has each choice once, as a shell takes it`(json: String, command: String) throws {
        let choice = try Self.choice(json)
        #expect(try choice.convertCommand("beach.mp4", to: ".", Self.presets) == command)
        #expect(
            try choice.convertCommand("beach.mp4", to: "My Photos", Self.presets) == command + " --output 'My Photos'")
    }

    @Test(arguments: [
        (#"{"settings": {"end": "2"}}"#, "livephoto edit a.JPG --end 2 --output ."),
        (
            #"{"settings": {"still": "1"}, "flags": ["new-key-photo", "in-place"]}"#,
            "livephoto edit a.JPG --still 1 --new-key-photo --in-place"
        ),
        (
            #"{"settings": {"rotate": "90"}, "name": "-b", "flags": ["no-audio"]}"#,
            "livephoto edit a.JPG --rotate 90 --no-audio --name=-b --output ."
        ),
    ])
    func `the shown edit is the one that is made`(json: String, command: String) throws {
        #expect(try Self.choice(json).editCommand("a.JPG", to: ".") == command)
    }

    @Test(arguments: [
        #"{"settings": {"lut": "/etc/passwd"}}"#, #"{"settings": {"filter": "movie=x"}}"#,
        #"{"settings": {"photo": "x"}}"#,
        #"{"settings": {"exposure": "much"}}"#, #"{"settings": {"fill": "3:4", "fit": "3:4"}}"#, #"{"preset": "none"}"#,
        #"{"stills": ["auto", "1"]}"#, #"{"date": "soon"}"#,
    ])
    func `what cannot be chosen is a sentence`(json: String) throws {
        #expect(throws: LivePhotoError.self) {
            try Self.choice(json).requests(of: "beach.mp4", to: ".", Self.presets)
        }
    }

    @Test(arguments: [
        #"{"flags": ["rm"]}"#, #"{"settings": {"still": 1}}"#, #"[]"#, #"{"stills": "1"}"#,
        #"{"name": ""# + String(repeating: "x", count: 1_001) + #""}"#,
        // No command can have a zero.
        #"{"date": "2025\u0000"}"#, #"{"stills": ["1", "2\u0000"]}"#,
    ])
    func `what is no choice is not decoded`(json: String) {
        #expect(throws: DecodingError.self) { try Self.choice(json) }
    }

    @Test func `every slider changes the picture and allows its whole range`() throws {
        for slider in StudioChoice.sliders {
            for value in [slider.range.lowerBound, slider.range.upperBound, slider.step] {
                let text = slider.step < 1 ? "\((value * 100).rounded() / 100)" : "\(Int(value))"
                let choice = try Self.choice(#"{"settings": {"\#(slider.setting.optionName)": "\#(text)"}}"#)
                #expect(try choice.adjustments().isIdentity == (value == 0), "\(slider.setting.optionName) \(text)")
            }
        }
    }

    @Test func `several stills are one Live Photo each`() throws {
        let requests = try Self.choice(#"{"stills": ["1", "2", "3"], "settings": {"exposure": "1"}}"#)
            .requests(of: "beach.mp4", to: "Live", Self.presets)
        #expect(requests.map(\.name) == ["beach-1", "beach-2", "beach-3"])
        #expect(Set(requests.map(\.preset.adjustments)).count == 1)
    }
}
