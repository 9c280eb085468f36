import Foundation
import TestSupport
import Testing

/// Clips that do not say right from where on they can be decoded.
@Suite struct KeyFrameTests {
    @Test(arguments: [
        ClipRecipe("h264.mp4", "-c:v libx264 -preset veryfast -pix_fmt yuv420p -g 100"),
        ClipRecipe("hevc.mp4", "-c:v libx265 -preset ultrafast -pix_fmt yuv420p -g 100 -x265-params log-level=none"),
        ClipRecipe("mpeg2.mov", "-c:v mpeg2video -q:v 2 -g 100 -bf 2"), ClipRecipe("smc.mov", "-c:v smc -g 100"),
        ClipRecipe("svq1.mov", "-c:v svq1 -q:v 2 -g 100"),
    ])
    func `a movie that calls every picture a key frame is decoded from where it can be`(test: ClipRecipe) throws {
        let clip = try CountingClip.make(test.name, test.options)
        let folder = try TemporaryFolder()
        // Without a table of key frames every sample is one (ISO/IEC 14496-12, 8.6.2).
        try expectFullDecode(try CountingClip.changed(clip, in: folder) { try $0.replaceAll("stss", with: "free") })
    }

    /// The first picture of a movie is decoded when the plan is made, and the conversion continues after it.
    @Test(
        arguments: sampled(
            [
                ClipRecipe("sound.mp4", "\(tone) -c:v libx264 -bf 3 -g 250 -pix_fmt yuv420p -c:a aac"),
                ClipRecipe("uncompressed.mov", "\(tone) -c:v libx264 -bf 3 -g 60 -pix_fmt yuv420p -c:a pcm_s24le"),
                ClipRecipe(
                    "open.ts", "\(tone) -c:v libx264 -pix_fmt yuv420p -x264-params keyint=24:open-gop=1 -c:a mp2"),
                ClipRecipe(
                    "open.mkv", "-c:v libx265 -pix_fmt yuv420p -x265-params log-level=none:keyint=24:open-gop=1"),
                ClipRecipe(
                    "late.mp4", "\(tone) -c:v libx264 -bf 2 -g 50 -pix_fmt yuv420p -c:a aac -vf setpts=PTS+0.7/TB"),
                ClipRecipe("raw.264", "-c:v libx264 -bf 0 -g 50 -pix_fmt yuv420p"),
            ], every: 2))
    func `all pictures are those of a full decode, wherever the movie begins`(test: ClipRecipe) throws {
        try expectFullDecode(try CountingClip.make(test.name, test.options), stills: [0.9, 1.5, 4, 7.3])
    }

    @Test(arguments: ["-g 50 -bf 0", "-g 50 -bf 3", "-g 200 -bf 2"])
    func `a movie that was cut between key frames without encoding is shown from its beginning`(options: String) throws
    {
        let whole = try CountingClip.make("uncut.mp4", "-c:v libx264 -pix_fmt yuv420p \(options)")
        // The pictures before 0.76 s stay in the file, and the edit list hides them.
        let cut = try SampleClips.make("cut.mp4", "-ss 0.76 -i \(whole) -c copy")
        try expectFullDecode(cut, stills: [0, 0.4, 1, 4])
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", cut, "--still", "0.4", "-o", folder.url.path, "--json"))
        #expect(report.warnings.isEmpty && report.stillTimeInClip == 0.4)
        #expect(try FullDecode(report.photo).numbers == [19 + 10])
    }

    private static let tone = "-f lavfi -i sine=sample_rate=48000:duration=\(CountingClip.seconds)"

    @Test(arguments: ["mpeg4 -q:v 2", "cinepak -max_extra_cb_iterations 0 -max_strips 1"])
    func `an AVI whose index calls every picture a key frame is decoded from where it can be`(codec: String) throws {
        let clip = try CountingClip.make("index.avi", "-c:v \(codec) -g 100")
        let folder = try TemporaryFolder()
        let changed = try CountingClip.changed(clip, in: folder) { data in
            let index = try #require(data.range(of: Data("idx1".utf8), options: .backwards))
            for place in stride(from: index.upperBound + 4, to: data.count - 15, by: 16) { data[place + 4] |= 0x10 }
        }
        try expectFullDecode(changed)
    }

    @Test func `key frames at wrong places in a movie's table do not mislead`() throws {
        let clip = try CountingClip.make("wrong.mov", "-c:v mpeg4 -q:v 2 -g 50")
        let folder = try TemporaryFolder()
        let changed = try CountingClip.changed(clip, in: folder) { data in
            let table = try #require(data.range(of: Data("stss".utf8)))
            // Version and flags, count, then samples counted from 1; the first one stays.
            for place in stride(from: table.upperBound + 12, to: table.upperBound + 8 + 4 * 4, by: 4) {
                data[place + 3] += 13
            }
        }
        try expectFullDecode(changed)
    }

    @Test(arguments: [
        RunLengthClip(codec: .camtasia, flagsAll: true), RunLengthClip(codec: .plain),
    ])
    func `screen recordings whose decoder reports no key frames are decoded from their beginning`(test: RunLengthClip)
        throws
    {
        let folder = try TemporaryFolder()
        try test.write(to: folder.path("screen.avi"))
        try expectFullDecode(folder.path("screen.avi"))
    }

    @Test func `decoding much of a clip only to reach the movie gets a warning`() throws {
        let part = try CountingClip.make("part.mov", "-c:v rpza")
        let clip = try SampleClips.make("far.mov", "-stream_loop 9 -i \(part) -c copy")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", "70", "-o", folder.url.path, "--json"))
        #expect(
            report.warnings == [
                "no key frame of the clip's rpza video can be verified; the clip is decoded from its start, which takes"
                    + " longer"
            ])
        #expect(try FullDecode(report.photo).numbers == [70 * 25 % 200])
    }

    @Test(arguments: ["-c:v libx264 -pix_fmt yuv420p -g 2000 -bf 2", "-c:v cfhd -vf scale=320:240"])
    func `a clip with good key frames gets no warning, however long it is`(options: String) throws {
        let part = try CountingClip.make("part.avi", options)
        let clip = try SampleClips.make("long.avi", "-stream_loop 3 -i \(part) -c copy")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", "30", "-o", folder.url.path, "--json"))
        #expect(report.warnings.isEmpty)
        let whole = try FullDecode(clip)
        #expect(try FullDecode(report.photo).numbers == [whole.numbers[try whole.frame(at: report.stillTimeInClip)]])
    }

    @Test func `no more than half an hour of a clip is decoded to reach the movie`() throws {
        let clip = try SampleClips.make(
            "hour.mov", "-f lavfi -i testsrc=s=64x48:r=1:d=2400 -c:v qtrle -g 50")
        let folder = try TemporaryFolder()
        let report = try Report(
            try Program.livephoto("convert", clip, "--still", "2000", "-o", folder.url.path, "--json"))
        #expect(report.warnings.count { $0.contains("the clip is decoded from 1800 s before the movie, so") } == 1)
        #expect(try Reader.similarity((clip, 2000), (report.photo, nil)) > 0.9)
    }

    @Test func `pictures whose references are missing are left out where whole ones follow`() throws {
        for options in [
            "-c:v mpeg2video -q:v 2 -g 50 -bf 2", "-c:v libx264 -pix_fmt yuv420p -g 50 -x264-params open-gop=0",
        ] {
            let clip = try CountingClip.make("whole.ts", options)
            let folder = try TemporaryFolder()
            let cut = try CountingClip.changed(clip, in: folder) { data in
                // The tables, and all from the middle of the first second on.
                data = data.prefix(3 * 188) + data[(data.count / 8 / 2 / 188 * 188)...]
            }
            let report = try Report(
                try Program.livephoto("convert", cut, "--still", "0", "-o", folder.path("out"), "--json"))
            #expect(report.warnings.count { $0.hasPrefix("the clip's pictures before ") } == 1, "\(report.warnings)")
            let numbers = try FullDecode(report.photo).numbers
            // The first key frame, or the one before it that it carries.
            #expect((50...51).contains(numbers[0]), "\(options)")
        }
    }

    @Test(arguments: ["mp4", "ts"])
    func `a clip that is refreshed bit by bit is decoded from where its pictures are whole`(ending: String) throws {
        let clip = try CountingClip.make(
            "refresh.\(ending)", "-c:v libx264 -pix_fmt yuv420p -preset faster -g 90 -x264-params intra-refresh=1")
        try expectFullDecode(clip)
    }

    @Test func `pictures of old x264 versions in 4:4:4 are decoded as theirs after a seek too`() throws {
        // Builds before 151 coded them in another way, which libavcodec follows; it learns the build from the first packet.
        // Here a newer build calls itself an old one: all its pictures decode wrong, but from the start as after a seek.
        let clip = try CountingClip.make("old.mp4", "-c:v libx264 -pix_fmt yuv444p -g 1 -qp 20 -preset fast")
        let folder = try TemporaryFolder()
        let old = try CountingClip.changed(clip, in: folder) { data in
            let place = try #require(data.range(of: Data("x264 - core ".utf8)))
            data.replaceSubrange(place.upperBound..<place.upperBound + 3, with: Data("142".utf8))
        }
        // With one decoding thread: what libavcodec makes of damaged pictures differs from run to run with several.
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let core = try #require(status.firstMatch(of: /Cpus_allowed_list:\s+([0-9]+)/)).1
        let report = try Report(
            try Program.system(
                "taskset",
                [
                    "-c", String(core), Program.livephoto.path, "convert", old, "--still", "6", "-o",
                    folder.path("out"), "--json",
                ]))
        // The movie's first picture is the first that is decoded, so that no errors of others show in it.
        let first = try FullDecode(report.movie).means[0]
        let start = String(report.stillTimeInClip - report.stillTime)
        let asOld = try FullDecode(old, ["-x264_build", "142", "-ss", start]).means[0]
        let asNew = try FullDecode(clip, ["-ss", start]).means[0]
        #expect(abs(first - asOld) * 3 < abs(first - asNew), "\(first), \(asOld), \(asNew)")
    }
}
