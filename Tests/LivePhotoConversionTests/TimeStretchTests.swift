import LivePhotoConversion
import Testing

@Suite struct TimeStretchTests {
    private static let rate = 48_000

    /// Silence with bursts of 4 ms of a tone, over a quiet tone.
    private static func clicks(at times: [Double], lasting length: Double) -> [Float] {
        (0..<Int(length * Double(rate))).map { index in
            let time = Double(index) / Double(rate)
            let isClick = times.contains { time >= $0 && time < $0 + 0.004 }
            let wave: Float = index / 8 % 2 == 0 ? 1 : -1
            return wave * (isClick ? 0.8 : 0.05)
        }
    }

    /// The times of the first loud sample of each burst.
    private static func onsets(_ samples: [Float]) -> [Double] {
        var found: [Double] = []
        for (index, sample) in samples.enumerated() where abs(sample) > 0.3 {
            let time = Double(index) / Double(rate)
            if time - (found.last ?? -1) > 0.03 { found.append(time) }
        }
        return found
    }

    @Test(arguments: [0.25, 0.5, 0.75, 1.5, 2, 4])
    func `each click is heard once and at its time, at every speed`(speed: Double) {
        let times = [0.2, 0.461, 0.7003, 1.1]
        let input = Self.clicks(at: times, lasting: 1.4)
        var stretch = TimeStretch(speed: speed, sampleRate: Self.rate, channels: 2)
        var output: [Float] = []
        for start in stride(from: 0, to: input.count, by: 1000) {
            let block = Array(input[start..<min(start + 1000, input.count)])
            output += stretch.add([block, block])[0]
        }
        output += stretch.finish()[1]
        #expect(abs(output.count - Int((Double(input.count) / speed).rounded())) <= 1)
        let found = Self.onsets(output)
        #expect(found.count == times.count)
        for (time, heard) in zip(times, found) { #expect(abs(heard - time / speed) < 0.001) }
    }

    @Test(arguments: [0.25, 0.5, 2, 4])
    func `a tone keeps its pitch and loudness`(speed: Double) {
        // 500 Hz, a period of 96 samples.
        let input = (0..<Self.rate).map { Float(($0 % 96) < 48 ? 0.5 : -0.5) }
        var stretch = TimeStretch(speed: speed, sampleRate: Self.rate, channels: 1)
        let output = stretch.add([input])[0] + stretch.finish()[0]
        let crossings = zip(output, output.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        #expect(abs(Double(crossings) / (Double(output.count) / 48) - 1) < 0.05)
        let loudness = output.reduce(0) { $0 + abs($1) } / Float(output.count)
        #expect(abs(loudness - 0.5) < 0.03)
    }

    @Test func `the same sound in other blocks gives the same samples`() {
        let input = Self.clicks(at: [0.1, 0.3], lasting: 0.5)
        func stretched(by size: Int) -> [Float] {
            var stretch = TimeStretch(speed: 0.75, sampleRate: Self.rate, channels: 1)
            var output: [Float] = []
            for start in stride(from: 0, to: input.count, by: size) {
                output += stretch.add([Array(input[start..<min(start + size, input.count)])])[0]
            }
            return output + stretch.finish()[0]
        }
        #expect(stretched(by: 1024) == stretched(by: 333))
    }

    @Test(arguments: [0, 1, 700])
    func `very short sound is no problem`(count: Int) {
        var stretch = TimeStretch(speed: 0.5, sampleRate: Self.rate, channels: 1)
        let output = stretch.add([[Float](repeating: 0.1, count: count)])[0] + stretch.finish()[0]
        #expect(output.count == count * 2)
    }
}
