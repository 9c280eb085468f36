import LivePhotoConversion
import MediaModel
import Testing

/// What a request and its preset come to together.
@Suite struct ConversionSettingsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let preset: String
        let expected: String
        let own: @Sendable (inout ConversionRequest) -> Void
        var testDescription: String { "\(preset) → \(expected)" }

        /// - Parameters:
        ///   - preset: what it sets, over `classic`.
        ///   - own: what the request sets.
        ///   - expected: what a preset would set that says both.
        init(_ preset: String, _ expected: String, _ own: @escaping @Sendable (inout ConversionRequest) -> Void) {
            self.preset = preset
            self.expected = expected
            self.own = own
        }
    }

    private static func preset(_ text: String) throws -> Preset {
        let shipped = try PresetLibrary().yaml(of: "classic")
        let library = PresetLibrary(shipped: [("x", "name: x\nextends: classic\n" + text), ("classic", shipped)])
        return try library.preset(named: "x")
    }

    private static func seconds(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }
    private static func at(_ seconds: Int64) -> ClipTime { .seconds(Self.seconds(seconds)) }

    @Test(arguments: [
        Case("window: {still: 1, start: 0, end: 2}", "window: {still: 1, start: 0, end: 2}") { _ in },
        Case("window: {still: 1}", "window: {still: 2}") { $0.still = at(2) },
        Case("window: {start: 1}", "window: {start: 2}") { $0.start = at(2) },
        Case("window: {end: 1}", "window: {end: 2}") { $0.end = at(2) },
        Case("window: {duration: 1}", "window: {duration: 2}") { $0.duration = seconds(2) },
        Case("window: {before: 1}", "window: {before: 2}") { $0.before = seconds(2) },
        Case("window: {after: 1}", "window: {after: 2}") { $0.after = seconds(2) },
        Case("picture: {crop: '0,0,8,8'}", "picture: {crop: '2,2,4,4'}") {
            $0.framing.crop = PixelRectangle(x: 2, y: 2, size: PixelSize(width: 4, height: 4))
        },
        Case("picture: {fit: 1:1, crop: '0,0,8,8'}", "picture: {fill: 3:4, crop: '0,0,8,8'}") {
            $0.framing.shape = .fill(AspectRatio(3, 4))
        },
        Case("picture: {toneMap: clip}", "picture: {toneMap: hable}") { $0.toneMapping = .hable },
        Case("picture: {background: red}", "picture: {background: white}") { $0.background = .white },
        Case("video: {frameRate: 24-30}", "video: {frameRate: 15}") { $0.frameRate = try? FrameRateRange("15") },
        Case("video: {maxSize: 640x480}", "video: {maxSize: 1280x720}") { $0.maxSize = MaximumSize(1280, 720) },
        Case("audio: {mode: keep}", "audio: {mode: none}") { $0.audio = .discard },
        Case("audio: {mode: none}", "audio: {mode: keep}") { $0.audio = .keep },
    ])
    func `what the request says comes before what its preset says`(test: Case) throws {
        try expect(test)
    }

    @Test(arguments: [
        Case("window: {start: 1, end: 2}", "window: {start: 1, duration: 3}") { $0.duration = seconds(3) },
        Case("window: {end: 9, duration: 2}", "window: {start: 1, end: 9}") { $0.start = at(1) },
        Case("window: {start: 1, duration: 2}", "window: {start: 1, end: 9}") { $0.end = at(9) },
        Case("window: {start: 1}", "window: {end: 9, duration: 2}") { ($0.end, $0.duration) = (at(9), seconds(2)) },
        Case("window: {duration: 1}", "window: {start: 1, end: 9}") { ($0.start, $0.end) = (at(1), at(9)) },
        Case("window: {duration: 1}", "window: {before: 2}") { $0.before = seconds(2) },
        Case("window: {duration: 1}", "window: {after: 2}") { $0.after = seconds(2) },
        Case("window: {duration: 1}", "window: {after: 2, duration: 3}") {
            ($0.after, $0.duration) = (seconds(2), seconds(3))
        },
    ])
    func `what only the preset says gives way where both together would say too much`(test: Case) throws {
        try expect(test)
    }

    @Test(arguments: [
        Case("metadata: keep", "metadata: no-location") { $0.includesLocation = false },
        Case("metadata: keep", "metadata: none") { $0.includesMetadata = false },
        Case("metadata: none", "metadata: none") { $0.includesLocation = false },
        Case("metadata: none", "metadata: none") { $0.includesLocation = true },
        Case("metadata: none", "metadata: no-location") { $0.includesMetadata = true },
        Case("metadata: no-location", "metadata: no-location") { $0.includesMetadata = true },
        Case("metadata: no-location", "metadata: keep") { $0.includesLocation = true },
        Case("metadata: no-location", "metadata: none") { $0.includesMetadata = false },
    ])
    func `a wish for less metadata never brings back what the preset leaves out`(test: Case) throws {
        try expect(test)
    }

    private func expect(_ test: Case) throws {
        var request = ConversionRequest(clip: "beach.mp4")
        request.preset = try Self.preset(test.preset)
        test.own(&request)
        #expect(try request.settings == Self.preset(test.expected))
    }

    @Test func `a request that says nothing is made as classic says`() throws {
        #expect(try ConversionRequest(clip: "beach.mp4").settings == PresetLibrary().preset(named: "classic"))
    }
}
