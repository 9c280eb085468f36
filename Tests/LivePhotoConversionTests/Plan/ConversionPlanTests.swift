import FFmpegKit
import LivePhotoConversion
import LivePhotoKit
import MediaModel
import Testing

@Suite struct ConversionPlanTests {
    private func plan(
        _ frames: [MediaTime], still: Double, of length: Double, isInterlaced: Bool = false,
        endOfPicture: Double? = nil, videoCodec: String = "h264",
        change: (inout ClipWork) throws -> Void = { _ in }
    ) throws -> ConversionPlan {
        let picture = VideoParameters(
            codedSize: PixelSize(width: 3840, height: 2160), orientation: .rotated90Clockwise,
            pixelFormat: PixelFormat(name: "yuv420p"), color: .bt709, averageFrameRate: nil, isInterlaced: isInterlaced)
        var clip = ClipDescription(
            path: "beach.mov", span: PictureSpan(end: seconds(length)), picture: picture, audio: nil,
            frameTimes: frames, endOfPicture: endOfPicture.map(seconds), entry: .clipStart)
        clip.videoCodec = videoCodec
        var work = ClipWork("beach.mov", .classic, to: ".")
        work.contentIdentifier = ContentIdentifier("CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC")
        try change(&work)
        let window = Window.Request(still: seconds(still), before: seconds(1.5), after: seconds(1.5))
        let decoding = try DecodingPlan(work, clip, Window(window, PictureSpan(end: seconds(length))))
        return ConversionPlan(decoding, try PicturePlan(decoding))
    }

    @Test func `a plan tells everything before any work is done`() throws {
        let plan = try plan(times(60, seconds: 8), still: 4, of: 8)
        #expect(plan.movieSize == PixelSize(width: 1080, height: 1920))
        #expect(plan.photoSize == PixelSize(width: 2160, height: 3840))
        #expect(plan.frameRate == .whole(15) && plan.frameCount == 45 && plan.duration == seconds(3))
        #expect(plan.stillInClip == seconds(4) && plan.start + plan.stillTime == seconds(4))
        #expect(plan.warnings.isEmpty)
        #expect(
            plan.summary.description == """
                clip: beach.mov, 8 s
                movie: 1080x1920, 45 frames at 15 fps, 3 s, from 2.533 s of the clip
                still: 1.467 s in the movie, 4 s in the clip
                photo: 2160x3840, JPEG quality 92
                video: H.264 High, x264 faster, CRF 20
                audio: none
                date: none
                identifier: CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC
                """)
        #expect(
            plan.summary.filters == """
                scale=w=1920:h=1080:flags=bicubic+accurate_rnd+full_chroma_int:in_range=limited:out_range=limited,\
                format=yuv420p,transpose=clock
                """)
    }

    @Test(arguments: [
        (24, 1, 24), (30, 1, 30), (24_000, 1_001, 24), (30_000, 1_001, 30), (60_000, 1_001, 30), (1, 1, 2),
    ])
    func `the movie has a key frame about every second`(rate: Int32, divisor: Int32, expected: Int) throws {
        let plan = try plan(times(rate, divisor, seconds: 8), still: 4, of: 8) {
            $0.preset.video.frameRate = try FrameRateRange("24000/1001-30")
        }
        #expect(plan.encoder.keyFrameInterval == expected)
    }

    @Test(
        arguments: [
            (.h264, 1, false, 1), (.h264, 8, false, 8), (.hevc, 1, false, 1), (.hevc, 2, false, 1),
            (.hevc, 3, false, 1),
            (.hevc, 8, false, 4), (.h264, 8, true, 4),
        ] as [(VideoCodec, Int, Bool, Int)])
    func `half of the threads decode what is encoded as HEVC, in an edit of HEVC too`(
        codec: VideoCodec, threads: Int, isEditOfHEVC: Bool, expected: Int
    ) throws {
        let plan = try plan(
            times(30, seconds: 8), still: 4, of: 8, videoCodec: isEditOfHEVC ? "hevc" : "h264"
        ) {
            ($0.preset.video.codec, $0.threads) = (codec, threads)
            if isEditOfHEVC { $0.product = .edit(EditWork()) }
        }
        #expect(plan.decoding.decodingThreads == expected && plan.processingThreads == threads)
    }

    @Test func `an interlaced clip is deinterlaced`() throws {
        let interlaced = try plan(times(25, seconds: 8), still: 4, of: 8, isInterlaced: true)
        #expect(interlaced.summary.filters.hasPrefix("deinterlace,scale="))
        #expect(try !plan(times(25, seconds: 8), still: 4, of: 8).summary.filters.contains("deinterlace"))
    }

    @Test func `the same request for the same clip gives the same plan`() throws {
        #expect(try plan(times(25, seconds: 8), still: 4, of: 8) == plan(times(25, seconds: 8), still: 4, of: 8))
    }

    @Test func `what a user may not expect is a warning`() throws {
        #expect(
            try plan(times(10, seconds: 8), still: 4, of: 8).warnings == [
                "the clip has only 10 fps; its frames are kept as they are"
            ])
        #expect(
            try plan([.zero], still: 0, of: 0.04).warnings == [
                "the movie has only one frame: the Live Photo will not move"
            ])
        #expect(
            try plan(times(30, seconds: 4), still: 7, of: 8, endOfPicture: 4).warnings == [
                "the clip's picture ends at 4 s, before the still time 7 s; its last frame is the photo",
                "the movie has only one frame: the Live Photo will not move",
            ])
        #expect(
            try plan([0, 3, 6].map(seconds), still: 8, of: 8, endOfPicture: 9).warnings.count { $0.contains("ends at") }
                == 0)
    }
}
