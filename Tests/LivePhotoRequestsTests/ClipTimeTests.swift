import LivePhotoRequests
import MediaModel
import Testing

/// A time in thousandths, which no table entry rounds.
private func milliseconds(_ value: Int64) -> ClipTime {
    .seconds(MediaTime(value: value, timescale: 1000))
}

private let times: [(text: String, time: ClipTime, written: String)] = [
    ("2.5", milliseconds(2500), "2.5s"),
    ("2.5s", milliseconds(2500), "2.5s"),
    ("02.500", milliseconds(2500), "2.5s"),
    ("0", milliseconds(0), "0s"),
    (".5", milliseconds(500), "0.5s"),
    ("1500ms", milliseconds(1500), "1.5s"),
    ("0.25ms", .seconds(MediaTime(value: 25, timescale: 100_000)), "0.00025s"),
    ("1:02.5", milliseconds(62_500), "62.5s"),
    ("0:01:02.5", milliseconds(62_500), "62.5s"),
    ("90:00", milliseconds(5_400_000), "5400s"),
    ("10:00:00", milliseconds(36_000_000), "36000s"),
    ("0:00.000000001", .seconds(MediaTime(value: 1, timescale: 1_000_000_000)), "0.000000001s"),
    (
        "999999999.999999999", .seconds(MediaTime(value: 999_999_999_999_999_999, timescale: 1_000_000_000)),
        "999999999.999999999s"
    ),
    ("0.1", .seconds(MediaTime(value: 1, timescale: 10)), "0.1s"),
    ("#37", .frame(37), "#37"),
    ("#0", .frame(0), "#0"),
]

private let parts: [(text: String, millionths: Int, written: String)] = [
    ("50%", 500_000, "50%"), ("0%", 0, "0%"), ("100%", 1_000_000, "100%"), ("33.3333%", 333_333, "33.3333%"),
    ("12.50%", 125_000, "12.5%"),
]

private let noTimes = [
    "", " ", "s", "ms", ".", "5.", "-1", "+1", "-0", "1e3", "nan", "NaN", "inf", "0x10", "1,5", "1 s", " 1", "1\n",
    "1.2.3",
    "1:75", "1:60", "0:60:00", "1:2:3:4", ":30", "1:", "1::2", "1:-2", "1:02s", "1.5:00", "1:02:03ms", "1m", "1S", "٣",
    "１",
    "1000000000", "0.0000000001", "0.0000001ms", "16666667:00", "9223372036854775808", "99999999999999999999999:00",
    "%", "-1%", "101%", "100.0001%", "50.00001%", "50 %", "5%%", "#", "#-1", "#1.5", "#1.0", "#9999999999", "# 1",
    "37#",
]

@Suite struct ClipTimeTests {
    @Test(arguments: times) func `a time is read exactly and written so that it reads back`(
        text: String, time: ClipTime, written: String
    ) throws {
        let read = try ClipTime(text)
        #expect(read == time)
        #expect(read.description == written)
        #expect(try ClipTime(written) == time)
    }

    @Test(arguments: parts) func `a part of the clip is a percentage`(
        text: String, millionths: Int, written: String
    ) throws {
        let part = try #require(ClipPart(millionths: millionths))
        #expect(try ClipTime(text) == .part(part))
        #expect(part.description == written)
        #expect(try ClipTime(written) == .part(part))
    }

    @Test(arguments: noTimes) func `what is no time is refused with the text and what may be written`(text: String) {
        let error = #expect(throws: LivePhotoError.self) { try ClipTime(text) }
        #expect(error?.reason.hasPrefix("\(quoted(text)) is not a time in a clip; write ") == true)
    }

    @Test func `the error is one sentence with all the ways to write a time`() {
        let error = #expect(throws: LivePhotoError.self) { try ClipTime("1:75") }
        #expect(
            error?.description == """
                '1:75' is not a time in a clip; write seconds (2.5, 2.5s or 1500ms), minutes (1:02.5) or hours \
                (0:01:02.5), a percentage of the clip (0% to 100%) or a frame number from 0 (#37)
                """)
    }

    @Test(
        arguments: [
            (500_000, 1001, 501), (0, 1001, 0), (1_000_000, 1001, 1001), (333_333, 3_000_000, 999_999),
            (1_000_000, Int64.max, Int64.max),
        ] as [(Int, Int64, Int64)])
    func `a part of a duration is rounded to the nearest tick`(millionths: Int, ticks: Int64, expected: Int64) throws {
        let part = try #require(ClipPart(millionths: millionths))
        let time = part.of(MediaTime(value: ticks, timescale: 600))
        #expect(time.value == expected)
        #expect(time.timescale == 600)
    }

    @Test(arguments: [-1, 1_000_001]) func `there is no part below none or above the whole`(millionths: Int) {
        #expect(ClipPart(millionths: millionths) == nil)
    }
}
