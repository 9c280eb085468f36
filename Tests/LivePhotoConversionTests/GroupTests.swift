import FFmpegKit
import Foundation
import LivePhotoConversion
import LivePhotoKit
import MediaModel
import TestSupport
import Testing

/// Groups of pictures, each from a key frame to the next.
@Suite struct GroupTests {
    private static let settings = VideoEncoder.Settings(
        size: PixelSize(width: 64, height: 64), color: .bt709, frameRate: .whole(15), timescale: 600, preset: "faster",
        crf: 20, keyFrameInterval: 15, parameters: [])

    private func picture(_ index: Int) throws -> Frame {
        let planes = [64 * 64, 32 * 32, 32 * 32].map { [UInt8](repeating: UInt8(index), count: $0) }
        return try Frame(size: Self.settings.size, format: "yuv420p", color: .bt709, planes: planes)
            .shown(at: MediaTime(value: Int64(index) * 40, timescale: 600))
    }

    private func group(_ settings: VideoEncoder.Settings) throws -> GroupEncoder {
        try GroupEncoder(settings, capacity: 2) {}
    }

    @Test(arguments: [(45, 15, 15), (16, 15, 8), (90, 30, 30), (91, 30, 23), (1, 15, 2)])
    func `groups of HEVC, which all cores encode together, are as long as they may be`(
        frames: Int, longest: Int, expected: Int
    ) {
        var settings = Self.settings
        (settings.codec, settings.keyFrameInterval) = (.hevc, longest)
        #expect(ConversionPlan.picturesOfGroup(frames: frames, settings) == expected)
    }

    @Test(arguments: [
        (45, 15, 12), (30, 15, 15), (31, 15, 8), (16, 15, 8), (90, 30, 23), (900, 30, 30), (43, 14, 11), (2, 15, 2),
        (1, 15, 2), (6, 2, 2),
    ])
    func `a movie has an even number of groups, none of them longer than about a second`(
        frames: Int, longest: Int, expected: Int
    ) {
        var settings = Self.settings
        settings.keyFrameInterval = longest
        let pictures = ConversionPlan.picturesOfGroup(frames: frames, settings)
        #expect(pictures == expected && pictures <= longest)
    }

    @Test(
        arguments: [
            (.h264, nil, 8, 8), (.h264, 256, 8, 1), (.h264, 1024, 8, 2), (.h264, 4096, 8, 8), (.h264, 1024, 1, 1),
            (.hevc, nil, 1, 1), (.hevc, nil, 3, 1), (.hevc, nil, 4, 2), (.hevc, nil, 8, 3), (.hevc, 1024, 8, 1),
        ] as [(VideoCodec, Int?, Int, Int)])
    func `encoders of HEVC share up to three threads, and fewer groups are encoded at a time where memory is limited`(
        codec: VideoCodec, megabytes: Int?, threads: Int, expected: Int
    ) {
        var settings = Self.settings
        settings.codec = codec
        settings.size = PixelSize(width: 1920, height: 1080)
        let encoders = ConversionPlan.encodersAtOnce(
            settings, threads: threads, memory: megabytes.map { $0 << 20 })
        #expect(encoders == expected)
    }

    @Test(
        arguments: [
            (.h264, 45, [1, 1, 1, 2]), (.h264, 16, [1, 2]), (.h264, 1, [2]), (.hevc, 45, [3, 3, 3]), (.hevc, 1, [3]),
        ] as [(VideoCodec, Int, [Int])])
    func `two threads encode the last group of an H.264 movie, and one encodes each of the others`(
        codec: VideoCodec, frames: Int, expected: [Int]
    ) {
        var settings = Self.settings
        (settings.codec, settings.threads) = (codec, codec == .h264 ? 1 : 3)
        let threads = expected.indices.map {
            ConversionPlan.encoderThreads(ofGroup: $0, frames: frames, settings)
        }
        #expect(threads == expected)
    }

    @Test(.timeLimit(.minutes(1))) func `a group begins with its only key frame, and holds all its pictures`() throws {
        let group = try group(Self.settings)
        for index in 15..<25 { #expect(group.encode(try picture(index))) }
        group.finish()
        let output = try group.output()
        #expect(output.parameterSets.starts(with: [0, 0, 0, 1, 0x67]))
        #expect(output.samples.map(\.presentationTime).sorted() == (15..<25).map { $0 * 40 })
    }

    @Test(arguments: ["asm=0", "asm=sse2", "asm=ssse3", "asm=avx", "asm=avx2"], [1, 2])
    func `x264 writes the same bytes whatever vector instructions a processor has`(
        instructions: String, threads: Int
    ) throws {
        var settings = Self.settings
        settings.size = PixelSize(width: 240, height: 144)
        settings.parameters = ["bframes=0", "rc-lookahead=3"]
        settings.threads = threads
        let usual = try movingPictures(settings)
        settings.parameters.append(instructions)
        #expect(try movingPictures(settings) == usual)
    }

    @Test(arguments: [["bframes=0", "rc-lookahead=3"], ["bframes=3", "rc-lookahead=10"]])
    func `two threads of x264 write the same bytes each time`(parameters: [String]) throws {
        var settings = Self.settings
        settings.size = PixelSize(width: 240, height: 144)
        settings.parameters = parameters
        settings.threads = 2
        let first = try movingPictures(settings)
        for _ in 1..<20 { #expect(try movingPictures(settings) == first) }
    }

    /// The samples of a textured area that moves over another one.
    private func movingPictures(_ settings: VideoEncoder.Settings) throws -> [VideoEncoder.Sample] {
        let encoder = try VideoEncoder(settings)
        var samples: [VideoEncoder.Sample] = []
        let (width, height) = (settings.size.width, settings.size.height)
        let chroma = [UInt8](repeating: 128, count: width * height / 4)
        for index in 0..<15 {
            let luma = (0..<width * height).map { place in
                let (x, y) = (place % width, place / width)
                let isInside = (60..<180).contains(x - 3 * index) && (30..<110).contains(y)
                let (column, row) = isInside ? (x - 3 * index, y) : (x + index / 2, y + 1)
                return UInt8(truncatingIfNeeded: (column * column * 7 + row * row * 3 + column * row) >> 4)
            }
            let picture = try Frame(
                size: settings.size, format: "yuv420p", color: .bt709, planes: [luma, chroma, chroma])
            try encoder.encode(picture.shown(at: MediaTime(value: Int64(index) * 40, timescale: 600))) {
                samples.append($0)
            }
        }
        try encoder.encode(nil) { samples.append($0) }
        return samples
    }

    @Test(.timeLimit(.minutes(1))) func `an encoder that fails takes no more pictures and gives its error`() throws {
        var settings = Self.settings
        settings.preset = "lightspeed"
        let group = try group(settings)
        while group.encode(try picture(0)) {}
        let error = #expect(throws: LibavError.self) { try group.output() }
        #expect(error?.call == "avcodec_open2")
    }

    @Test(.timeLimit(.minutes(1))) func `a group that is stopped has ended`() throws {
        let group = try group(Self.settings)
        #expect(group.encode(try picture(0)))
        group.stop()
        #expect(!group.encode(try picture(1)))
    }

    @Test func `key frames are where groups begin, whatever the clip shows`() async throws {
        let folder = try TemporaryFolder()
        // Every picture is another one.
        try Program.ffmpeg(
            "-f lavfi -i nullsrc=size=64x64:rate=15:duration=4,geq='random(1)*255':128:128 -c:v libx264 -crf 30",
            to: folder.path("noise.mp4"))
        let request = ConversionRequest(clip: folder.path.appending("noise.mp4"), outputDirectory: folder.path)
        let movie = try await MediaEngine.inProcess.convert(request).movie.string
        let flags = try Program.run([
            "ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=flags", "-of", "csv=p=0", movie,
        ]).split(separator: "\n").map { $0.contains("K") }
        #expect(flags.count == 45)
        #expect(flags.indices.filter { flags[$0] } == [0, 12, 24, 36])
        let errors = try Program.run([
            "ffmpeg", "-v", "error", "-xerror", "-err_detect", "explode", "-i", movie, "-f", "null", "-",
        ])
        #expect(errors.isEmpty)
    }
}
