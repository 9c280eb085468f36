import LivePhotoConversion
import MediaModel
import Testing

@Suite struct WindowTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var still: Double?
        var start: Double?
        var end: Double?
        var duration: Double?
        let expected: (start: Double, end: Double, still: Double)
        var testDescription: String {
            "still \(still ?? -1) start \(start ?? -1) end \(end ?? -1) duration \(duration ?? -1)"
        }
    }

    @Test(arguments: [
        Case(expected: (3.5, 6.5, 5)),
        Case(still: 2, expected: (0.5, 3.5, 2)),
        Case(still: 0, expected: (0, 3, 0)),
        Case(still: 10, expected: (7, 10, 10)),
        Case(start: 2, end: 4, expected: (2, 4, 3)),
        Case(still: 2, start: 2, end: 4, expected: (2, 4, 2)),
        Case(start: 2, duration: 1, expected: (2, 3, 2.5)),
        Case(end: 4, duration: 1, expected: (3, 4, 3.5)),
        Case(start: 2, expected: (2, 5, 3.5)),
        Case(end: 4, expected: (1, 4, 2.5)),
        Case(start: 9, expected: (9, 10, 9.5)),
        Case(still: 5, duration: 4, expected: (3, 7, 5)),
        Case(still: 5, duration: 40, expected: (0, 10, 5)),
    ])
    func `the window is where the request asks for it, inside a clip of ten seconds`(test: Case) throws {
        let request = Window.Request(
            still: test.still.map(seconds), start: test.start.map(seconds), end: test.end.map(seconds),
            duration: test.duration.map(seconds), before: seconds(1.5), after: seconds(1.5))
        let window = try Window(request, PictureSpan(end: seconds(10)))
        #expect(window.start == seconds(test.expected.start))
        #expect(window.end == seconds(test.expected.end))
        #expect(window.still == seconds(test.expected.still))
    }

    @Test(arguments: [
        (Case(still: 10.5, expected: (0, 0, 0)), "the still time 10.5 s lies outside the clip, which lasts 10 s"),
        (Case(start: 11, expected: (0, 0, 0)), "the start 11 s lies outside the clip, which lasts 10 s"),
        (Case(start: 10, expected: (0, 0, 0)), "the start 10 s lies at the end of the clip, which lasts 10 s"),
        (Case(end: 10.001, expected: (0, 0, 0)), "the end 10.001 s lies outside the clip, which lasts 10 s"),
        (Case(start: 4, end: 2, expected: (0, 0, 0)), "the movie cannot start at 4 s and end at 2 s"),
        (
            Case(still: 5, start: 1, end: 3, expected: (0, 0, 0)),
            "the still time 5 s lies outside the movie, which lasts from 1 s to 3 s"
        ),
        (Case(duration: 0, expected: (0, 0, 0)), "the movie must last longer than 0 s"),
        (
            Case(start: 1, end: 3, duration: 2, expected: (0, 0, 0)),
            "start, end and duration cannot all be given; leave one out"
        ),
    ])
    func `a request that cannot be is an error that says why, and nothing is clamped`(test: Case, sentence: String) {
        let request = Window.Request(
            still: test.still.map(seconds), start: test.start.map(seconds), end: test.end.map(seconds),
            duration: test.duration.map(seconds), before: seconds(1.5), after: seconds(1.5))
        let error = #expect(throws: WindowError.self) { _ = try Window(request, PictureSpan(end: seconds(10))) }
        #expect(error?.reason == sentence)
    }
}
