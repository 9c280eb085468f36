import FFmpegKit
import LivePhotoConversion
import MediaModel
import QuickTime
import Testing

private func video(
    _ width: Int, _ height: Int, sar: AspectRatio = AspectRatio(1, 1), _ orientation: Orientation = .upright,
    format: PixelFormat = PixelFormat(name: "yuv420p"),
    color: ColorDescription = ColorDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
) -> VideoParameters {
    VideoParameters(
        codedSize: PixelSize(width: width, height: height), sampleAspectRatio: sar, orientation: orientation,
        pixelFormat: format, color: color, averageFrameRate: .whole(30))
}

@Suite struct PictureGeometryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let video: VideoParameters
        var maximum = "1920x1080"
        let movie: String
        let photo: String
        var testDescription: String { "\(video.codedSize) gives \(movie)" }
    }

    @Test(arguments: [
        Case(video: video(1920, 1080), movie: "1920x1080", photo: "1920x1080"),
        Case(video: video(3840, 2160), movie: "1920x1080", photo: "3840x2160"),
        Case(video: video(1080, 1920), movie: "1080x1920", photo: "1080x1920"),
        Case(video: video(1920, 1080, .rotated90Clockwise), movie: "1080x1920", photo: "1080x1920"),
        Case(video: video(1920, 1080, .rotated180), movie: "1920x1080", photo: "1920x1080"),
        Case(video: video(1440, 1080), movie: "1440x1080", photo: "1440x1080"),
        Case(video: video(2880, 2160), movie: "1440x1080", photo: "2880x2160"),
        Case(video: video(1920, 1440), movie: "1440x1080", photo: "1920x1440"),
        Case(video: video(1440, 1080, sar: AspectRatio(4, 3)), movie: "1920x1080", photo: "1920x1080"),
        Case(video: video(720, 576, sar: AspectRatio(16, 15)), movie: "768x576", photo: "768x576"),
        Case(video: video(720, 480, sar: AspectRatio(8, 9)), movie: "640x480", photo: "640x480"),
        Case(video: video(720, 576, sar: AspectRatio(16, 15), .rotated90Clockwise), movie: "576x768", photo: "576x768"),
        Case(video: video(161, 121), movie: "160x120", photo: "161x121"),
        Case(video: video(1, 1), movie: "2x2", photo: "1x1"),
        Case(video: video(2, 2), movie: "2x2", photo: "2x2"),
        Case(video: video(3000, 10), movie: "1920x6", photo: "3000x10"),
        Case(video: video(1920, 1080), maximum: "1280x720", movie: "1280x720", photo: "1920x1080"),
        Case(video: video(7680, 4320), movie: "1920x1080", photo: "7680x4320"),
    ])
    func `movies fit the maximum, upright, even and with square pixels, and are never enlarged; photos keep full size`(
        test: Case
    ) throws {
        let geometry = try PictureGeometry(test.video, maximum: try MaximumSize(test.maximum))
        #expect(geometry.movie.size.description == test.movie)
        #expect(geometry.photo.size.description == test.photo)
    }
}

@Suite struct PictureFiltersTests {
    private func movie(_ video: VideoParameters) throws -> String {
        let geometry = try PictureGeometry(video, maximum: try MaximumSize("1920x1080"))
        return PictureFilters(video, geometry, to: .movie(geometry)).description
    }

    @Test func `a picture that is right as it is passes untouched`() throws {
        #expect(try movie(video(1920, 1080)).isEmpty)
        #expect(try movie(video(1920, 1080, color: .bt709)).isEmpty)
    }

    @Test(arguments: [
        (video(640, 480), "matrixin=6:primariesin=1"),
        (
            video(720, 576, color: ColorDescription(primaries: 5, transfer: 6, matrix: 5, isFullRange: false)),
            "matrixin=5:primariesin=5"
        ),
        (video(1920, 1080, format: PixelFormat(name: "yuvj420p")), "rangein=full"),
        (
            video(1920, 1080, color: ColorDescription(primaries: 9, transfer: 14, matrix: 9, isFullRange: false)),
            "matrixin=9:primariesin=9:transferin=1"
        ),
        (video(1280, 720, format: PixelFormat(name: "gbrp", isRGB: true)), "matrixin=0"),
    ])
    func `colours are converted, not relabelled`(video: VideoParameters, part: String) throws {
        let filters = try movie(video)
        #expect(filters.contains(part))
        #expect(filters.contains(":matrix=1:primaries=1:transfer=1:range=limited"))
        #expect(filters.contains("format=yuv420p"))
    }

    @Test(arguments: [
        (1920, 1080, "yuv420p", true, false), (1920, 1080, "yuv420p", false, true),
        (3840, 2160, "yuv420p", false, true),
        (1918, 1080, "yuv420p10le", false, true), (1920, 1080, "yuv422p", false, false),
    ])
    func `chroma is moved to the left from elsewhere`(
        width: Int, height: Int, format: String, isAtLeft: Bool, isMoved: Bool
    ) throws {
        let spacing = PixelSize(width: 2, height: format == "yuv422p" ? 1 : 2)
        let format = PixelFormat(
            name: format, bitsPerComponent: format.hasSuffix("10le") ? 10 : 8, chromaSpacing: spacing)
        var video = video(width, height, format: format, color: .bt709)
        video.hasChromaAtLeft = isAtLeft
        #expect(try movie(video).contains("zscale=chromal=left") == isMoved)
    }

    @Test(arguments: [16, 18] as [UInt16]) func `HDR is tone-mapped after scaling`(transfer: UInt16) throws {
        let color = ColorDescription(primaries: 9, transfer: transfer, matrix: 9, isFullRange: false)
        let format = PixelFormat(name: "yuv420p10le", bitsPerComponent: 10)
        let filters = try movie(video(3840, 2160, format: format, color: color))
        let scale = try #require(filters.firstRange(of: "scale=w=1920:h=1080"))
        let toneMap = try #require(filters.firstRange(of: ",tonemap,"))
        #expect(scale.lowerBound < toneMap.lowerBound)
    }

    @Test(arguments: Orientation.allCases) func `every orientation is turned into pixels after scaling`(
        orientation: Orientation
    ) throws {
        let filters = try movie(video(3840, 2160, orientation, color: .bt709))
        #expect(filters.hasPrefix("scale=w=1920:h=1080:"))
        let turns = filters.split(separator: ",").filter { $0.hasPrefix("transpose") || $0 == "hflip" || $0 == "vflip" }
        #expect(turns.isEmpty == (orientation == .upright))
        #expect(turns.contains { $0.hasPrefix("transpose") } == orientation.swapsAxes)
    }

    private static let rgba = PixelFormat(name: "rgba", isRGB: true, hasAlpha: true)
    private static let yuva = PixelFormat(name: "yuva420p", hasAlpha: true)

    // From the formulas of H.273, with the weights of each matrix.
    @Test(
        arguments: [
            ("black", .bt709, [16, 128, 128]), ("white", .bt709, [235, 128, 128]), ("gray", .bt709, [126, 128, 128]),
            ("red", .bt709, [63, 102, 240]), ("blue", .bt709, [32, 240, 118]), ("yellow", .bt709, [219, 16, 138]),
            ("red", .jfif, [76, 85, 255]), ("blue", .jfif, [29, 255, 107]), ("white", .jfif, [255, 128, 128]),
            ("red", ColorDescription(primaries: 5, transfer: 6, matrix: 5, isFullRange: false), [81, 90, 240]),
            ("red", ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false), [74, 97, 240]),
            ("white", ColorDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false), [235, 128, 128]),
        ] as [(String, ColorDescription, [UInt8])])
    func `a background has the code values of the clip's matrix and range`(
        name: String, color: ColorDescription, values: [UInt8]
    ) throws {
        let background = try BackgroundColor(name)
        let video = video(1920, 1080, format: Self.yuva, color: color)
        let geometry = try PictureGeometry(video, maximum: nil)
        let filters = PictureFilters(video, geometry, to: .movie(geometry), background: background).description
        #expect(filters.contains(",lutyuv=y=\(values[0]):u=\(values[1]):v=\(values[2])[ground];"), "\(filters)")
    }

    @Test func `what is transparent is filled before the picture is scaled, and only where the format has alpha`()
        throws
    {
        let filters = try movie(video(3840, 2160, format: Self.rgba))
        let fill = try #require(filters.firstRange(of: "lutrgb=r=0:g=0:b=0[ground]"))
        let scale = try #require(filters.firstRange(of: "scale=w=1920:h=1080"))
        #expect(fill.upperBound < scale.lowerBound)
        #expect(try !movie(video(3840, 2160)).contains("lut"))
    }
}

@Suite struct AudioPlanTests {
    private func track(
        _ rate: Int, _ channels: Int, configuration: [UInt8]? = nil, isContinuous: Bool = true
    ) -> ClipDescription.AudioTrack {
        let parameters = AudioParameters(sampleRate: rate, channels: channels, aacLCConfiguration: configuration)
        return ClipDescription.AudioTrack(
            stream: StreamInfo(index: 1, audio: parameters, codecName: "aac"), isContinuous: isContinuous)
    }

    @Test(
        arguments: [
            ([0x12, 0x10], 44_100, 2), ([0x11, 0x88], 48_000, 1), ([0x11, 0x90, 0x56, 0xE5, 0x00], 48_000, 2),
        ] as [([UInt8], Int, Int)])
    func `AAC-LC that fits is copied`(configuration: [UInt8], rate: Int, channels: Int) {
        let plan = AudioPlan(track(rate, channels, configuration: configuration), mode: .keep, bitRate: 128_000)
        guard case .copy(1, let format) = plan else {
            Issue.record("not copied: \(plan)")
            return
        }
        #expect(format.sampleRate == rate && format.channels == channels)
    }

    @Test(
        arguments: [
            ([0x12, 0x10], 44_100, 2, false),  // packets with gaps
            ([0x2B, 0x92, 0x08, 0x00], 44_100, 2, true),  // object type 5: HE-AAC
            ([0x13, 0x10, 0x56, 0xE5, 0x98], 44_100, 2, true),  // SBR present, told backward-compatibly
            ([0x12, 0x14], 44_100, 2, true),  // 960 samples a packet
            ([0x11, 0xB0], 48_000, 6, true),  // 5.1
            ([0x14, 0x10], 16_000, 2, true),
            ([0x13, 0x90], 44_100, 2, true),  // 22.05 kHz that decodes to twice that: SBR, not told
        ] as [([UInt8], Int, Int, Bool)])
    func `AAC that does not fit is re-encoded`(configuration: [UInt8], rate: Int, channels: Int, isContinuous: Bool) {
        let sound = track(rate, channels, configuration: configuration, isContinuous: isContinuous)
        guard case .encode = AudioPlan(sound, mode: .keep, bitRate: 128_000) else {
            Issue.record("not encoded")
            return
        }
    }

    @Test(arguments: [
        (8_000, 48_000), (11_025, 44_100), (22_050, 44_100), (88_200, 44_100), (44_100, 44_100), (96_000, 48_000),
        (0, 48_000),
    ])
    func `other sound becomes AAC-LC at 44.1 or 48 kHz with at most two channels`(rate: Int, expected: Int) {
        #expect(
            AudioPlan(track(rate, 6), mode: .keep, bitRate: 128_000)
                == .encode(stream: 1, sampleRate: expected, channels: 2, bitRate: 128_000))
        #expect(
            AudioPlan(track(rate, 1), mode: .keep, bitRate: 128_000)
                == .encode(stream: 1, sampleRate: expected, channels: 1, bitRate: 64_000))
    }

    @Test(arguments: [(8_000, 8_000), (12_000, 8_000), (16_000, 8_000), (20_000, 10_000)])
    func `mono sound gets half the bit rate, though not less than the lowest`(asked: Int, expected: Int) {
        #expect(
            AudioPlan(track(48_000, 1), mode: .keep, bitRate: asked)
                == .encode(stream: 1, sampleRate: 48_000, channels: 1, bitRate: expected))
    }

    @Test func `no sound is fine, and can be asked for`() {
        #expect(AudioPlan(nil, mode: .keep, bitRate: 128_000) == .none)
        #expect(AudioPlan(track(48_000, 2), mode: .discard, bitRate: 128_000) == .none)
    }
}
