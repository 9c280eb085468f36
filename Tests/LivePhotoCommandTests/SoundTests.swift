import Foundation
import TestSupport
import Testing

@Suite struct SoundTests {
    @Test func `sound that cannot be converted is left out, with a warning`() throws {
        // More channels than libswresample takes, in each version of FFmpeg.
        let clip = try SampleClips.make(
            "channels.mov",
            "-f lavfi -i testsrc2=size=320x180:rate=30:duration=3 -f s16le -ar 48000 -ac 65 -t 3 -i /dev/zero"
                + " -c:v libx264 -pix_fmt yuv420p -c:a copy")
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        #expect(report.warnings.count == 1 && report.warnings[0].hasPrefix("the clip's sound cannot be converted ("))
        #expect(try !Reader.streams(report.movie).contains { $0["codec_type"] as? String == "audio" })
    }

    @Test func `the sound of 5.1 becomes stereo of the same length`() throws {
        let clip = try SampleClips.moving("surround.mkv", sound: "ac3", more: "-ac 6")
        let folder = try TemporaryFolder()
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        let sound = try #require(try Reader.streams(report.movie).first { $0["codec_type"] as? String == "audio" })
        #expect(sound["codec_name"] as? String == "aac" && sound["channels"] as? Int == 2)
        #expect(abs(try Reader.soundLength(report.movie) - report.duration) < 0.01)
    }

    struct Tracks: Sendable, CustomTestStringConvertible {
        let name: String
        let options: String
        /// Bytes of the clip that are overwritten, each time that they occur.
        var damage: [(from: String, to: String)] = []
        /// What is heard of the clip: its first track is loud (-9 dB), its second soft (-29 dB).
        let volume: Double?
        let warnings: [String]
        var testDescription: String { name }
    }

    @Test(arguments: [
        Tracks(
            name: "first.mkv", options: "-c:a aac -disposition:a:0 0 -disposition:a:1 0", volume: -9, warnings: []),
        Tracks(
            name: "default.mkv", options: "-c:a aac -disposition:a:0 0 -disposition:a:1 default", volume: -29,
            warnings: []),
        Tracks(
            name: "comment.mkv", options: "-c:a aac -disposition:a:0 default -disposition:a:1 comment", volume: -9,
            warnings: []),
        Tracks(
            name: "spatial.mp4", options: "-c:a:0 aac -c:a:1 alac", damage: [("mp4a", "apac"), ("esds", "dapa")],
            volume: -29,
            warnings: [
                "the clip's audio track 1 is apac, which this build of FFmpeg cannot decode; track 2 is used"
            ]),
        Tracks(
            name: "unknown.mkv", options: "-c:a:0 aac -c:a:1 flac", damage: [("A_AAC", "A_XYZ")], volume: -29,
            warnings: [
                "the clip's audio track 1 is of an unknown codec, which this build of FFmpeg cannot decode; track 2 is used"
            ]),
        // AAC of object type 7, TwinVQ, which FFmpeg has never decoded.
        Tracks(
            name: "twinvq.mp4", options: "-c:a:0 aac -c:a:1 alac",
            damage: [("\u{5}\u{80}\u{80}\u{80}\u{5}\u{11}\u{88}", "\u{5}\u{80}\u{80}\u{80}\u{5}\u{39}\u{88}")],
            volume: -29,
            warnings: [
                "the clip's audio track 1 is aac of a kind that this build of FFmpeg cannot decode; track 2 is used"
            ]),
        Tracks(
            name: "none.mp4", options: "-c:a aac", damage: [("mp4a", "apac"), ("esds", "dapa")], volume: nil,
            warnings: [1, 2].map {
                "the clip's audio track \($0) is apac, which this build of FFmpeg cannot decode; the movie has no sound"
            }),
    ])
    func `the default track is taken, otherwise the first that can be decoded, with a warning`(test: Tracks) throws {
        let whole = try SampleClips.make(
            "tracks-" + test.name,
            "-f lavfi -i testsrc2=size=64x36:rate=30:duration=2 -f lavfi -i aevalsrc=0.5*sin(2765*t):d=2:s=48000"
                + " -f lavfi -i aevalsrc=0.05*sin(2765*t):d=2:s=48000 -map 0 -map 1 -map 2 -c:v libx264 "
                + test.options)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        for (from, to) in test.damage {
            let (old, new) = (
                Data(from.unicodeScalars.map { UInt8($0.value) }), to.unicodeScalars.map { UInt8($0.value) }
            )
            while let place = bytes.range(of: old) { bytes.replaceSubrange(place, with: new) }
        }
        let folder = try TemporaryFolder()
        let clip = folder.path(test.name)
        try bytes.write(to: URL(fileURLWithPath: clip))
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        // Newer versions of FFmpeg know APAC by this name, but do not decode it.
        #expect(report.warnings.map { $0.replacing("apple_apac", with: "apac") } == test.warnings)
        let volume = try Reader.volume(report.movie)
        #expect((volume == nil) == (test.volume == nil))
        if let volume, let wanted = test.volume { #expect(abs(volume - wanted) < 0.5) }
        let silent = try Report(
            try Program.livephoto("convert", clip, "-o", folder.url.path, "--json", "--no-audio", "--force"))
        #expect(silent.warnings.isEmpty)
    }

    @Test func `sound of which nothing decodes is left out, with a warning`() throws {
        let whole = try SampleClips.moving("ac3.mov", size: "64x36", seconds: 2, sound: "ac3")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        // The sync word of each frame, and what follows.
        while let place = bytes.range(of: Data([0x0B, 0x77])) { bytes.replaceSubrange(place, with: [0, 0]) }
        let folder = try TemporaryFolder()
        let clip = folder.path("clip.mov")
        try bytes.write(to: URL(fileURLWithPath: clip))
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.path("out"), "--json"))
        #expect(report.warnings == ["the clip's sound cannot be decoded; the movie has none"])
        #expect(try Reader.volume(report.movie) == nil)
    }

    @Test func `sound that decodes only before the movie begins is missed, with a warning`() throws {
        let whole = try SampleClips.make(
            "flac.mkv",
            "-f lavfi -i testsrc2=s=64x36:r=25:d=12 -f lavfi -i sine=d=12 -c:v mpeg4 -g 25 -c:a flac -map 0:v -map 1:a")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
        // The sync code of each frame in the later part.
        for place in bytes.count * 2 / 3..<bytes.count - 1 where bytes[place] == 0xFF && bytes[place + 1] == 0xF8 {
            bytes[place + 1] = 0
        }
        let folder = try TemporaryFolder()
        try bytes.write(to: URL(fileURLWithPath: folder.path("clip.mkv")))
        let report = try Report(
            try Program.livephoto(
                "convert", folder.path("clip.mkv"), "--still", "10", "-o", folder.path("out"), "--json"))
        #expect(report.warnings == ["the clip's sound cannot be decoded; the movie has none"])
    }

    @Test(arguments: ["8000", "11025", "32000", "88200", "192000"])
    func `a tone keeps its loudness at every sample rate`(rate: String) throws {
        try expectVolume(-9, of: "0.5*sin(2765*t)", "-c:a pcm_s16le", rate: rate)
    }

    @Test(arguments: ["u8", "s24le", "f64be"])
    func `a tone keeps its loudness in every sample format`(format: String) throws {
        try expectVolume(-9, of: "0.5*sin(2765*t)", "-c:a pcm_\(format)")
    }

    /// One of the channels by itself, or all of them at their loudest: the mixture must hold that without being cut.
    @Test(
        arguments: [
            ("5.1", 6, 0, -19.7), ("5.1", 6, 2, -19.7), ("5.1", 6, 4, -22.7), ("5.1", 6, nil, -3.6),
            ("7.1", 8, 2, -21.9), ("7.1", 8, 7, -24.9), ("7.1", 8, nil, -3.6),
        ] as [(String, Int, Int?, Double)])
    func `channels are mixed to stereo at their shares, and never too loud`(
        layout: String, count: Int, channel: Int?, volume: Double
    ) throws {
        let channels = (0..<count).map { index in
            channel == nil ? "sin(2765*t)" : index == channel ? "0.5*sin(2765*t)" : "0"
        }
        try expectVolume(volume, of: channels.joined(separator: "|"), "-c:a pcm_s16le", rate: "48000:c=\(layout)")
    }

    private func expectVolume(_ volume: Double, of sound: String, _ codec: String, rate: String = "48000") throws {
        let folder = try TemporaryFolder()
        let clip = try SampleClips.make(
            "tone-\(UUID().uuidString).mov",
            "-f lavfi -i color=gray:size=64x36:rate=30:duration=2 -f lavfi -i aevalsrc=\(sound):d=2:s=\(rate)"
                + " -c:v mpeg4 \(codec)")
        let report = try Report(try Program.livephoto("convert", clip, "-o", folder.url.path, "--json"))
        #expect(report.warnings.isEmpty)
        let measured = try #require(try Reader.volume(report.movie))
        #expect(abs(measured - volume) < 0.5)
        #expect(abs(try Reader.soundLength(report.movie) - report.duration) < 0.01)
    }

    @Test(arguments: [
        ("ac3", "-c:a ac3 -ac 6", "-c:a ac3 -ac 2 -ar 44100"), ("aac", "-c:a aac -ac 2", "-c:a aac -ac 1"),
        ("mp2", "-c:a mp2 -ac 1 -ar 32000", "-c:a mp2 -ac 2"),
    ])
    func `sound that changes its form on the way goes on in step`(name: String, first: String, second: String) throws {
        var bytes = Data()
        for (index, codec) in [first, second].enumerated() {
            // A flash and a beep in the middle of each of its seconds.
            let part = try SampleClips.make(
                "\(name)\(index).ts",
                "-f lavfi -i color=black:size=64x36:rate=15:duration=4"
                    + " -f lavfi -i aevalsrc=if(between(mod(t\\,1)\\,0.4\\,0.5)\\,cos(6283*(t-0.4))\\,0):d=4:s=48000"
                    + " -vf drawbox=c=white:t=fill:enable='between(mod(n,15),6,8)' -c:v libx264 -bf 0 -g 15 \(codec)"
                    + " -output_ts_offset \(index * 4 + 1)")
            bytes += try Data(contentsOf: URL(fileURLWithPath: part))
        }
        let folder = try TemporaryFolder()
        let clip = folder.path("clip.ts")
        try bytes.write(to: URL(fileURLWithPath: clip))
        let report = try Report(
            try Program.livephoto("convert", clip, "--start", "3.2", "--end", "6.2", "-o", folder.url.path, "--json"))
        #expect(report.warnings.isEmpty)
        #expect(abs(try Reader.soundLength(report.movie) - report.duration) < 0.01)
        let (beeps, flashes) = try Reader.beepsAndFlashes(report.movie)
        // The last ones are the movie's end.
        #expect(beeps.count == 4 && flashes.count == 4)
        for (beep, flash) in zip(beeps, flashes).dropLast() { #expect(abs(beep - flash) < 0.01) }
    }

    struct Sync: Sendable, CustomTestStringConvertible {
        let name: String
        let rate: String
        /// A flash and a beep come every so many frames, about each second.
        let interval: Int
        let codec: String
        var container = ""
        var testDescription: String { name }
    }

    @Test(arguments: [
        Sync(name: "copied.mp4", rate: "30000/1001", interval: 30, codec: "aac"),
        Sync(name: "copied.mkv", rate: "25", interval: 24, codec: "aac -ar 44100"),
        Sync(name: "copied.ts", rate: "60", interval: 60, codec: "aac"),
        Sync(name: "plain.mov", rate: "60", interval: 60, codec: "pcm_s16le"),
        Sync(name: "preskip.mkv", rate: "30000/1001", interval: 30, codec: "libopus"),
        Sync(name: "delay.mp4", rate: "25", interval: 24, codec: "libmp3lame"),
        Sync(name: "broadcast.ts", rate: "25", interval: 24, codec: "mp2", container: "-output_ts_offset 80000"),
        // Sound begins 4.5 s after the picture and ends before it.
        Sync(
            name: "late.mkv", rate: "25", interval: 24, codec: "flac",
            container: "-af aselect=between(t\\,4.5\\,10.5)"),
        Sync(
            name: "late.mov", rate: "30000/1001", interval: 30, codec: "aac",
            container: "-af aselect=between(t\\,4.5\\,10.5)"),
        Sync(
            name: "gaps.mkv", rate: "25", interval: 24, codec: "flac",
            container: "-af aselect=not(between(mod(t\\,0.96)\\,0.3\\,0.8))"),
    ])
    func `the sound is in step with the picture, as in the clip`(test: Sync) throws {
        let rate = test.rate.split(separator: "/").compactMap { Double($0) }
        let seconds = Double(test.interval) / (rate[0] / (rate.count > 1 ? rate[1] : 1))
        let clip = try SampleClips.make(
            "sync-" + test.name,
            "-f lavfi -i color=black:size=64x36:rate=\(test.rate):duration=12"
                + " -f lavfi -i aevalsrc=if(lt(mod(t\\,\(seconds))\\,0.1)\\,cos(6283*mod(t\\,\(seconds)))\\,0):d=12:s=48000"
                + " -vf drawbox=c=white:t=fill:enable='lt(mod(n,\(test.interval)),4)' -c:v libx264 -g 30"
                + " -c:a \(test.codec) \(test.container)")
        let folder = try TemporaryFolder()
        let numbers = [2, 5, 10]
        let movies = try Program.livephoto(
            each: numbers.map {
                ["convert", clip, "--still", "#\($0 * test.interval)", "-o", folder.path("\($0)"), "--json"]
            }
        ).map { try Report($0).movie }
        let offsets = try offsets(each: [clip] + movies)
        let wanted = offsets[0]
        let usual = try #require(wanted.sorted().dropFirst(wanted.count / 2).first)
        for (number, found) in zip(numbers, offsets.dropFirst()) {
            #expect(!found.isEmpty || number == 2)
            for offset in found { #expect(abs(offset - usual) < 0.01, "\(found), \(wanted)") }
        }
    }

    /// How long after each flash of a movie its beep begins.
    private func offsets(each movies: [String]) throws -> [[Double]] {
        try Reader.beepsAndFlashes(each: movies).map { beeps, flashes in
            // The last ones are the movie's end.
            flashes.dropLast().compactMap { flash in
                beeps.dropLast().map { $0 - flash }.min { abs($0) < abs($1) }.flatMap { abs($0) < 0.2 ? $0 : nil }
            }
        }
    }
}
