import MediaModel
import Testing

@Suite struct CaptureDateTests {
    @Test(arguments: [
        (2024, 2, 29, true), (2025, 2, 29, false), (1900, 2, 29, false), (2000, 2, 29, true), (2025, 4, 31, false),
        (2025, 12, 31, true), (2025, 13, 1, false), (2025, 0, 1, false), (2025, 1, 0, false), (0, 1, 1, false),
        (10_000, 1, 1, false),
    ])
    func `a day is one of the calendar`(year: Int, month: Int, day: Int, exists: Bool) {
        let date = CaptureDate(year: year, month: month, day: day, hour: 12, minute: 0, second: 0)
        #expect((date != nil) == exists)
    }

    @Test(
        arguments: [
            (0, 0, 0, nil, true), (23, 59, 59, 0, true), (24, 0, 0, nil, false), (0, 60, 0, nil, false),
            (0, 0, 60, nil, false), (-1, 0, 0, nil, false), (0, 0, 0, 840, true), (0, 0, 0, -1440, false),
        ] as [(Int, Int, Int, Int?, Bool)])
    func `a time is one that a clock shows`(hour: Int, minute: Int, second: Int, offset: Int?, exists: Bool) {
        let date = CaptureDate(
            year: 2025, month: 1, day: 1, hour: hour, minute: minute, second: second, utcOffset: offset)
        #expect((date != nil) == exists)
    }
}
