import Bytes
import Foundation
import LivePhotoConversion
import MediaModel
import QuickTime
import TestSupport
import Testing

@Suite struct StillScoringTests {
    private static let size = PixelSize(width: 160, height: 96)

    /// What happens to the frames that are not good.
    enum Fault: CaseIterable {
        case blur, motionBlur, darkness, overexposure, haze, noise, black, title, flash, fade, blocks, nearObject
    }

    /// A texture of smooth spots in several sizes, as scenes have it.
    private static let scene: [UInt8] = {
        var generator = SeededGenerator()
        var sums = [Double](repeating: 0, count: size.width * size.height)
        for cell in [32, 16, 8, 4, 2] {
            let columns = size.width / cell + 2
            let values = (0..<columns * (size.height / cell + 2)).map { _ in Double(generator.next() % 1000) / 1000 }
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let (column, row) = (Double(x) / Double(cell), Double(y) / Double(cell))
                    let (left, top) = (Int(column), Int(row))
                    let (right, down) = (column - Double(left), row - Double(top))
                    func value(_ x: Int, _ y: Int) -> Double { values[(top + y) * columns + left + x] }
                    let upper = value(0, 0) * (1 - right) + value(1, 0) * right
                    let lower = value(0, 1) * (1 - right) + value(1, 1) * right
                    sums[y * size.width + x] += (upper * (1 - down) + lower * down) / 5
                }
            }
        }
        return sums.map { UInt8(30 + 190 * $0) }
    }()

    private static func smoothed(_ plane: [UInt8], _ horizontal: Int, _ vertical: Int) -> [UInt8] {
        plane.indices.map { index in
            let (x, y) = (index % size.width, index / size.width)
            var (sum, count) = (0, 0)
            for row in max(y - vertical, 0)...min(y + vertical, size.height - 1) {
                for column in max(x - horizontal, 0)...min(x + horizontal, size.width - 1) {
                    (sum, count) = (sum + Int(plane[row * size.width + column]), count + 1)
                }
            }
            return UInt8(sum / count)
        }
    }

    private static let blurred = smoothed(scene, 3, 3)
    private static let movedSideways = smoothed(scene, 4, 0)

    /// - Parameter distance: from the good frames, from 1 on.
    private static func frame(
        _ fault: Fault, _ index: Int, distance: Int, _ generator: inout SeededGenerator
    ) -> [UInt8] {
        func scaled(_ factor: Double) -> [UInt8] {
            scene.map { UInt8(min(max(16 + (Double($0) - 16) * factor, 16), 235)) }
        }
        switch fault {
        case .blur: return blurred
        case .motionBlur: return movedSideways
        case .darkness: return scaled(0.35)
        case .overexposure: return scaled(2.2)
        case .haze: return scene.map { UInt8(90 + Int($0) * 2 / 5) }
        case .blocks: return blocks
        case .nearObject:
            return scene.indices.map { index in
                20..<150 ~= index % size.width && 10..<90 ~= index / size.width ? 70 : scene[index]
            }
        case .noise: return scene.map { UInt8(clamping: Int($0) + Int(generator.next() % 41) - 20) }
        case .black: return [UInt8](repeating: 16, count: scene.count)
        case .title:
            return scene.indices.map { index in
                let (x, y) = (index % size.width, index / size.width)
                return 40..<56 ~= y && x % 12 < 6 && 30..<130 ~= x ? 235 : 16
            }
        case .flash: return scaled(index.isMultiple(of: 2) ? 2.6 : 1.6)
        case .fade: return scaled(max(0.7 - 0.1 * Double(distance), 0))
        }
    }

    /// The scene in blocks of 8 by 8 samples, as much compression leaves it.
    private static let blocks: [UInt8] = scene.indices.map { index in
        let (x, y) = (index % size.width / 8 * 8, index / size.width / 8 * 8)
        let sum = (0..<64).reduce(0) { $0 + Int(scene[(y + $1 / 8) * size.width + x + $1 % 8]) }
        return UInt8(sum / 64)
    }

    private static func scoring(_ fault: Fault, good: Range<Int>, count: Int = 40) -> StillScoring {
        var generator = SeededGenerator()
        var previous: [UInt8]?
        let samples = (0..<count).map { index in
            let distance = max(good.lowerBound - index, index - good.upperBound + 1)
            let luma = distance > 0 ? frame(fault, index, distance: distance, &generator) : scene
            defer { previous = luma }
            return StillScoring.Sample(
                time: MediaTime(value: Int64(index), timescale: 15),
                measures: FrameMeasures(luma, size: size, previous: previous), startsRun: index == 0)
        }
        let second = MediaTime(value: 1, timescale: 1)
        let end = MediaTime(value: Int64(count), timescale: 15)
        return StillScoring(samples, in: StillPlace(start: .zero, end: end, before: second, after: second))
    }

    @Test(.seeded, arguments: Fault.allCases, [2..<9, 17..<24, 31..<38])
    func `the best frame is one that is not spoilt`(fault: Fault, good: Range<Int>) throws {
        let scoring = Self.scoring(fault, good: good)
        let best = try #require(scoring.best)
        let index = Int(best.time.value)
        #expect(good.contains(index), "\(index): \(best.score), good: \(scoring.candidates[good.lowerBound + 1].score)")
        #expect(scoring.suggestions(5).first == best)
    }

    @Test func `of frames that are equally good, the one in the middle is chosen`() throws {
        let best = try #require(Self.scoring(.blur, good: 0..<41, count: 41).best)
        #expect(best.time == MediaTime(value: 20, timescale: 15))
    }

    @Test(arguments: [3, 20, 36])
    func `of frames that look alike, one is chosen during which the camera moved least`(steady: Int) throws {
        let measures = FrameMeasures(Self.scene, size: Self.size, previous: Self.scene)
        let samples = (0..<41).map { index in
            StillScoring.Sample(
                time: MediaTime(value: Int64(index), timescale: 15), measures: measures, startsRun: index == 0,
                recordedBlur: index == steady ? 0.2 : 3)
        }
        let place = StillPlace(
            start: .zero, end: MediaTime(value: 41, timescale: 15), before: .zero, after: .zero)
        let best = try #require(StillScoring(samples, in: place).best)
        #expect(best.time == samples[steady].time)
        #expect(best.score.steadiness > 990)
    }

    @Test func `the camera's motion is that of the frame's record, in pixels of a picture of 1920`() throws {
        var pair = try SamplePair()
        try pair.makeWallpaper()
        let folder = try TemporaryFolder()
        let path = folder.path.appending("movie.MOV")
        try Data(pair.movie).write(to: URL(fileURLWithPath: path.string))
        let reader = try MovieReader(InputFile(path))
        let track = try #require(reader.livePhotoInfoTrack)
        let records = try #require(try reader.livePhotoInfo(of: track))
        let later = MediaTime(value: 2, timescale: 1)
        let blur = try #require(RecordedBlur(records) { $0 + later })
        for (index, time) in try reader.tracks[0].frameTimes().times.enumerated() {
            let vector = SamplePair.record(of: index).blur
            let expected = hypot(Double(vector.x), Double(vector.y)) * 1920 / Double(SamplePair.size.longEdge)
            #expect(abs(try #require(blur.length(at: time + later)) - expected) < 1e-6)
        }
        #expect(blur.length(at: .zero) == nil)
    }

    @Test func `suggested frames are different moments, and none is better than the first by more than a near-tie`() {
        let suggestions = Self.scoring(.noise, good: 10..<40).suggestions(5)
        #expect(suggestions.count == 5)
        for (index, one) in suggestions.enumerated() {
            #expect(one.score.total * 98 <= suggestions[0].score.total * 100)
            for other in suggestions[..<index] { #expect(abs((one.time - other.time).seconds) > 0.15) }
        }
    }

    @Test(arguments: [PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 40), PixelSize(width: 17, height: 3)])
    func `pictures of any size can be measured`(size: PixelSize) {
        let luma = [UInt8](repeating: 100, count: size.width * size.height)
        let measures = FrameMeasures(luma, size: size, previous: luma)
        #expect(measures.contrast == 0 && measures.change == 0)
    }

    @Test func `a frame that was measured after one of another size has no change`() {
        let measures = FrameMeasures(
            Self.scene, size: Self.size, previous: [UInt8](repeating: 0, count: 10))
        #expect(measures.change == nil)
    }

    struct PlaceCase: Sendable {
        var start: Double?
        var end: Double?
        var duration: Double?
        var requested: [String: String] = [:]
        let expected: (start: Double, end: Double)
    }

    @Test(arguments: [
        PlaceCase(expected: (0, 10)),
        PlaceCase(start: 2, expected: (2, 5)),
        PlaceCase(end: 4, expected: (1, 4)),
        PlaceCase(start: 2, end: 8, expected: (2, 8)),
        PlaceCase(start: 9, expected: (9, 10)),
        PlaceCase(start: 2, duration: 1, expected: (2, 3)),
        PlaceCase(requested: ["before": "1.5"], expected: (1.5, 10)),
        PlaceCase(requested: ["after": "1.5"], expected: (0, 8.5)),
        PlaceCase(duration: 2, requested: ["duration": "2", "after": "1.5"], expected: (0.5, 8.5)),
        PlaceCase(duration: 2, requested: ["duration": "2", "before": "1.5"], expected: (1.5, 9.5)),
        PlaceCase(start: 2, requested: ["start": "2", "before": "1.5"], expected: (3.5, 3.5)),
    ])
    func `the still is looked for where the requested window leaves room for it`(test: PlaceCase) throws {
        var request = Window.Request(
            start: test.start.map(seconds), end: test.end.map(seconds), duration: test.duration.map(seconds),
            before: seconds(1.5), after: seconds(1.5))
        request.texts = test.requested
        let place = try StillPlace(request, PictureSpan(end: seconds(10)))
        #expect(place.start == seconds(test.expected.start) && place.end == seconds(test.expected.end))
    }

    @Test(arguments: [
        (MediaTime(value: 44, timescale: 30), MediaTime(value: 45, timescale: 30), "1.47"),
        (.zero, MediaTime(value: 1, timescale: 30), "0.00"),
        (MediaTime(value: 3, timescale: 2), MediaTime(value: 46, timescale: 30), "1.50"),
        (MediaTime(value: 1001, timescale: 240_000), MediaTime(value: 2002, timescale: 240_000), "0.005"),
        (MediaTime(value: 1, timescale: 3), MediaTime(value: 1, timescale: 3), "0.333333334"),
        (MediaTime(value: 7_200_001, timescale: 1000), MediaTime(value: 7_200_034, timescale: 1000), "7200.01"),
    ])
    func `a time below a picture is as short as possible and selects that frame`(
        time: MediaTime, next: MediaTime, text: String
    ) throws {
        #expect(StillText.text(for: time, before: next) == text)
        let read = try #require(MediaTime(text: text))
        #expect(read >= time && (read < next || time == next || read == time))
    }
}
