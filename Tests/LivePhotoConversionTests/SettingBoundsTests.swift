import Foundation
import LivePhotoConversion
import TestSupport
import Testing

/// Every value that a setting allows can be encoded.
@Suite struct SettingBoundsTests {
    /// Ends that no JSON Schema states.
    private static let others = [
        "video.maxSize": ["16x16", "8192x8192"], "video.frameRate": ["1", "240", "1-240"],
        "picture.fill": ["1:1", "9:16"],
        "picture.fit": ["1:1", "9:16"],
    ]

    /// The smallest and the largest value, or the first and the last word, of a setting.
    private static func ends(of setting: Setting) throws -> [String] {
        let schema =
            try JSONSerialization.jsonObject(with: Data("{\(setting.jsonSchema)}".utf8)) as? [String: Any] ?? [:]
        let bounds = ["minimum", "maximum"].compactMap { (schema[$0] as? NSNumber)?.stringValue }
        let words = [setting.words.first, setting.words.last].compactMap(\.self)
        return others[setting.path] ?? (bounds + words)
    }

    /// Settings that are tried together: each with all other adjustments, the rest alone.
    private static func cases() throws -> [[(setting: Setting, text: String)]] {
        let all = try Setting.all.filter { $0.section != "window" && !$0.isPath && $0.path != "adjust.filter" }
            .map { setting in (setting: setting, ends: try ends(of: setting)) }
        let adjustments = all.filter { $0.setting.section == "adjust" }
        let together =
            [adjustments.compactMap { each in each.ends.first.map { (each.setting, $0) } }]
            + [adjustments.compactMap { each in each.ends.last.map { (each.setting, $0) } }]
        let others = all.filter { $0.setting.section != "adjust" }
        return together + others.flatMap { each in each.ends.map { [(each.setting, $0)] } }
    }

    @Test func `both ends of each bounded setting can be encoded`() async throws {
        let folder = try TemporaryFolder()
        let clip = FilePath(
            try SampleClips.make(
                "tiny.mov",
                "-f lavfi -i testsrc2=size=64x64:rate=10:duration=0.4 -f lavfi -i sine=duration=0.4 -ac 2 -pix_fmt yuv420p "
                    + "-c:v libx264 -preset ultrafast -c:a pcm_s16le"))
        let cases = try Self.cases()
        #expect(
            Set(cases.joined().map(\.setting.path)).isSuperset(of: [
                "video.crf", "video.x265Crf", "video.x264Preset", "video.x265Preset", "photo.quality", "audio.bitrate",
                "video.frameRate", "motion.speed", "audio.volume", "adjust.straighten",
            ]))
        for (index, given) in cases.enumerated() {
            var request = ConversionRequest(clip: clip, outputDirectory: folder.path.appending("\(index)"))
            if given[0].setting.key.hasPrefix("x265") { request.preset.video.codec = .hevc }
            try request.preset.replace(given) { NotAllowed(setting: $0.path, reason: $1) }
            await #expect(throws: Never.self, "\(given.map { "\($0.setting.path): \($0.text)" })") {
                _ = try await MediaEngine.inProcess.convert(request)
            }
        }
    }

    private struct NotAllowed: Error {
        let setting: String
        let reason: String
    }
}
