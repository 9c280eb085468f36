import MediaModel
import Testing

@Suite struct MediaTimeTests {
    @Test(
        arguments: [
            (MediaTime(value: 1001, timescale: 30000), 600, 20), (MediaTime(value: 2002, timescale: 30000), 600, 40),
            (MediaTime(value: -1, timescale: 1200), 600, -1), (MediaTime(value: 1, timescale: 1200), 600, 1),
            (MediaTime(value: .max, timescale: 600), 600, Int64.max),
        ] as [(MediaTime, Int32, Int64)])
    func `rescaling rounds to the nearest tick, halves away from zero`(time: MediaTime, timescale: Int32, ticks: Int64)
    {
        #expect(time.rescaled(to: timescale).value == ticks)
    }

    @Test func `times of different timescales compare and add exactly`() {
        #expect(MediaTime(value: 1, timescale: 2) == MediaTime(value: 300, timescale: 600))
        #expect(
            MediaTime(value: 1, timescale: 3) + MediaTime(value: 1, timescale: 6) == MediaTime(value: 1, timescale: 2))
        #expect(MediaTime(value: 1001, timescale: 30000) < MediaTime(value: 1, timescale: 29))
        #expect(MediaTime(value: .max, timescale: 1) > MediaTime(value: .max, timescale: 600))
        #expect(Set([MediaTime(value: 1, timescale: 2), MediaTime(value: 2, timescale: 4)]).count == 1)
    }

    @Test func `times at the end of what 64 bits hold add without a trap`() {
        let (last, first) = (MediaTime(value: .max, timescale: 600), MediaTime(value: .min, timescale: 600))
        #expect((last + last).value == .max)
        #expect((first - last).value == .min)
        #expect((last + MediaTime(value: 1, timescale: 90_000)).value == .max)
    }

    @Test(arguments: [(2.5, "2.5 s"), (0, "0 s"), (-0.0334, "-0.033 s"), (1.9996, "2 s"), (1e-9, "0 s")])
    func `a time prints as seconds with no zeros at the end`(seconds: Double, text: String) {
        #expect(MediaTime(seconds: seconds, timescale: 1_000_000).description == text)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300]) func `no number of seconds crashes`(seconds: Double) {
        #expect(MediaTime(seconds: seconds, timescale: .max).timescale == .max)
    }
}

@Suite struct FrameRateTests {
    @Test func `a rate is kept in lowest terms and divides exactly`() throws {
        let ntsc = try #require(FrameRate(60000, 2002))
        #expect(ntsc == FrameRate(30000, 1001))
        #expect(ntsc.divided(by: 2)?.description == "14.985 fps")
        #expect(FrameRate(0, 1) == nil)
        #expect(FrameRate(25)?.frameDuration == MediaTime(value: 1, timescale: 25))
    }
}

@Suite struct OrientationTests {
    @Test(arguments: Orientation.allCases) func `each orientation is found again from its matrix, whatever the scale`(
        orientation: Orientation
    ) {
        let (a, b, c, d) = orientation.matrix
        for scale in [0.001, 1, 65536.0] {
            let found = Orientation(
                a: Double(a) * scale, b: Double(b) * scale * 2, c: Double(c) * scale, d: Double(d) * scale * 2)
            #expect(found == orientation)
        }
    }

    @Test func `a matrix that is no quarter turn has no orientation`() {
        #expect(Orientation(a: 0.7, b: 0.7, c: -0.7, d: 0.7) == nil)
        #expect(Orientation(a: 0, b: 0, c: 0, d: 0) == nil)
        #expect(Orientation(a: .nan, b: 0, c: 0, d: .infinity) == nil)
    }
}

@Suite struct ContentIdentifierTests {
    @Test func `an identifier is an upper-case UUID, in whatever case it was typed`() {
        let upper = "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"
        #expect(ContentIdentifier(upper.lowercased())?.string == upper)
        #expect(ContentIdentifier("beach") == nil)
        #expect(ContentIdentifier("{\(upper)}") == nil)
        #expect(ContentIdentifier() != ContentIdentifier())
    }
}

@Suite struct WordingTests {
    @Test(arguments: [
        (0.4, 0, "0"), (0.5, 0, "1"), (-2.6, 0, "-3"), (120, 0, "120"), (2.5, 1, "2.5"), (2.05, 1, "2.1"), (2, 3, "2"),
        (0.001, 3, "0.001"), (-0.0004, 3, "0"),
    ])
    func `a number is written with at most so many decimals`(number: Double, places: Int, text: String) {
        #expect(decimal(number, places: places) == text)
    }

    @Test(arguments: [
        ("plain", "plain"), ("caf\u{E9} \u{1F468}\u{200D}\u{1F469}", "caf\u{E9} \u{1F468}\u{200D}\u{1F469}"),
        ("a\u{1B}[31mb", "a\\u{1B}[31mb"), ("a\nb", "a\\nb"), ("a\u{202E}gpj.b", "a\\u{202E}gpj.b"),
        ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"), ("a\u{2028}b", "a\\u{2028}b"),
    ])
    func `what would steer a terminal, or let a name read as another, is shown escaped`(text: String, shown: String) {
        #expect(printable(text) == shown)
    }

    @Test(arguments: [
        ("a/b-1_2.MP.jpg", "a/b-1_2.MP.jpg"), ("caf\u{E9}.zip", "caf\u{E9}.zip"), ("a b", "'a b'"),
        ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("a;b", "'a;b'"), ("~", "'~'"), ("-x", "./-x"), ("", "''"),
    ])
    func `a path in a command line is one word for a shell`(path: String, word: String) {
        #expect(shellWord(path) == word)
    }
}
