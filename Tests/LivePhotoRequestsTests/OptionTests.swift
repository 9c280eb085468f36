import LivePhotoRequests
import MediaModel
import TestSupport
import Testing

/// Checks that `text` is read, written as `written`, and read back from that as the same value.
private func expectRoundTrip<Option: OptionValue>(_: Option.Type, _ text: String, _ written: String) throws -> Option {
    let option = try Option(text)
    #expect(option.optionText == written)
    #expect(try Option(written) == option)
    return option
}

private func expectRefused<Option: OptionValue>(_: Option.Type, _ text: String, kind: String) {
    let error = #expect(throws: LivePhotoError.self) { try Option(text) }
    #expect(error?.code == .invalidValue)
    #expect(error?.description.hasPrefix("\(quoted(text)) is not \(kind); write ") == true)
}

@Suite struct LengthTests {
    @Test(arguments: [("1.5", 1500, "1.5s"), ("0", 0, "0s"), ("1500ms", 1500, "1.5s"), ("1:00", 60_000, "60s")])
    func `a length is a time that is not negative`(text: String, milliseconds: Int64, written: String) throws {
        let length = try expectRoundTrip(MediaTime.self, text, written)
        #expect(length == MediaTime(value: milliseconds, timescale: 1000))
    }

    @Test(arguments: ["", "-1", "50%", "#3", "long"]) func `what is no length is refused`(text: String) {
        expectRefused(MediaTime.self, text, kind: "a duration")
    }
}

@Suite struct FrameRateRangeTests {
    @Test(arguments: [
        ("12-15", FrameRate(12), FrameRate(15), "12-15"),
        ("15", FrameRate(15), FrameRate(15), "15"),
        ("15-15", FrameRate(15), FrameRate(15), "15"),
        ("30000/1001", FrameRate(30000, 1001), FrameRate(30000, 1001), "30000/1001"),
        ("24000/1001-30", FrameRate(24000, 1001), FrameRate(30), "24000/1001-30"),
        ("25/2-30/2", FrameRate(25, 2), FrameRate(15), "25/2-15"),
        ("1-240", FrameRate(1), FrameRate(240), "1-240"),
    ])
    func `a range has two rates or one`(text: String, lower: FrameRate?, upper: FrameRate?, written: String) throws {
        let range = try expectRoundTrip(FrameRateRange.self, text, written)
        #expect(range.lower == lower)
        #expect(range.upper == upper)
    }

    @Test(arguments: [
        "", "-", "12-", "-15", "15-12", "0-15", "0", "1/2", "241", "240001/1000", "12-15-18", "12 - 15", "29.97",
        "15fps",
        "30000/0", "0/1001", "30000/1001/1", "/", "15/", "/2", "4294967296/4294967295", "2147483648", "twelve", "12–15",
    ])
    func `what is no range is refused`(text: String) {
        expectRefused(FrameRateRange.self, text, kind: "a range of frame rates")
    }

    @Test func `a range contains its ends`() throws {
        let range = try FrameRateRange("24000/1001-30")
        #expect(range.contains(try #require(FrameRate(24000, 1001))))
        #expect(range.contains(try #require(FrameRate(30))))
        #expect(!range.contains(try #require(FrameRate(23))))
        #expect(!range.contains(try #require(FrameRate(30001, 1000))))
    }
}

@Suite struct MaximumSizeTests {
    @Test(arguments: [
        ("1920x1080", 1920, 1080, "1920x1080"), ("1080x1920", 1920, 1080, "1920x1080"),
        ("1280×720", 1280, 720, "1280x720"), ("16x8192", 8192, 16, "8192x16"), ("720x720", 720, 720, "720x720"),
    ])
    func `a size has a long and a short edge, whichever is typed first`(
        text: String, long: Int, short: Int, written: String
    ) throws {
        let size = try expectRoundTrip(MaximumSize.self, text, written)
        #expect(size.longEdge == long)
        #expect(size.shortEdge == short)
    }

    @Test(arguments: [
        "", "x", "1920", "1920x", "x1080", "1920x1080x3", "1920 x 1080", "1920*1080", "15x1080", "8193x1080", "0x0",
        "-1920x1080", "1920.0x1080", "99999999999999999999x1080",
    ])
    func `what is no size is refused`(text: String) {
        expectRefused(MaximumSize.self, text, kind: "a size")
    }
}

@Suite struct BackgroundColorTests {
    @Test(arguments: [
        ("black", [0, 0, 0], "black"), ("white", [255, 255, 255], "white"), ("gray", [128, 128, 128], "gray"),
        ("red", [255, 0, 0], "red"), ("yellow", [255, 255, 0], "yellow"), ("green", [0, 128, 0], "green"),
        ("blue", [0, 0, 255], "blue"), ("#1E90FF", [30, 144, 255], "#1E90FF"), ("1e90ff", [30, 144, 255], "#1E90FF"),
        ("000000", [0, 0, 0], "black"), ("#ffFFff", [255, 255, 255], "white"), ("00000A", [0, 0, 10], "#00000A"),
    ])
    func `a colour has a name, or three bytes in hexadecimal`(text: String, bytes: [UInt8], written: String) throws {
        let color = try expectRoundTrip(BackgroundColor.self, text, written)
        #expect([color.red, color.green, color.blue] == bytes)
    }

    @Test(arguments: [
        "", "#", "Black", "mauve", "#FFF", "fff", "#1E90F", "#1E90FF0", "##1E90F", "#-1E90F", "+1E90F", "0x1E90",
        "GGGGGG",
        " white", "white ", "#white", "1,2,3", "１Ｅ90FF",
    ])
    func `what is no colour is refused`(text: String) {
        expectRefused(BackgroundColor.self, text, kind: "a colour")
    }
}

@Suite struct BitRateTests {
    @Test(arguments: [
        ("128k", 128_000, "128k"), ("96000", 96_000, "96k"), ("44100", 44_100, "44100"), ("8k", 8_000, "8k"),
        ("512k", 512_000, "512k"),
    ])
    func `a bit rate is in bits or thousands of bits`(text: String, bits: Int, written: String) throws {
        #expect(try expectRoundTrip(BitRate.self, text, written).bitsPerSecond == bits)
    }

    @Test(arguments: [
        "", "k", "128", "7999", "512001", "0k", "-128k", "128K", "128kb", "1M", "96.5k", "999999999999999k",
    ])
    func `what is no bit rate is refused`(text: String) {
        expectRefused(BitRate.self, text, kind: "a bit rate")
    }
}

@Suite struct WorkLimitTests {
    @Test(arguments: [
        ("1800", Duration.seconds(1800), "1800s"), ("0.3", .milliseconds(300), "0.3s"), ("5:00", .seconds(300), "300s"),
        ("0", nil, "0s"),
    ])
    func `a time limit is a duration, and 0 is none`(text: String, duration: Duration?, written: String) throws {
        #expect(try expectRoundTrip(TimeLimit.self, text, written).duration == duration)
    }

    @Test func `the longest duration is a time limit, and a negative one none`() {
        #expect(TimeLimit(.seconds(Int64.max)).duration == .seconds(1_000_000_000_000))
        #expect(TimeLimit(.seconds(Int64.min)).duration == nil)
        #expect(TimeLimit(.milliseconds(-1)).duration == nil)
    }

    @Test(arguments: ["", "-1", "never", "1h", "1e3"]) func `what is no time limit is refused`(text: String) {
        expectRefused(TimeLimit.self, text, kind: "a time limit")
    }

    @Test(arguments: [("256", 256), ("4096", 4096), ("1048576", 1_048_576)])
    func `a memory limit is a whole number of megabytes`(text: String, megabytes: Int) throws {
        #expect(try expectRoundTrip(MemoryLimit.self, text, text).megabytes == megabytes)
    }

    @Test(arguments: ["", "0", "255", "-256", "256.5", "4G", "1048577"]) func `what is no memory limit is refused`(
        text: String
    ) {
        expectRefused(MemoryLimit.self, text, kind: "a memory limit")
    }
}

@Suite struct QualityTests {
    @Test(arguments: [("1", 1), ("92", 92), ("100", 100)]) func `a photo's quality is a whole number`(
        text: String, value: Int
    ) throws {
        #expect(try expectRoundTrip(PhotoQuality.self, text, text).value == value)
    }

    @Test(arguments: ["", "0", "101", "-1", "92.0", "92.5", "92%", "high", "99999999999999999999"])
    func `what is no quality is refused`(text: String) {
        expectRefused(PhotoQuality.self, text, kind: "a photo quality")
    }

    @Test(arguments: [("0", 0, "0"), ("20", 2000, "20"), ("20.5", 2050, "20.5"), ("51.00", 5100, "51")])
    func `a CRF is whole or decimal`(text: String, hundredths: Int, written: String) throws {
        #expect(try expectRoundTrip(ConstantRateFactor.self, text, written).hundredths == hundredths)
    }

    @Test(arguments: [("1", 100), ("1.00", 100), ("51", 5100)])
    func `a CRF of x264 leaves out those without loss`(text: String, hundredths: Int) throws {
        #expect(try X264RateFactor(text).hundredths == hundredths)
        expectRefused(X264RateFactor.self, "0", kind: "a CRF")
        expectRefused(X264RateFactor.self, "0.99", kind: "a CRF")
    }

    @Test(arguments: ["", "51.01", "52", "-1", "20.125", "2e1", "auto", "nan"])
    func `what is no CRF is refused`(text: String) {
        expectRefused(ConstantRateFactor.self, text, kind: "a CRF")
    }
}

@Suite struct OptionChoiceTests {
    private func expectEachReadsBack<Choice: OptionChoice>(_: Choice.Type) throws {
        for choice in Choice.allCases {
            #expect(try Choice(choice.description) == choice)
        }
    }

    @Test func `each choice reads back from its word`() throws {
        try expectEachReadsBack(X264Preset.self)
        try expectEachReadsBack(AudioMode.self)
        try expectEachReadsBack(ToneMapping.self)
        try expectEachReadsBack(MetadataMode.self)
    }

    @Test func `the x264 presets go by libx264's names`() {
        #expect(
            X264Preset.allCases.map(\.description) == [
                "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
                "placebo",
            ])
    }

    @Test(arguments: [
        ("loud", "'loud' is not an audio mode; write keep or none"),
        ("Keep", "'Keep' is not an audio mode; write keep or none"),
        ("", "'' is not an audio mode; write keep or none"),
        ("a\u{1B}[31m\n", #"'a\u{1B}[31m\n' is not an audio mode; write keep or none"#),
        (
            String(repeating: "x", count: 1000),
            "'\(String(repeating: "x", count: 60))…' is not an audio mode; write keep or none"
        ),
    ])
    func `another word is refused in a sentence that a terminal can show`(word: String, sentence: String) {
        let error = #expect(throws: LivePhotoError.self) { try AudioMode(word) }
        #expect(error?.description == sentence)
    }
}

@Suite struct WordingTests {
    @Test(arguments: [
        ("codec", "codec", 0), ("codce", "codec", 1), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3),
        ("crf", "cfr", 1), ("ca", "abc", 3),
    ])
    func `the distance of two words counts edits and swaps`(first: String, second: String, distance: Int) {
        #expect(editDistance(first, second) == distance)
    }

    @Test(arguments: [
        ("codce", "; did you mean 'codec'?"), ("framerate", "; did you mean 'frameRate'?"),
        ("cr", "; did you mean 'crf'?"),
        ("bitrate", ""), ("", ""), (LongText(repeating: "codec", count: 100_000), ""),
    ])
    func `only a word that is close is suggested`(typed: LongText, suggested: String) {
        #expect(suggestion(for: typed.text, among: ["codec", "frameRate", "crf"]) == suggested)
    }
}

@Suite struct IdentityOptionTests {
    @Test func `an identifier is a UUID in any case`() throws {
        let written = "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"
        for text in [written, written.lowercased()] {
            let option = try expectRoundTrip(ContentIdentifier.self, text, written)
            #expect(option.string == written)
        }
        expectRefused(ContentIdentifier.self, String(written.dropLast()), kind: "a UUID")
    }

    @Test(arguments: [
        ("2025-10-12T23:36:14+13:00", "2025-10-12T23:36:14+1300"),
        ("2025-10-12T23:36:14Z", "2025-10-12T23:36:14+0000"),
    ])
    func `a date is written as ISO 8601`(text: String, written: String) throws {
        _ = try expectRoundTrip(CaptureDate.self, text, written)
        expectRefused(CaptureDate.self, text + "!", kind: "a date")
    }
}
