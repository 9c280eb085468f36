import LivePhotoConversion
import MediaModel
import Testing

@Suite struct PictureOrderTests {
    /// Presentation and decode times in milliseconds, and what becomes of the pictures.
    struct Stream: Sendable, CustomTestStringConvertible {
        let name: String
        let times: [(Int64, Int64?)]
        let places: [PictureOrder.Place]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Stream(
            name: "ordinary", times: [(0, -80), (120, -40), (40, 0), (80, 40)],
            places: [.shown, .shown, .shown, .shown]),
        Stream(
            name: "shown before the first key frame", times: [(0, -80), (-83, -40), (-42, 0), (120, 40)],
            places: [.shown, .hidden, .hidden, .shown]),
        Stream(
            name: "a recording of earlier", times: [(17_000, 17_000), (-16_989, -16_989)], places: [.shown, .jump]),
        Stream(
            name: "a recording from the start again",
            times: [(5000, 5000), (0, 0), (40, 40), (80, 80)], places: [.shown, .hidden, .hidden, .jump]),
        Stream(
            name: "a wrong time stamp", times: [(5000, 5000), (10, 10), (5080, 5080), (20, 20), (5160, 5160)],
            places: [.shown, .hidden, .shown, .hidden, .shown]),
        Stream(name: "no decode times", times: [(5000, nil), (3000, nil)], places: [.shown, .shown]),
    ])
    func `no picture before the start is shown, and a jump back ends the clip`(stream: Stream) {
        var order = PictureOrder()
        let places = stream.times.map { time, decodeTime in
            order.place(
                of: MediaTime(value: time, timescale: 1000),
                decodedAt: decodeTime.map { MediaTime(value: $0, timescale: 1000) })
        }
        #expect(places == stream.places)
    }

    @Test(arguments: [(-16_989, "-16.98"), (-83, "-0.08"), (-5, "0.00"), (0, "0.00"), (1005, "1.01")])
    func `the text of a still never fails`(time: Int64, text: String) {
        let time = MediaTime(value: time, timescale: 1000)
        #expect(StillText.text(for: time, before: time + MediaTime(value: 1, timescale: 10)) == text)
    }
}
