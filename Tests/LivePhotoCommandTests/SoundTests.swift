import Foundation
import Testing

@Suite struct SoundTests {
    @Test func `sound that cannot be converted is left out, with a warning`() throws {
        // Ten channels of no known layout, which libswresample does not mix down.
        let channels = (["sin(440*t)"] + Array(repeating: "0", count: 9)).joined(separator: "|")
        let clip = try SampleClips.make(
            "ten.mov",
            "-f lavfi -i testsrc2=size=320x180:rate=30:duration=3 -f lavfi -i aevalsrc=\(channels):s=48000:d=3"
                + " -c:v libx264 -pix_fmt yuv420p -c:a pcm_s16le")
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        #expect(report.warnings.count == 1 && report.warnings[0].hasPrefix("the clip's sound cannot be converted ("))
        #expect(try !Reader.streams(report.movie).contains { $0["codec_type"] as? String == "audio" })
    }

    @Test func `the sound of 5.1 becomes stereo of the same length`() throws {
        let clip = try SampleClips.moving("surround.mkv", sound: "ac3", more: "-ac 6")
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        let sound = try #require(try Reader.streams(report.movie).first { $0["codec_type"] as? String == "audio" })
        #expect(sound["codec_name"] as? String == "aac" && sound["channels"] as? Int == 2)
        #expect(abs(try Reader.soundLength(report.movie) - report.duration) < 0.01)
    }
}
