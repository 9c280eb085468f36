import LivePhotoConversion
import MediaModel
import Testing

@Suite struct AudioClockTests {
    /// Pieces of 20 ms, in milliseconds: their time stamps, and when they are heard.
    struct Stream: Sendable, CustomTestStringConvertible {
        let name: String
        let stamps: [Int64?]
        let places: [Int64?]
        var testDescription: String { name }
    }

    private static func steps(_ range: Range<Int64>, plus shift: Int64 = 0) -> [Int64] { range.map { $0 * 20 + shift } }

    @Test(arguments: [
        Stream(name: "in step", stamps: [0, 20, 40, 60], places: [0, 20, 40, 60]),
        Stream(name: "rounded stamps", stamps: [0, 21, 39, 62], places: [0, 20, 40, 60]),
        Stream(name: "a stamp that is wrong for a moment", stamps: [0, 30, 40, 70, 80], places: [0, 20, 40, 60, 80]),
        Stream(name: "a gap", stamps: [0, 20, 140, 160], places: [0, 20, 140, 160]),
        Stream(name: "an overlap", stamps: [100, 120, 60, 80], places: [100, 120, 60, 80]),
        Stream(
            name: "a small gap that lasts", stamps: [0] + steps(1..<20, plus: 12),
            places: steps(0..<14) + steps(14..<20, plus: 12)),
        Stream(
            name: "a first stamp that is wrong", stamps: [10] + steps(1..<20),
            places: steps(0..<14, plus: 10) + steps(14..<20)),
        Stream(name: "equal stamps", stamps: [0, 0, 0, 0], places: [0, 20, 40, 60]),
        Stream(name: "stamps at times", stamps: [40, nil, nil, 100, nil], places: [40, 60, 80, 100, 120]),
        Stream(name: "no stamps", stamps: [nil, nil], places: [nil, nil]),
    ])
    func `sound is placed by its samples, and by time stamps that consistently disagree`(stream: Stream) {
        var clock = AudioClock()
        let places = stream.stamps.map { stamp in
            clock.place(
                stamp.map { MediaTime(value: $0, timescale: 1000) }, lasting: MediaTime(value: 20, timescale: 1000))
        }
        #expect(places.map { $0.map { Int64(($0.seconds * 1000).rounded()) } } == stream.places)
    }

    @Test func `sound whose time stamps lag follows its first one`() {
        let length = MediaTime(value: 20, timescale: 1000)
        var clock = AudioClock(lags: true)
        // Two frames in the first packet; from the second packet on each begins with a frame of the one before.
        let stamps: [Int64?] = [100, nil, 160, nil, nil, 220]
        for (index, stamp) in stamps.enumerated() {
            let time = clock.place(stamp.map { MediaTime(value: $0, timescale: 1000) }, lasting: length)
            #expect(time == MediaTime(value: 100 + 20 * Int64(index), timescale: 1000))
        }
        #expect(
            clock.place(MediaTime(value: 2, timescale: 1), lasting: length) == MediaTime(value: 2, timescale: 1))
    }
}
