import Foundation
import LivePhotoConversion
import TestSupport
import Testing

/// How loud a movie is over time.
@Suite struct SoundLevelsTests {
    private static let picture = "-f lavfi -i testsrc2=size=32x32:rate=10:duration=3"
    /// A tone of an eighth of full scale with a second of silence in the middle.
    private static let tone = "-f lavfi -i aevalsrc=sin(440*2*PI*t)/8*(lt(t\\,1)+gte(t\\,2)):s=SAMPLERATE:d=3"

    private static func tone(_ rate: Int = 48_000) -> String { tone.replacing("SAMPLERATE", with: "\(rate)") }

    private func levels(_ name: String, _ arguments: String) async throws -> SoundLevels {
        try await MediaEngine.inProcess.soundLevels(of: FilePath(try SampleClips.make(name, arguments)))
    }

    @Test(arguments: [
        ("s16.mov", "pcm_s16le", 48_000), ("s16.mov", "pcm_s16le", 11_025), ("s24.mov", "pcm_s24le", 44_100),
        ("s32.mkv", "pcm_s32le", 48_000), ("float.mkv", "pcm_f32le", 44_100), ("double.mkv", "pcm_f64le", 44_100),
        ("u8.avi", "pcm_u8", 22_050), ("aac.mp4", "aac", 48_000), ("aac.mp4", "aac", 44_100),
        ("opus.mkv", "libopus", 48_000), ("mp3.mov", "libmp3lame", 44_100), ("flac.mkv", "flac", 44_100),
    ])
    func `a tone has its amplitude, and silence is 0`(name: String, codec: String, rate: Int) async throws {
        let sound = try await levels(name, "\(Self.picture) \(Self.tone(rate)) -c:v mpeg4 -c:a \(codec) -ac 1")
        #expect(sound.interval == MediaTime(value: 1, timescale: 20) && 59...62 ~= sound.levels.count)
        let isExact = codec.hasPrefix("pcm") || codec == "flac"
        for (index, level) in sound.levels.prefix(60).enumerated() {
            switch index {
            case 20..<40 where isExact: #expect(level <= 8, "\(index)")
            case 22..<38: #expect(level < 10, "\(index)")
            case 0..<19, 41..<59: #expect(abs(level - 125) <= (isExact ? 2 : 40), "\(index)")
            default: break
            }
        }
    }

    @Test func `the loudest channel counts`() async throws {
        let sound = try await levels(
            "right.mov", "\(Self.picture) \(Self.tone()) -af pan=stereo|c0=0*c0|c1=c0 -c:v mpeg4 -c:a pcm_s16le")
        #expect(sound.levels.prefix(19).allSatisfy { 123...127 ~= $0 })
    }

    @Test func `sound beyond full scale is 1000`() async throws {
        let sound = try await levels(
            "loud.mkv", "\(Self.picture) \(Self.tone()) -af volume=20dB -c:v mpeg4 -c:a pcm_f32le")
        #expect(sound.levels.prefix(19).allSatisfy { $0 == 1000 })
    }

    @Test(arguments: ["delayed.mov", "delayed.mkv", "delayed.ts"])
    func `sound that begins later than the picture is silent until then`(name: String) async throws {
        let sound = try await levels(
            name, "\(Self.picture) -itsoffset 0.6 \(Self.tone()) -c:v mpeg4 -c:a aac -shortest")
        #expect(sound.levels.prefix(10).allSatisfy { $0 < 3 }, "\(sound.levels)")
        #expect(sound.levels[14..<30].allSatisfy { $0 > 80 }, "\(sound.levels)")
        #expect(sound.levels[35..<50].allSatisfy { $0 < 10 }, "\(sound.levels)")
    }

    @Test func `a clip that was cut without encoding is measured from where it begins`() async throws {
        let clip = try SampleClips.make(
            "whole.mp4", "\(Self.picture) \(Self.tone()) -c:v libx264 -g 10 -c:a aac")
        let sound = try await levels("cut.mp4", "-ss 0.5 -i \(clip) -c copy")
        #expect(sound.levels.prefix(9).allSatisfy { $0 > 80 }, "\(sound.levels)")
        #expect(sound.levels[12..<28].allSatisfy { $0 < 10 }, "\(sound.levels)")
        #expect(sound.levels[32..<48].allSatisfy { $0 > 80 }, "\(sound.levels)")
    }

    @Test func `a clip without sound has no levels`() async throws {
        #expect(try await levels("silent.mp4", "\(Self.picture) -c:v libx264").levels.isEmpty)
    }

    @Test func `what is no movie is an error`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "clip.mp4")
        let error = await #expect(throws: LivePhotoError.self) {
            try await MediaEngine.inProcess.soundLevels(of: folder.path.appending("clip.mp4"))
        }
        #expect(error?.code == .unusableMedia)
    }

    @Test(arguments: [(1, 20, 20), (599, 11_980, 20), (601, 6_010, 10), (7200, 9_000, 1), (86_400, 6_750, 0)])
    func `long sound has longer intervals, so that there are at most 12,000`(
        seconds: Int, count: Int, perSecond: Int
    ) {
        var meter = LevelMeter()
        for second in 0..<seconds {
            meter.add(count: 100, rate: 100, at: MediaTime(value: Int64(second), timescale: 1)) { range in
                // One sample of each second is loud.
                range.contains(70) ? 0.5 : 0.1
            }
        }
        let sound = meter.levels
        #expect(sound.levels.count == count)
        if perSecond > 0, 20 % perSecond == 0, perSecond > 1 {
            #expect(sound.interval == MediaTime(value: 1, timescale: Int32(perSecond)))
        }
        #expect(sound.interval.seconds * Double(count) == Double(seconds))
        #expect(sound.levels.max() == 500 && sound.levels.allSatisfy { $0 >= 100 })
    }

    @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 96_000])
    func `each sample counts for one interval, whatever the sample rate`(rate: Int) {
        var meter = LevelMeter()
        var ranges = 0
        for block in 0..<50 {
            var next = 0
            meter.add(count: 1024, rate: rate, at: MediaTime(value: Int64(block * 1024), timescale: Int32(rate))) {
                #expect($0.lowerBound == next && !$0.isEmpty)
                next = $0.upperBound
                ranges += 1
                return 1
            }
            #expect(next == 1024)
        }
        let expected = (50 * 1024 * 20 + rate - 1) / rate
        #expect(meter.levels.levels == Array(repeating: 1000, count: expected) && ranges >= expected)
    }

    @Test func `sound before the start and at impossible times is left out`() {
        var meter = LevelMeter()
        meter.add(count: 4800, rate: 48_000, at: MediaTime(value: -50, timescale: 1000)) {
            #expect($0 == 2400..<4800)
            return 0.25
        }
        for time in [MediaTime(value: .max, timescale: 1), MediaTime(value: 20_000_000, timescale: 1)] {
            meter.add(count: 4800, rate: 48_000, at: time) { _ in 1 }
        }
        meter.add(count: 4800, rate: 0, at: .zero) { _ in 1 }
        meter.add(count: 4800, rate: 48_000, at: MediaTime(value: .min, timescale: 1)) { _ in 1 }
        #expect(meter.levels == SoundLevels(levels: [250]))
    }
}
