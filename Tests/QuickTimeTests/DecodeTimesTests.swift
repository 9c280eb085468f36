import QuickTime
import TestSupport
import Testing

@Suite struct DecodeTimesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var presentation: [Int32]
        var duration: Int32
        var durations: [UInt32]
        var offsets: [Int32]
        var delay: Int32
    }

    @Test(arguments: [
        Case(
            testDescription: "no reordering", presentation: [0, 40, 80], duration: 120,
            durations: [40, 40, 40], offsets: [0, 0, 0], delay: 0),
        Case(
            testDescription: "one B-frame", presentation: [0, 80, 40, 120], duration: 160,
            durations: [40, 40, 40, 40], offsets: [40, 80, 0, 40], delay: 40),
        Case(
            testDescription: "a pyramid of three", presentation: [0, 160, 80, 40, 120], duration: 200,
            durations: [40, 40, 40, 40, 40], offsets: [80, 200, 80, 0, 40], delay: 80),
        Case(
            testDescription: "variable frame rate", presentation: [0, 100, 30], duration: 110,
            durations: [30, 70, 10], offsets: [70, 140, 0], delay: 70),
        Case(
            testDescription: "29.97 fps on the grid",
            presentation: [0, 20, 40, 60, 80, 100, 120, 140, 160, 180, 200, 220],
            duration: 241, durations: Array(repeating: 20, count: 11) + [21], offsets: Array(repeating: 0, count: 12),
            delay: 0),
        Case(
            testDescription: "one frame", presentation: [0], duration: 1, durations: [1], offsets: [0], delay: 0),
    ])
    func `decode times follow from presentation times`(_ test: Case) throws {
        let times = try DecodeTimes(presentation: test.presentation, duration: test.duration)
        #expect(times.durations == test.durations)
        #expect(times.compositionOffsets == test.offsets)
        #expect(times.delay == test.delay)
        #expect(times.isReordered == (test.delay > 0))
        #expect(times.compositionOffsets.first == times.delay)
    }

    @Test(
        arguments: [
            ([], 10, MovieWriterError.noFrames),
            ([40, 0], 80, .firstFrameNotAtZero),
            ([0, -40], 80, .firstFrameNotAtZero),
            ([0, 40, 40], 80, .repeatedTime(TestMovie.ticks(40))),
            ([0, 40], 40, .durationTooShort(TestMovie.ticks(40))),
        ] as [([Int32], Int32, MovieWriterError)])
    func `times that make no movie are errors`(presentation: [Int32], duration: Int32, error: MovieWriterError) {
        #expect(throws: error) { try DecodeTimes(presentation: presentation, duration: duration) }
    }

    @Test(.seeded) func `for any order offsets are not negative and give the presentation times back`() throws {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let shown = (0..<Int32.random(in: 1...40, using: &random)).map { $0 * 37 }
            let presentation = shown.prefix(1) + shown.dropFirst().shuffled(using: &random)
            let times = try DecodeTimes(presentation: Array(presentation), duration: Int32(shown.count) * 37)
            var decodeTime: Int64 = 0
            for (index, time) in presentation.enumerated() {
                #expect(times.compositionOffsets[index] >= 0)
                let composed = decodeTime + Int64(times.compositionOffsets[index])
                #expect(composed - Int64(times.delay) == Int64(time))
                decodeTime += Int64(times.durations[index])
            }
            #expect(times.compositionOffsets.contains(0), "a smaller delay would do")
        }
    }
}
