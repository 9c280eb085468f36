import Foundation
import TestSupport
import Testing

/// Clips whose pictures say which they are.
@Suite struct FrameNumberTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// Frames a second, as ffmpeg takes it.
        let rate: String
        var ending = "mp4"
        /// How many of the clip's frames the movie goes on by.
        let step: ClosedRange<Int>
        var seconds = 2.0
        var testDescription: String { "\(rate) fps in \(ending)" }

        init(_ rate: String, _ ending: String = "mp4", step: Int, seconds: Double = 2) {
            self.init(rate, ending, steps: step...step, seconds: seconds)
        }

        init(_ rate: String, _ ending: String = "mp4", steps: ClosedRange<Int>, seconds: Double = 2) {
            (self.rate, self.ending, self.step, self.seconds) = (rate, ending, steps, seconds)
        }

        var framesPerSecond: Double {
            let parts = rate.split(separator: "/").compactMap { Double($0) }
            return parts[0] / (parts.count > 1 ? parts[1] : 1)
        }
    }

    /// Of a picture that shows a number: 16 squares in two rows, white for a one, the lowest bit first.
    private static let size = (width: 64, height: 48)

    private func clip(_ test: Case) throws -> String {
        let frames = Int(test.seconds * test.framesPerSecond)
        var data = Data()
        for number in 0..<frames {
            for row in 0..<2 {
                let bits = (0..<8).map { UInt8(number >> (row * 8 + $0) & 1) * 255 }
                let line = Data(bits.flatMap { [UInt8](repeating: $0, count: 8) })
                for _ in 0..<24 { data += line }
            }
        }
        return try SampleClips.make(
            "numbers-\(test.rate).\(test.ending)".replacing("/", with: "-"),
            "-f rawvideo -pixel_format gray -video_size \(Self.size.width)x\(Self.size.height) -framerate \(test.rate)"
                + " -i raw -c:v libx264 -preset ultrafast -crf 10 -g 30 -pix_fmt yuv420p", files: ["raw": data])
    }

    /// The numbers that the pictures of each file show.
    private func numbers(each files: [String]) throws -> [[Int]] {
        let folder = try TemporaryFolder()
        let outcomes = try Program.system(
            "ffmpeg",
            each: files.enumerated().map { index, file in
                ["-v", "error", "-nostdin", "-i", file, "-an", "-fps_mode", "passthrough", "-pix_fmt", "gray"]
                    + ["-f", "rawvideo", folder.path("\(index)")]
            })
        return try outcomes.indices.map { index in
            try #require(outcomes[index].status == 0, "\(outcomes[index].errors)")
            return numbers([UInt8](try Data(contentsOf: folder.url.appendingPathComponent("\(index)"))))
        }
    }

    private func numbers(_ samples: [UInt8]) -> [Int] {
        let picture = Self.size.width * Self.size.height
        return stride(from: 0, to: samples.count, by: picture).map { start in
            (0..<16).reduce(0) { number, bit in
                let (row, column) = (bit / 8 * 24 + 12, bit % 8 * 8 + 4)
                return number | (samples[start + row * Self.size.width + column] > 127 ? 1 << bit : 0)
            }
        }
    }

    @Test(
        arguments: sampled(
            [
                Case("1", step: 1, seconds: 4), Case("10", step: 1), Case("12", step: 1), Case("15", step: 1),
                Case("24", step: 2), Case("25", step: 2), Case("30000/1001", step: 2), Case("30", step: 2),
                Case("50", step: 4), Case("60000/1001", step: 4), Case("60", step: 4), Case("120", step: 8),
                Case("240", step: 16), Case("24000/1001", "mkv", step: 2), Case("60000/1001", "mkv", step: 4),
                Case("120", "mkv", step: 8), Case("50", "ts", step: 4), Case("25", "avi", step: 2),
                // No whole number divides these into 12…15 frames a second.
                Case("20", steps: 1...2), Case("18", steps: 1...2), Case("100/3", steps: 2...3),
            ], every: 3))
    func `the movie shows the clip's frames in even steps, and the photo is one of them`(test: Case) throws {
        let clip = try clip(test)
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        let numbers = try numbers(each: [report.movie, report.photo])
        let shown = numbers[0]
        let steps = zip(shown.dropFirst(), shown).map { $0 - $1 }
        #expect(steps.allSatisfy(test.step.contains), "\(shown)")
        #expect(shown.count == report.frames && shown.count >= 3)

        // All times are whole ticks of 1/600 s, each rounded by itself.
        let times = try Reader.frameTimes(report.movie)
        let still = try #require(times.firstIndex { abs($0 - report.stillTime) < 1e-5 })
        // The first may have stood there from before the movie's beginning on.
        for (time, number) in zip(times, shown).dropFirst() where test.step.count == 1 {
            let wanted = report.stillTime + Double(number - shown[still]) / test.framesPerSecond
            #expect(abs(time - wanted) <= 1.01 / 600, "\(number) at \(time) s, not at \(wanted) s")
        }
        #expect(numbers[1] == [shown[still]])
        let inClip = report.stillTimeInClip * test.framesPerSecond
        #expect(abs(inClip - Double(shown[still])) < 0.1, "the still is frame \(shown[still]), said to be \(inClip)")
    }
}
