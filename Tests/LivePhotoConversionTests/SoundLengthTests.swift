import LivePhotoConversion
import MediaModel
import Testing

@Suite struct SoundLengthTests {
    private static func time(_ milliseconds: Int) -> MediaTime {
        MediaTime(value: Int64(milliseconds), timescale: 1000)
    }

    /// Packets 100 ms apart: the duration that each states, how much of it decodes, and what the warning begins with.
    @Test(
        arguments: [
            (100, 100, nil), (100, 97, nil), (100, 20, "only 0.4 s of the clip's sound"), (100, 0, "only 0 s"),
            (100, 120, "the clip's sound lasts 2.4 s"), (nil, 100, nil), (nil, 20, "only 0.4 s of the clip's sound"),
        ] as [(Int?, Int, String?)])
    func `a difference of more than a twentieth is a warning`(stated: Int?, decoded: Int, warning: String?) {
        var length = SoundLength(from: Self.time(1000), to: Self.time(3000))
        for start in stride(from: 0, to: 4000, by: 100) {
            length.add(packetAt: Self.time(start), lasting: stated.map(Self.time))
            length.add(soundAt: Self.time(start), lasting: Self.time(decoded))
        }
        if let warning {
            #expect(length.warning?.hasPrefix(warning) == true)
        } else {
            #expect(length.warning == nil)
        }
    }

    /// As Matroska does with DTS, whose packets have 512 samples.
    @Test func `durations that are cut to milliseconds are no difference`() {
        var length = SoundLength(from: .zero, to: Self.time(3000))
        for index in 0..<400 {
            length.add(packetAt: Self.time(index * 512 / 48), lasting: Self.time(10))
            length.add(
                soundAt: MediaTime(value: Int64(index) * 512, timescale: 48000),
                lasting: MediaTime(value: 512, timescale: 48000))
        }
        #expect(length.warning == nil)
    }

    @Test func `a pause between packets without durations is not missing sound`() {
        var length = SoundLength(from: .zero, to: Self.time(9000))
        for start in [0, 100, 200, 6000, 6100, 6200] {
            length.add(packetAt: Self.time(start), lasting: nil)
            length.add(soundAt: Self.time(start), lasting: Self.time(100))
        }
        #expect(length.warning == nil)
    }
}
