import LivePhotoRequests
import MediaModel
import Testing

/// What a preset and the values that are given for one conversion come to together.
@Suite struct ConversionSettingsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let preset: String
        let expected: String
        let own: [(Setting, String)]
        var testDescription: String { "\(preset) → \(expected)" }

        /// - Parameters:
        ///   - preset: what it sets, over `classic`.
        ///   - own: what is given for the conversion.
        ///   - expected: what a preset would set that says both.
        init(_ preset: String, _ expected: String, _ own: (Setting, String)...) {
            self.preset = preset
            self.expected = expected
            self.own = own
        }
    }

    private static func preset(_ text: String) throws -> Preset {
        let shipped = try PresetLibrary().yaml(of: "classic")
        let library = PresetLibrary(shipped: [("x", "extends: classic\n" + text), ("classic", shipped)])
        return try library.preset(named: "x")
    }

    @Test(arguments: [
        Case("window: {still: 1, start: 0, end: 2}", "window: {still: 1, start: 0, end: 2}"),
        Case("window: {still: 1}", "window: {still: 2}", (.still, "2")),
        Case("window: {start: 1}", "window: {start: 2}", (.start, "2")),
        Case("window: {end: 1}", "window: {end: 2}", (.end, "2")),
        Case("window: {duration: 1}", "window: {duration: 2}", (.duration, "2")),
        Case("window: {before: 1}", "window: {before: 2}", (.before, "2")),
        Case("window: {after: 1}", "window: {after: 2}", (.after, "2")),
        Case("picture: {crop: '0,0,8,8'}", "picture: {crop: '2,2,4,4'}", (.crop, "2,2,4,4")),
        Case("picture: {fit: 1:1, crop: '0,0,8,8'}", "picture: {fill: 3:4, crop: '0,0,8,8'}", (.fill, "3:4")),
        Case("picture: {fill: 1:1}", "picture: {fit: 3:4}", (.fit, "3:4")),
        Case("picture: {toneMap: clip}", "picture: {toneMap: hable}", (.toneMap, "hable")),
        Case("picture: {background: red}", "picture: {background: white}", (.background, "white")),
        Case("video: {frameRate: 24-30}", "video: {frameRate: 15}", (.frameRate, "15")),
        Case("video: {maxSize: 640x480}", "video: {maxSize: 1280x720}", (.maxSize, "1280x720")),
        Case("audio: {mode: keep}", "audio: {mode: none}", (.audio, "none")),
        Case("audio: {mode: none}", "audio: {mode: keep}", (.audio, "keep")),
        Case("metadata: none", "metadata: keep", (.metadata, "keep")),
        Case("limits: {timeout: 5}", "limits: {timeout: 6}", (.timeout, "6")),
        Case("limits: {memory: null}", "limits: {memory: 700}", (.memory, "700")),
    ])
    func `what is given for the conversion comes before the preset`(test: Case) throws {
        try expect(test)
    }

    @Test(arguments: [
        Case("window: {start: 1, end: 2}", "window: {start: 1, duration: 3}", (.duration, "3")),
        Case("window: {end: 9, duration: 2}", "window: {start: 1, end: 9}", (.start, "1")),
        Case("window: {start: 1, duration: 2}", "window: {start: 1, end: 9}", (.end, "9")),
        Case("window: {start: 1}", "window: {end: 9, duration: 2}", (.end, "9"), (.duration, "2")),
        Case("window: {duration: 1}", "window: {start: 1, end: 9}", (.start, "1"), (.end, "9")),
        Case("window: {duration: 1}", "window: {before: 2}", (.before, "2")),
        Case("window: {duration: 1}", "window: {after: 2}", (.after, "2")),
        Case("window: {duration: 1}", "window: {after: 2, duration: 3}", (.after, "2"), (.duration, "3")),
    ])
    func `what only the preset has is dropped where both together would say too much`(test: Case) throws {
        try expect(test)
    }

    @Test(arguments: [
        (MetadataMode.keep, MetadataMode.withoutLocation), (.withoutLocation, .withoutLocation), (.discard, .discard),
    ])
    func `leaving the place out never brings back what the preset leaves out`(preset: MetadataMode, mode: MetadataMode)
    {
        #expect(preset.leavingOutLocation == mode)
    }

    @Test(arguments: [
        (
            [(Setting.fill, "1:1"), (.fit, "3:4")],
            "picture.fit: fill and fit exclude each other: one crops to a shape, "
                + "the other adds black bars"
        ),
        (
            [(.toneMap, "aces")],
            "picture.toneMap: 'aces' is not a tone-mapping operator; write mobius, reinhard, hable or clip"
        ),
    ])
    func `a wrong value is an error that names its setting`(own: [(Setting, String)], message: String) throws {
        struct Wrong: Error { let message: String }
        var preset = try Self.preset("")
        let error = #expect(throws: Wrong.self) {
            try preset.replace(own) { Wrong(message: "\($0.path): \($1)") }
        }
        #expect(error?.message == message)
    }

    private func expect(_ test: Case) throws {
        var preset = try Self.preset(test.preset)
        try preset.replace(test.own) { setting, message in
            LivePhotoError(.invalidValue, file: nil, "\(setting.path): \(message)")
        }
        #expect(try preset == Self.preset(test.expected))
    }

    @Test func `a request that says nothing is made as classic says`() throws {
        #expect(try ConversionRequest(clip: "beach.mp4").preset == PresetLibrary().preset(named: "classic"))
    }
}
