import LivePhotoConversion
import MediaModel
import TestSupport
import Testing

/// Frame times of a clip of constant rate.
func times(_ numerator: Int32, _ denominator: Int32 = 1, seconds: Double) -> [MediaTime] {
    let count = Int64(seconds * Double(numerator) / Double(denominator))
    return (0..<count).map { MediaTime(value: $0 * Int64(denominator), timescale: numerator) }
}

func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value, timescale: 1_000_000) }

private func range(_ text: String) throws -> FrameRateRange { try FrameRateRange(text) }

private func schedule(_ times: [MediaTime], _ window: Window, range text: String = "12-15") throws -> FrameSchedule {
    let rate = SourceRate(times: times, nominal: nil)
    let cadence = Cadence(source: rate, range: try range(text))
    return try #require(FrameSchedule(times: times, window: window, cadence: cadence))
}

private func window(_ still: Double, of length: Double, before: Double = 1.5, after: Double = 1.5) throws -> Window {
    let request = Window.Request(still: seconds(still), before: seconds(before), after: seconds(after))
    return try Window(request, PictureSpan(end: seconds(length)))
}

@Suite struct CadenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let source: (Int32, Int32)
        let range: String
        let expected: String
        var testDescription: String { "\(source.0)/\(source.1) into \(range) gives \(expected)" }
    }

    @Test(arguments: [
        Case(source: (24000, 1001), range: "12-15", expected: "11.988 fps"),
        Case(source: (24, 1), range: "12-15", expected: "12 fps"),
        Case(source: (25, 1), range: "12-15", expected: "12.5 fps"),
        Case(source: (30000, 1001), range: "12-15", expected: "14.985 fps"),
        Case(source: (30, 1), range: "12-15", expected: "15 fps"),
        Case(source: (48, 1), range: "12-15", expected: "12 fps"),
        Case(source: (50, 1), range: "12-15", expected: "12.5 fps"),
        Case(source: (60000, 1001), range: "12-15", expected: "14.985 fps"),
        Case(source: (60, 1), range: "12-15", expected: "15 fps"),
        Case(source: (120, 1), range: "12-15", expected: "15 fps"),
        Case(source: (240, 1), range: "12-15", expected: "15 fps"),
        Case(source: (14, 1), range: "12-15", expected: "14 fps"),
        Case(source: (15, 1), range: "12-15", expected: "15 fps"),
        Case(source: (60, 1), range: "24-30", expected: "30 fps"),
        Case(source: (50, 1), range: "24-30", expected: "25 fps"),
        Case(source: (24000, 1001), range: "24-30", expected: "23.976 fps"),
    ])
    func `every n-th frame is kept where the rate divides into the range`(test: Case) throws {
        let rate = SourceRate(times: times(test.source.0, test.source.1, seconds: 4), nominal: nil)
        let cadence = Cadence(source: rate, range: try range(test.range))
        guard case .grid(let kept) = cadence else {
            Issue.record("no grid")
            return
        }
        #expect(kept.description == test.expected)
        let exact = (rate.rate.framesPerSecond / kept.framesPerSecond)
        #expect(abs(exact - exact.rounded()) < 1e-9, "not every n-th frame")
    }

    @Test(arguments: [(20, 15), (16, 15), (23, 15), (35, 15)] as [(Int32, Int32)])
    func `a rate that does not divide into the range goes on the grid of the range's end`(source: Int32, grid: Int32)
        throws
    {
        let rate = SourceRate(times: times(source, seconds: 4), nominal: FrameRate(source))
        #expect(Cadence(source: rate, range: try range("12-15")) == .grid(.whole(grid)))
    }

    @Test(arguments: [1, 5, 10] as [Int32]) func `a slower clip keeps its frames`(source: Int32) throws {
        let rate = SourceRate(times: times(source, seconds: 8), nominal: nil)
        #expect(Cadence(source: rate, range: try range("12-15")) == .source(.whole(source), limit: .whole(15)))
    }

    @Test func `frames at irregular times go on the grid`() throws {
        let uneven = (0..<60).map { MediaTime(value: Int64($0) * 1001 + Int64($0 * 7 % 5) * 300, timescale: 30000) }
        let rate = SourceRate(times: uneven, nominal: FrameRate(30))
        #expect(!rate.isRegular)
        #expect(Cadence(source: rate, range: try range("12-15")) == .grid(.whole(15)))
    }

    @Test(arguments: [24, 25, 30, 50, 60, 120] as [Int32]) func `time stamps in whole milliseconds are regular`(
        rate: Int32
    ) {
        let coarse = times(rate, seconds: 3).map { $0.rescaled(to: 1000) }
        let measured = SourceRate(times: coarse, nominal: nil)
        #expect(measured.isRegular)
        #expect(measured.rate == .whole(rate))
    }

    @Test func `a lost frame does not change the rate`() {
        var lossy = times(30, seconds: 3)
        lossy.remove(at: 40)
        #expect(SourceRate(times: lossy, nominal: nil) == SourceRate(times: times(30, seconds: 3), nominal: nil))
    }
}

@Suite struct FrameScheduleTests {
    @Test(
        arguments: [
            (30, 1), (30000, 1001), (24, 1), (24000, 1001), (25, 1), (50, 1), (60, 1), (60000, 1001), (120, 1), (10, 1),
            (20, 1),
        ] as [(Int32, Int32)])
    func `the still is the frame that the clip shows, and is exactly at a frame of the movie`(
        source: (Int32, Int32)
    ) throws {
        let frames = times(source.0, source.1, seconds: 10)
        for still in [0.0, 0.01, 1.234, 2.5, 5.0, 7.77, 9.99] {
            let plan = try schedule(frames, try window(still, of: 10))
            let entry = plan.entries[plan.stillIndex]
            #expect(entry.source == frames.last { $0 <= seconds(still) })
            #expect(plan.entries[0].ticks == 0)
            #expect(
                zip(plan.entries, plan.entries.dropFirst()).allSatisfy { $0.ticks < $1.ticks && $0.source < $1.source })
            #expect(plan.durationTicks > plan.entries[plan.entries.count - 1].ticks)
            // From the movie's clock back to the clip's: within a tick.
            let place = plan.start + MediaTime(value: entry.ticks, timescale: 600)
            #expect(abs((place - entry.source).seconds) <= 1.0 / 600)
        }
    }

    @Test(
        arguments: [(24000, 1001, 47, 1.961), (60000, 1001, 119, 1.986), (30, 1, 50, 1.667)]
            as [(Int32, Int32, Int, Double)])
    func `no frame is shown late because the clip's end is rounded up to a millisecond`(
        numerator: Int32, denominator: Int32, count: Int, length: Double
    ) throws {
        let frames = times(numerator, denominator, seconds: 2).prefix(count).map { $0.rescaled(to: 1000) }
        let plan = try schedule(frames, try window(length / 2, of: length))
        let steps = zip(plan.entries.dropFirst(), plan.entries).map { ($0.source - $1.source).seconds }
        let longest = try #require(steps.max())
        #expect(steps.allSatisfy { $0 > longest - 0.0021 }, "\(steps)")
    }

    @Test(
        arguments: [(30, 1, 40), (30000, 1001, 40), (25, 1, 48), (24, 1, 50), (60, 1, 40), (120, 1, 40)]
            as [(Int32, Int32, Int64)])
    func `times are rounded to the tick frame by frame, never accumulated`(
        numerator: Int32, denominator: Int32, step: Int64
    ) throws {
        let plan = try schedule(times(numerator, denominator, seconds: 10), try window(5, of: 10))
        let first = plan.entries[0].source
        for entry in plan.entries {
            #expect(entry.ticks == (entry.source - first).rescaled(to: 600).value)
        }
        #expect(plan.entries[1].ticks == step)
    }

    @Test func `a window in the clip has its full length`() throws {
        let plan = try schedule(times(30, seconds: 10), try window(5, of: 10))
        #expect(plan.entries.count == 45)
        #expect(plan.durationTicks == 1800)
        #expect(plan.start == seconds(3.533333).rescaled(to: 600))
    }

    @Test(arguments: [(0.0, 0.0), (0.2, 0.0), (9.9, 7.0)])
    func `at either end of the clip the window moves inside and keeps its length`(still: Double, start: Double) throws {
        let inside = try window(still, of: 10)
        #expect(inside.start == seconds(start))
        #expect(inside.end - inside.start == seconds(3))
        let plan = try schedule(times(60, seconds: 10), inside)
        #expect((44...45).contains(plan.entries.count))
    }

    @Test func `a clip shorter than the window is taken whole`() throws {
        let plan = try schedule(times(30, seconds: 1), try window(0.5, of: 1))
        #expect(plan.entries.count == 15)
        #expect(plan.durationTicks <= 600)
    }

    @Test func `a clip of one frame gives a movie of one frame`() throws {
        let plan = try schedule([.zero], try window(0, of: 0.04))
        #expect(plan.entries.count == 1 && plan.stillIndex == 0)
        #expect(plan.durationTicks == 40)
    }

    /// The clip's rate, the requested duration, and whether the movie has it.
    @Test(
        arguments: [
            (10, 0.05, false), (10, 0.1, true), (10, 0.5, true), (10, 0.35, true), (2, 0.04, false), (2, 0.3, true),
            (2, 1, true), (30, 0.2, true),
        ] as [(Int32, Double, Bool)])
    func `a duration that the clip's frames do not allow is a warning`(
        rate: Int32, duration: Double, isPossible: Bool
    ) throws {
        var request = Window.Request(duration: seconds(duration), before: seconds(1.5), after: seconds(1.5))
        request.texts = ["duration": "\(duration)"]
        let window = try Window(request, PictureSpan(end: seconds(4)))
        let schedule = try schedule(times(rate, seconds: 4), window)
        let warnings = schedule.warnings(window, requested: "\(duration)")
        #expect(warnings.isEmpty == isPossible, "\(warnings)")
        #expect(warnings.allSatisfy { $0.contains(", not \(duration), because the clip's frames are too far apart") })
        #expect(schedule.warnings(window, requested: nil).isEmpty)
    }

    @Test func `no frame is invented for a slow clip, and its own times are kept`() throws {
        let plan = try schedule(times(10, seconds: 10), try window(5, of: 10))
        #expect(plan.entries.count == 30)
        #expect(plan.entries.map(\.ticks) == (0..<30).map { $0 * 60 })
    }

    @Test func `a frame shown from before the window on opens the movie`() throws {
        let slides = [0.0, 2.0, 4.0, 6.0].map(seconds)
        let plan = try schedule(slides, try window(2.5, of: 8))
        #expect(plan.start == seconds(1))
        #expect(plan.entries.map(\.source) == [0, 2].map(seconds))
        #expect(plan.entries.map(\.ticks) == [0, 600])
        #expect(plan.stillIndex == 1)
        #expect(plan.durationTicks == 1800)
    }

    @Test func `a still shown from before the window on is the movie's first frame`() throws {
        let request = Window.Request(
            still: seconds(3), start: seconds(2.5), end: seconds(5.5), before: .zero, after: .zero)
        let plan = try schedule([0, 2, 4, 6].map(seconds), try Window(request, PictureSpan(end: seconds(8))))
        #expect(plan.entries.map(\.source) == [2, 4].map(seconds))
        #expect(plan.entries.map(\.ticks) == [0, 900])
        #expect(plan.stillIndex == 0)
    }

    @Test func `a burst of frames is thinned to the range, and the still stays`() throws {
        let burst =
            times(5, seconds: 3) + (0..<20).map { seconds(3 + Double($0) / 100) } + [4, 4.2, 4.4, 4.6].map(seconds)
        let sorted = Array(Set(burst)).sorted()
        for still in [3.01, 3.05, 3.12] {
            let cadence = Cadence.source(.whole(8), limit: .whole(15))
            let plan = try #require(FrameSchedule(times: sorted, window: try window(still, of: 5), cadence: cadence))
            #expect(plan.entries[plan.stillIndex].source == seconds(still))
            for (one, next) in zip(plan.entries, plan.entries.dropFirst()) where next.ticks - one.ticks < 30 {
                Issue.record("frames \(one.ticks) and \(next.ticks) are too close")
            }
        }
    }

    @Test(arguments: [Cadence.grid(.whole(15)), .source(.whole(8), limit: .whole(15))])
    func `a frame that comes close after another is shown when the clip then stands on it`(cadence: Cadence) throws {
        // At 0.01 s, at 1.01 s and, after the still, at 2.01 s the clip changes a second time, and then stands.
        let list = [0, 0.01, 1, 1.01, 2, 2.01].map(seconds)
        let request = Window.Request(still: seconds(2), start: .zero, end: seconds(3), before: .zero, after: .zero)
        let window = try Window(request, PictureSpan(end: seconds(3)))
        let plan = try #require(FrameSchedule(times: list, window: window, cadence: cadence))
        #expect(plan.entries.map(\.source) == list)
        #expect(plan.entries[plan.stillIndex].source == seconds(2))
        for (entry, time) in zip(plan.entries, list) {
            let place = plan.start + MediaTime(value: entry.ticks, timescale: 600)
            #expect((place - time).seconds < 1.0 / 15 + 0.002, "\(time) is shown at \(place)")
        }
    }

    @Test(.seeded) func `no list of frame times crashes`() throws {
        var random = SeededGenerator()
        for _ in 0..<300 {
            let count = Int(random.next() % 40) + 1
            let list = Set((0..<count).map { _ in MediaTime(value: Int64(random.next() % 5000), timescale: 1000) })
                .sorted()
            let still = Double(random.next() % 5000) / 1000
            let plan = try schedule(
                list, try window(still, of: 5.001), range: ["1-1", "12-15", "240"][Int(random.next() % 3)])
            #expect(zip(plan.entries, plan.entries.dropFirst()).allSatisfy { $0.ticks < $1.ticks })
            #expect(
                plan.entries[plan.stillIndex].source == list.last { $0 <= seconds(still) } ?? list[0])
        }
    }
}
