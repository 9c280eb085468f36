import LivePhotoConversion
import MediaModel
import Testing

/// The frame times of animations.
@Suite struct AnimationTimesTests {
    private func times(fps: Int32, seconds: Int64 = 3, timescale: Int32 = 100, shortest: Int64 = 2) throws
        -> AnimationTimes
    {
        let source = (0..<seconds * Int64(fps)).map { MediaTime(value: $0, timescale: fps) }
        let end = MediaTime(value: seconds, timescale: 1)
        let window = try Window(
            Window.Request(start: .zero, end: end, before: .zero, after: .zero), PictureSpan(end: end))
        let range = try #require(FrameRateRange(text: "240"))
        let rate = try #require(FrameRate(fps))
        let schedule = try #require(
            FrameSchedule(
                times: source, window: window,
                cadence: Cadence(source: SourceRate(times: source, nominal: rate), range: range)))
        return AnimationTimes(FrameSequence(schedule), timescale: timescale, shortest: shortest)
    }

    @Test(arguments: [Int32(10), 12, 15, 24, 25, 30, 48, 50])
    func `a GIF keeps all frames of up to 50 per second, each within 0.006 s of its time`(fps: Int32) throws {
        let times = try times(fps: fps)
        #expect(times.entries.count == 3 * Int(fps))
        #expect(times.entries.allSatisfy { $0.duration >= 2 })
        #expect(times.entries.allSatisfy { abs(Double($0.time) / 100 - Double($0.index) / Double(fps)) <= 0.006 })
        #expect(times.duration == MediaTime(value: 3, timescale: 1))
    }

    @Test(arguments: [Int32(60), 90, 120])
    func `frames that would be too short are left out, and the length stays`(fps: Int32) throws {
        let times = try times(fps: fps)
        #expect(times.entries.count <= 150 && times.entries.allSatisfy { $0.duration >= 2 })
        #expect(times.duration == MediaTime(value: 3, timescale: 1))
    }

    @Test func `durations are the distances of times`() throws {
        let entries = try times(fps: 30).entries
        #expect(zip(entries, entries.dropFirst()).allSatisfy { $0.time + $0.duration == $1.time })
        #expect(entries.prefix(4).map(\.duration) == [3, 4, 3, 3])
    }
}
