import Foundation
import TestSupport
import Testing

@Suite struct DoctorTests {
    private func lines() throws -> [String: String] {
        let outcome = try Program.livephoto("doctor")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let pairs = outcome.output.split(separator: "\n").compactMap { line -> (String, String)? in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let length = ["encoder", "filter", "decoder"].contains(words[0]) ? 2 : 1
            return (words.prefix(length).joined(separator: " "), words.dropFirst(length).joined(separator: " "))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test func `doctor names the release of FFmpeg, as the ffmpeg program does`() throws {
        let release = try #require(try lines()["FFmpeg"])
        #expect(try Program.system("ffmpeg", ["-version"]).output.contains("ffmpeg version \(release) "))
    }

    @Test func `doctor names the core of x264 that stands in what it encodes`() throws {
        let core = try #require(try lines()["x264"])
        #expect(core.hasPrefix("core "))
        let clip = try Data(contentsOf: URL(fileURLWithPath: try SampleClips.beach()))
        #expect(clip.firstRange(of: Data("x264 - \(core)".utf8)) != nil)
    }

    @Test func `doctor names the version of libheif`() throws {
        let version = try #require(try lines()["libheif"])
        #expect(version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil, "\(version)")
    }

    @Test(arguments: [
        "encoder libx264", "encoder libx265", "encoder aac", "encoder mjpeg", "filter scale", "filter zscale",
        "decoder h264",
    ])
    func `doctor says of each part whether it is there`(part: String) throws {
        #expect(try lines()[part]?.hasPrefix("ok (") == true)
    }

    @Test func `doctor says whether libheif can encode HEIC`() throws {
        #expect(try lines()["encoder libheif"]?.hasPrefix("hevc ok (--photo-format heic") == true)
    }

    #if os(Linux)
        @Test func `doctor says what sandbox the system offers, also where it is switched off`() throws {
            let offered = try #require(try lines()["sandbox"]).prefix { $0 != ":" }
            let outcome = try Program.livephoto("doctor", "--sandbox", "off")
            #expect(outcome.status == 0)
            #expect(
                outcome.output.contains(
                    " off; decoders run with all your permissions (the system offers: \(offered))\n"))
        }
    #endif
}
