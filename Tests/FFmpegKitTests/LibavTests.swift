import Bytes
import FFmpegKit
import MediaModel
import SystemPackage
import Testing

@Suite struct EncoderTests {
    @Test func `the H.264 encoder gives its parameter sets before the first picture`() throws {
        let encoder = try VideoEncoder(
            VideoEncoder.Settings(
                size: PixelSize(width: 64, height: 64), color: .bt709, frameRate: .whole(15), timescale: 600,
                preset: "ultrafast", crf: 20, keyFrameInterval: 15, parameters: []))
        #expect(encoder.parameterSets.starts(with: [0, 0, 0, 1, 0x67]))  // a start code, NAL unit type 7
    }

    @Test func `an x264 preset that does not exist is an error that names the call`() {
        let error = #expect(throws: LibavError.self) {
            _ = try VideoEncoder(
                VideoEncoder.Settings(
                    size: PixelSize(width: 64, height: 64), color: .bt709, frameRate: .whole(15), timescale: 600,
                    preset: "lightspeed", crf: 20, keyFrameInterval: 15, parameters: []))
        }
        #expect(error?.call == "avcodec_open2")
        #expect(error?.logLine?.contains("lightspeed") == true)
    }

    @Test(
        arguments: [(48_000, 2, [0x11, 0x90]), (44_100, 2, [0x12, 0x10]), (44_100, 1, [0x12, 0x08])]
            as [(Int, Int, [UInt8])])
    func `the AAC encoder tells its configuration and its priming`(rate: Int, channels: Int, config: [UInt8]) throws {
        let encoder = try AACEncoder(sampleRate: rate, channels: channels, bitRate: 128_000)
        #expect(encoder.configuration.starts(with: config))
        #expect(encoder.primingSamples == 1024)
    }

    @Test(arguments: [(100, 1), (96, 1), (92, 2), (85, 4), (75, 6), (50, 13), (1, 31), (0, 31), (101, 1)])
    func `a JPEG's quality becomes the nearest step of libavcodec's scale`(quality: Int, scale: Int) {
        #expect(JPEGEncoder.quantizerScale(quality: quality) == scale)
    }
}

@Suite struct LibavVersionsTests {
    @Test func `libav says which release it is, and x264 what it is`() throws {
        let versions = LibavVersions()
        #expect(versions.libraries.map(\.name) == ["libavutil", "libavcodec", "libavformat", "libavfilter"])
        #expect(versions.libraries.allSatisfy { $0.version.split(separator: ".").count == 3 })
        #expect(try #require(versions.x264).first?.isNumber == true)
        #expect(LibavVersions.hasEncoder("libx264") && !LibavVersions.hasEncoder("lightspeed"))
    }
}

@Suite struct LibavErrorTests {
    @Test func `a file that is no clip is an error with libav's words`() throws {
        let error = #expect(throws: LibavError.self) { _ = try Demuxer(InputFile("/dev/null")) }
        #expect(error?.call == "avformat_open_input")
        #expect(
            error?.description.hasPrefix("avformat_open_input: Invalid data found") == true,
            "\(error?.description ?? "")")
    }
}
