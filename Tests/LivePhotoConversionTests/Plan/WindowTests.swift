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
        (
            Case(still: 10.5, expected: (0, 0, 0)),
            "the still time 10.5 s lies outside the clip, which lasts 10 s; use at most 10 s"
        ),
        (
            Case(start: 11, expected: (0, 0, 0)),
            "the start 11 s lies outside the clip, which lasts 10 s; write an earlier one"
        ),
        (
            Case(start: 10, expected: (0, 0, 0)),
            "the start 10 s lies at the end of the clip, which lasts 10 s; write an earlier one"
        ),
        (
            Case(end: 10.001, expected: (0, 0, 0)),
            "the end 10.001 s lies outside the clip, which lasts 10 s; use at most 10 s"
        ),
        (
            Case(start: 4, end: 2, expected: (0, 0, 0)),
            "the movie cannot start at 4 s and end at 2 s; write a later end"
        ),
        (
            Case(still: 5, start: 1, end: 3, expected: (0, 0, 0)),
            "the still time 5 s lies outside the movie, which lasts from 1 s to 3 s; write a time between them"
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

    /// What was asked for, and the window or the error.
    struct Asked: Sendable, CustomTestStringConvertible {
        let texts: [String: String]
        var own: Double?
        var expected: (start: Double, end: Double, still: Double) = (0, 0, 0)
        var reason = ""
        var testDescription: String {
            texts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }

        init(
            _ texts: [String: String], own: Double? = nil, _ start: Double, _ end: Double, _ still: Double
        ) {
            (self.texts, self.own, expected) = (texts, own, (start, end, still))
        }

        init(_ texts: [String: String], own: Double? = nil, _ reason: String) {
            (self.texts, self.own, self.reason) = (texts, own, reason)
        }

        func window() throws -> Window {
            func time(_ key: String) throws -> MediaTime? { try texts[key].map { try MediaTime($0) } }
            var request = Window.Request(
                still: try time("still"), start: try time("start"), end: try time("end"),
                duration: try time("duration"),
                before: try time("before") ?? seconds(1.5), after: try time("after") ?? seconds(1.5))
            (request.texts, request.ownStill) = (texts, own.map(seconds))
            return try Window(request, PictureSpan(end: seconds(10)))
        }
    }

    @Test(arguments: [
        Asked(["duration": "10"], 0, 10, 5),
        Asked(["duration": "4", "still": "1"], 0, 4, 1),
        Asked(["duration": "2", "before": "0.5"], 4.5, 6.5, 5),
        Asked(["duration": "2", "after": "0.5"], 3.5, 5.5, 5),
        Asked(["duration": "2", "start": "8"], 8, 10, 9),
        Asked(["before": "1", "still": "9"], 8, 10, 9),
        Asked(["after": "0.5", "still": "0.2"], 0, 0.7, 0.2),
        Asked(["before": "1", "after": "2", "still": "3"], 2, 5, 3),
        Asked(["before": "6"], 0, 7.5, 6),
        Asked(["after": "6"], 2.5, 10, 4),
        Asked(["before": "0.5", "start": "1"], 1, 3, 1.5),
        Asked(["after": "0.5", "end": "4"], 2, 4, 3.5),
        Asked(["before": "0.5", "start": "1", "end": "3"], 1, 3, 1.5),
        Asked([:], own: 2, 0.5, 3.5, 2), Asked([:], own: 9.5, 7, 10, 9.5),
        Asked(["duration": "1"], own: 2, 1.5, 2.5, 2),
        Asked(["start": "1", "end": "3"], own: 1.2, 1, 3, 1.2),
        Asked(["start": "1", "end": "3"], own: 4, 1, 3, 2),
        Asked(["start": "1", "before": "0.5"], own: 4, 1, 3, 1.5), Asked(["start": "7", "after": "3"], 7, 10, 7),
        Asked(["still": "3"], own: 2, 1.5, 4.5, 3),
    ])
    func `what is asked for is obeyed, and defaults make room for it`(test: Asked) throws {
        let window = try test.window()
        #expect(window.start == seconds(test.expected.start))
        #expect(window.end == seconds(test.expected.end))
        #expect(window.still == seconds(test.expected.still))
        #expect(window.isOwnStill == (test.own == test.expected.still))
        // Without another request, a still time of the clip that is not used is not forgotten.
        let isOutside =
            test.own != nil && !window.isOwnStill && ["still", "before", "after"].allSatisfy { test.texts[$0] == nil }
        #expect(window.outsideOwnStill == (isOutside ? test.own.map(seconds) : nil))
    }

    @Test(arguments: [
        Asked(
            ["duration": "10.001"], "the duration 10.001 s is longer than the clip, which lasts 10 s; use at most 10 s"),
        Asked(
            ["duration": "0:12"], "the duration 0:12 (12 s) is longer than the clip, which lasts 10 s; use at most 10 s"
        ),
        Asked(
            ["duration": "2", "start": "8500ms"],
            "a duration of 2 s from 8500ms (8.5 s) ends after the clip, which lasts 10 s; use at most 1.5 s"),
        Asked(
            ["duration": "2", "end": "1.5"],
            "a duration of 2 s to the end 1.5 s begins before the clip; use at most 1.5 s"),
        Asked(
            ["before": "1", "still": "0.25"],
            "before is 1 s, but the clip has only 0.25 s before the still time 0.25 s; use at most 0.25 s"),
        Asked(
            ["after": "1", "still": "0:09.5"],
            "after is 1 s, but the clip, which lasts 10 s, has only 0.5 s after the still time 0:09.5 (9.5 s); "
                + "use at most 0.5 s"),
        Asked(
            ["before": "3"], own: 2,
            "before is 3 s, but the clip has only 2 s before the still time 2 s; use at most 2 s"),
        Asked(
            ["after": "11"],
            "after is 11 s, but the clip, which lasts 10 s, has only 10 s after the still time 0 s; use at most 10 s"),
        Asked(
            ["before": "6", "after": "5"],
            "before and after are 11 s together, longer than the clip, which lasts 10 s; use at most 10 s"),
        Asked(["duration": "1", "before": "2"], "before is longer than the duration of 1 s"),
        Asked(
            ["duration": "1", "before": "0.5", "after": "0.5"],
            "before, after and duration cannot all be given; leave one out"),
        Asked(
            ["start": "1", "still": "3", "before": "1"],
            "before cannot be 1 s where the movie lasts from 1 s to 3.5 s with the still time 3 s; leave one out"),
        Asked(
            ["start": "9.5", "after": "1"],
            "after is 1 s, but the clip has only 0.5 s after the start 9.5 s; use at most 0.5 s"),
        Asked(
            ["start": "8", "before": "0:03"],
            "before is 0:03 (3 s), but the clip has only 2 s after the start 8 s; use at most 2 s"),
        Asked(
            ["end": "1", "before": "2"],
            "before is 2 s, but the clip has only 1 s before the end 1 s; use at most 1 s"),
        Asked(
            ["end": "1", "after": "2"], "after is 2 s, but the clip has only 1 s before the end 1 s; use at most 1 s"),
        Asked(
            ["start": "2", "end": "4", "after": "3"],
            "after is 3 s, but the movie from 2 s to 4 s lasts only 2 s; use at most 2 s"),
        Asked(
            ["still": "1:30"], "the still time 1:30 (90 s) lies outside the clip, which lasts 10 s; use at most 10 s"),
        Asked(["start": "12s"], "the start 12 s lies outside the clip, which lasts 10 s; write an earlier one"),
    ])
    func `what the clip is too short for is an error that says what is possible`(test: Asked) {
        let error = #expect(throws: WindowError.self) { _ = try test.window() }
        #expect(error?.reason == test.reason)
    }
}
