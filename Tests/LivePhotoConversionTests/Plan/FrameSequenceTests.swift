import LivePhotoConversion
import MediaModel
import Testing

/// The order and the times of a movie's frames.
@Suite struct FrameSequenceTests {
    private func schedule(_ count: Int64, still: Double = 0.5) throws -> FrameSchedule {
        let source = (0..<count).map { MediaTime(value: $0, timescale: 15) }
        let end = MediaTime(value: count, timescale: 15)
        let time = MediaTime(seconds: end.seconds * still, timescale: 600)
        let window = try Window(
            Window.Request(still: time, start: .zero, end: end, before: .zero, after: .zero), PictureSpan(end: end))
        return try #require(
            FrameSchedule(times: source, window: window, cadence: .source(.whole(15), limit: .whole(240))))
    }

    private func speed(_ text: String) throws -> PlaybackSpeed { try #require(PlaybackSpeed(text: text)) }

    @Test func `without an effect, all frames are shown once, at their times`() throws {
        let frames = FrameSequence(try schedule(30))
        #expect(frames.items.map(\.index) == Array(0..<30) && frames.items.map(\.ticks) == (0..<30).map { $0 * 40 })
        #expect(frames.durationTicks == 1200 && frames.stillIndex == 15 && frames.turn == 30)
    }

    @Test(arguments: [2, 3, 4]) func `frames that are shown several times share their duration`(repeats: Int) throws {
        let frames = FrameSequence(try schedule(30), repeatingAt: .whole(15 * Int32(repeats)))
        #expect(frames.items.map(\.index) == (0..<30).flatMap { [Int](repeating: $0, count: repeats) })
        #expect(frames.durationTicks == 1200 && frames.stillIndex == 15 * repeats && frames.turn == 30 * repeats)
        #expect(frames.items[frames.stillIndex].ticks == 600)
        let exact = frames.items.indices.map { Double($0) * 40 / Double(repeats) }
        #expect(zip(frames.items, exact).allSatisfy { abs(Double($0.ticks) - $1) < 1 })
        let bounce = FrameSequence(
            try schedule(4), effect: .bounce, repeatingAt: .whole(15 * Int32(repeats)))
        #expect(bounce.turn == 4 * repeats && bounce.items.count == 6 * repeats)
    }

    @Test(arguments: [1, 2, 3, 4, 30] as [Int64])
    func `a bounce goes back without repeating its first and last frame`(count: Int64) throws {
        let frames = FrameSequence(try schedule(count), effect: .bounce)
        let expected = Array(0..<Int(count)) + (Int(count) > 2 ? (1..<Int(count) - 1).reversed() : [])
        #expect(frames.items.map(\.index) == expected && frames.turn == Int(count))
        #expect(frames.items.map(\.ticks) == expected.indices.map { Int64($0) * 40 })
        #expect(frames.durationTicks == Int64(expected.count) * 40)
    }

    @Test func `a loop shows a part whose last frames fade into those before its first`() throws {
        let frames = FrameSequence(try schedule(30), effect: .loop, loop: LoopPart(8..<26, fadeLength: 4))
        #expect(frames.items.map(\.index) == Array(8..<26) && frames.durationTicks == 18 * 40)
        let fades = frames.items.compactMap(\.fade)
        #expect(fades.map(\.index) == [4, 5, 6, 7] && fades.map(\.opacity) == [0.2, 0.4, 0.6, 0.8])
        #expect(frames.items.suffix(4).allSatisfy { $0.fade != nil } && frames.items[frames.stillIndex].index == 15)
    }

    @Test(arguments: [(0, 10, 0), (2, 10, 2), (20, 4, 2), (40, 40, 15)])
    func `a crossfade has no more frames than there are`(start: Int, length: Int, expected: Int) {
        let part = LoopPart(start..<start + length, fadeLength: 100)
        #expect(part.fadeLength == expected && part.frames == start..<start + length)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 100]) func `a loop of any length has frames`(count: Int64) throws {
        let frames = FrameSequence(try schedule(count), effect: .loop)
        #expect(!frames.items.isEmpty && frames.items.allSatisfy { $0.fade.map { $0.index >= 0 } ?? true })
    }

    @Test(arguments: [("0.25", 4800), ("0.5", 2400), ("1", 1200), ("1.5", 800), ("2", 600), ("4", 300)])
    func `speed changes the times, each rounded by itself`(text: String, duration: Int64) throws {
        let frames = FrameSequence(try schedule(30), speed: try speed(text))
        #expect(frames.durationTicks == duration && frames.items.count == 30)
        let exact = frames.items.indices.map { Double($0) * Double(duration) / 30 }
        #expect(zip(frames.items, exact).allSatisfy { abs(Double($0.ticks) - $1) <= 0.5 })
    }

    @Test(arguments: [("0.5", 30), ("2", 15), ("1.5", 15), ("0.25", 60)])
    func `a slow movie of a fast clip has the usual rate, made of more frames`(text: String, clipRate: Int32) throws {
        let (speed, rate) = (try speed(text), FrameRate.whole(clipRate))
        let range = try #require(FrameRateRange(text: "12-15")).ofClip(playedAt: speed, clipRate: rate)
        let source = SourceRate(
            times: (0..<120).map { MediaTime(value: $0, timescale: clipRate) }, nominal: rate)
        let movie = Cadence(source: source, range: range).frameRate.played(at: speed).framesPerSecond
        #expect((11.9...15.1).contains(movie), "\(movie)")
    }

    @Test func `a loop is found where the pictures repeat`() throws {
        // A spot that goes round in 20 pictures, after 7 others.
        let pictures: [[UInt8]] = (0..<60).map { number in
            var picture = [UInt8](repeating: 10, count: 40)
            picture[number < 7 ? 39 : (number - 7) % 20] = number < 7 ? UInt8(30 * number) : 250
            return picture
        }
        let joint = try #require(LoopJoint(pictures, shortest: 15, overlap: 4, containing: 30))
        #expect((joint.end - joint.start).isMultiple(of: 20) && joint.start >= 11, "\(joint)")
        #expect(joint.start..<joint.end - 4 ~= 30, "\(joint)")
    }

    @Test func `of pictures that are all alike, the longest part is the loop`() throws {
        let joint = try #require(
            LoopJoint(
                [[UInt8]](repeating: [1, 2, 3], count: 20), shortest: 5, overlap: 3, containing: 8))
        #expect(joint == LoopJoint(start: 3, end: 20))
        #expect(LoopJoint([[1]], shortest: 1, overlap: 1, containing: 0) == nil)
        #expect(LoopJoint([], shortest: 1, overlap: 1, containing: 0) == nil)
    }

    @Test func `the mean is that of light, and of equal pictures it is the picture`() {
        let ramp = (0..<65_536).map { UInt16($0 % 4 == 3 ? 65_535 : $0) }
        var same = LightMean()
        for _ in 0..<37 { same.add(ramp) }
        #expect(zip(same.rgba, ramp).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        var mixed = LightMean()
        mixed.add([0, 0, 48_000, 65_535])
        mixed.add([65_535, 0, 48_000, 65_535])
        // Half the light of white is 0.73536 in sRGB.
        #expect(mixed.rgba == [48_192, 0, 48_000, 65_535], "\(mixed.rgba)")
    }
}
