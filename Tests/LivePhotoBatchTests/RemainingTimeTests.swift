import LivePhotoBatch
import Testing

@Suite struct RemainingTimeTests {
    private let start = ContinuousClock.now

    /// What is shown after each of some seconds and fractions.
    private func shown(_ steps: [(seconds: Double, fraction: Double)]) -> [Int?] {
        var remaining = RemainingTime(start: start)
        return steps.map { remaining.seconds(after: $0.fraction, at: start + .seconds($0.seconds)) }
    }

    @Test func `nothing is shown while it is unknown, and when all is done`() {
        #expect(shown([(0.1, 0.5), (0.9, 0.9), (5, 0), (5, 0.01), (20, 1)]) == [nil, nil, nil, nil, nil])
    }

    @Test func `steady work counts down`() {
        #expect(shown((1...9).map { (Double($0), Double($0) / 10) }) == [9, 8, 7, 6, 5, 4, 3, 2, 1])
    }

    @Test func `work that is faster and slower by turns counts down without jumping`() throws {
        // Forty seconds, with ten reports a second.
        let steps = (25..<400).map { step -> (seconds: Double, fraction: Double) in
            let speed = step.isMultiple(of: 2) ? 1.06 : 0.94
            return (Double(step) / 10, min(Double(step) / 400 * speed, 0.999))
        }
        let seconds = shown(steps).compactMap(\.self)
        try #require(seconds.count == 375)
        for index in 10..<370 {
            let difference = abs(seconds[index] - seconds[index - 1])
            #expect(difference <= 1, "\(seconds)")
        }
        for index in stride(from: 20, to: 335, by: 10) {
            let passed = seconds[index - 10] - seconds[index]
            #expect((0...2).contains(passed), "\(seconds)")
        }
    }

    @Test func `an estimate that was wrong is replaced`() {
        // Half of the work takes 2 s, the rest 20 s.
        let seconds = shown([(2, 0.5), (4, 0.55), (12, 0.75), (21.5, 0.995)])
        #expect(seconds == [2, 4, 4, 1])
        // An encoder that collects frames before it writes the first ones.
        #expect(shown([(3, 0.055), (4, 0.18), (5, 0.4)]) == [52, 19, 8])
    }
}
