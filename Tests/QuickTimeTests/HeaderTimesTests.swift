import MediaModel
import QuickTime
import Testing

@Suite struct HeaderTimesTests {
    @Test(
        arguments: [
            (3_840_522_310, "2025-09-12T11:45:10+0000"), (2_082_931_200, "1970-01-02T00:00:00+0000"),
            // Clocks that were not set
            (0, nil), (1, nil), (2_082_844_800, nil), (2_082_931_199, nil),
            // No date
            (UInt64.max, nil), (1 << 62, nil),
        ] as [(UInt64, String?)])
    func `the creation time of a movie is a date in UTC`(seconds: UInt64, date: String?) {
        let times = HeaderTimes(creation: seconds, modification: 0)
        #expect(times.captureDate?.iso8601 == date)
    }

    @Test func `a date is a time in its zone, and dates before 1904 are none`() throws {
        let date = try #require(CaptureDate(iso8601: "2025-09-12T13:45:10+0200"))
        #expect(HeaderTimes(date)?.creation == 3_840_522_310 && HeaderTimes(date)?.modification == 3_840_522_310)
        let old = try #require(CaptureDate(iso8601: "1903-12-31T23:59:59Z"))
        #expect(HeaderTimes(old) == nil)
    }
}
