import LivePhotoBatch
import Testing

/// Which Live Photos of a clip are made together.
@Suite struct ConversionGroupTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// The clip and the value of `--still` of each request.
        let requests: [(String, String)]
        var duration: String?
        let groups: [Range<Int>]
        var testDescription: String { "\(requests) \(duration ?? "")" }
    }

    @Test(arguments: [
        Case(requests: [("a", "2"), ("a", "2.5"), ("a", "4")], groups: [0..<3]),
        Case(requests: [("a", "2"), ("a", "5"), ("a", "6")], groups: [0..<1, 1..<3]),
        Case(requests: [("a", "6"), ("a", "5"), ("a", "1")], groups: [0..<2, 2..<3]),
        Case(requests: [("a", "2"), ("a", "4")], duration: "1.5", groups: [0..<1, 1..<2]),
        Case(requests: [("a", "2"), ("b", "2")], groups: [0..<1, 1..<2]),
        Case(requests: [("a", "50%"), ("a", "51%")], groups: [0..<1, 1..<2]),
        Case(requests: [("a", "auto"), ("a", "2")], groups: [0..<1, 1..<2]),
        Case(requests: (0..<6).map { ("a", "\($0)") }, groups: [0..<4, 4..<6]),
        Case(requests: [], groups: []),
    ])
    func `movies of one clip that overlap are made together, four at most`(test: Case) {
        let requests = test.requests.map { clip, still in
            var request = ConversionRequest(clip: FilePath(clip), outputDirectory: "out")
            request.preset.window.still = RequestedStill(text: still)
            if let duration = test.duration { request.preset.window.duration = MediaTime(text: duration) }
            return request
        }
        #expect(ConversionSeries.groups(of: requests) == test.groups)
    }
}
