import Bytes
import MediaModel
import QuickTime
import SystemPackage
import TestSupport
import Testing

@Suite struct MovieWriterErrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func writer(audio: AudioFormat? = nil) throws -> MovieWriter {
        try MovieWriter(
            to: OutputFile(creating: folder.path.appending("movie.mov")), video: TestMovie.videoFormat(), audio: audio)
    }

    private static let keyFrame = TestMovie.accessUnit(isKey: true)
    private static let oneFrame = MovieTiming(duration: TestMovie.ticks(40), stillTime: .zero)

    @Test(arguments: [(0, 1080), (1920, 0), (65536, 1080), (-1, 1)])
    func `a size that 16 bits do not hold is an error`(width: Int, height: Int) throws {
        let format = try TestMovie.videoFormat(width: width, height: height)
        let file = try OutputFile(creating: folder.path.appending("movie.mov"))
        #expect(throws: MovieWriterError.sizeOutOfRange(format.size)) {
            _ = try MovieWriter(to: file, video: format, audio: nil)
        }
    }

    @Test(arguments: [(96000, 2, 2), (0, 2, 2), (48000, 0, 2), (48000, 2, 256)])
    func `audio that a sound description does not hold is an error`(rate: Int, channels: Int, config: Int) {
        let format = AudioFormat(
            sampleRate: rate, channels: channels, audioSpecificConfig: Array(repeating: 0, count: config))
        #expect(throws: MovieWriterError.audioFormatOutOfRange) { _ = try writer(audio: format) }
    }

    @Test(arguments: [
        MediaTime(value: -1, timescale: 600), MediaTime(value: 1, timescale: 601), MediaTime(value: 1, timescale: 1000),
        MediaTime(value: .max, timescale: 1), MediaTime(value: 1 << 31, timescale: 600),
    ])
    func `a time off the grid is an error`(time: MediaTime) throws {
        let writer = try writer()
        #expect(throws: MovieWriterError.timeOffGrid(time)) {
            try writer.appendVideo(annexB: Self.keyFrame.span, presentationTime: time)
        }
    }

    @Test func `a movie without frames is an error`() throws {
        let writer = try writer()
        #expect(throws: MovieWriterError.noFrames) { try writer.finish(Self.oneFrame, metadata: []) }
    }

    @Test func `a movie that does not begin with a key frame is an error`() throws {
        let writer = try writer()
        let unit = TestMovie.accessUnit(isKey: false)
        #expect(throws: MovieWriterError.firstFrameNotSync) {
            try writer.appendVideo(annexB: unit.span, presentationTime: .zero)
        }
    }

    @Test func `a still time between frames is an error`() throws {
        let writer = try writer()
        try writer.appendVideo(annexB: Self.keyFrame.span, presentationTime: .zero)
        let timing = MovieTiming(duration: TestMovie.ticks(40), stillTime: TestMovie.ticks(20))
        #expect(throws: MovieWriterError.stillBetweenFrames(TestMovie.ticks(20))) {
            try writer.finish(timing, metadata: [])
        }
    }

    @Test func `a finished movie takes nothing more`() throws {
        let writer = try writer(audio: TestMovie.audioFormat)
        try writer.appendVideo(annexB: Self.keyFrame.span, presentationTime: .zero)
        try writer.finish(Self.oneFrame, metadata: [])
        #expect(throws: MovieWriterError.finished) {
            try writer.appendVideo(annexB: Self.keyFrame.span, presentationTime: TestMovie.ticks(40))
        }
        #expect(throws: MovieWriterError.finished) { try writer.appendAudio([1]) }
        #expect(throws: MovieWriterError.finished) { try writer.finish(Self.oneFrame, metadata: []) }
    }

    @Test func `audio without a format is an error, as is an empty packet`() throws {
        let silent = try writer()
        #expect(throws: MovieWriterError.audioWithoutFormat) { try silent.appendAudio([1]) }
        let file = try OutputFile(creating: folder.path.appending("audio.mov"))
        let audible = try MovieWriter(to: file, video: TestMovie.videoFormat(), audio: TestMovie.audioFormat)
        #expect(throws: MovieWriterError.sampleSizeOutOfRange(0)) { try audible.appendAudio([]) }
    }

    @Test(
        arguments: [
            (1, nil),
            (0, AudioEdit(firstSample: 0, duration: TestMovie.ticks(1))),
            (1, AudioEdit(firstSample: 1024, duration: TestMovie.ticks(1))),
            (1, AudioEdit(firstSample: .min, duration: TestMovie.ticks(1))),
            (1, AudioEdit(firstSample: .max, duration: TestMovie.ticks(1))),
            (1, AudioEdit(firstSample: 0, duration: .zero)),
            // 1024 samples are 12.8 ticks.
            (1, AudioEdit(firstSample: 0, duration: TestMovie.ticks(14))),
        ] as [(Int, AudioEdit?)])
    func `an edit that does not fit the audio is an error`(packets: Int, edit: AudioEdit?) throws {
        let writer = try writer(audio: TestMovie.audioFormat)
        try writer.appendVideo(annexB: Self.keyFrame.span, presentationTime: .zero)
        for _ in 0..<packets { try writer.appendAudio([1]) }
        var timing = Self.oneFrame
        timing.audio = edit
        #expect(throws: MovieWriterError.audioEditMismatch) { try writer.finish(timing, metadata: []) }
    }

    @Test func `the end of an edit may be rounded up to a tick`() throws {
        let writer = try writer(audio: TestMovie.audioFormat)
        try writer.appendVideo(annexB: Self.keyFrame.span, presentationTime: .zero)
        try writer.appendAudio([1])
        var timing = Self.oneFrame
        timing.audio = AudioEdit(firstSample: 0, duration: TestMovie.ticks(13))
        try writer.finish(timing, metadata: [])
    }
}
