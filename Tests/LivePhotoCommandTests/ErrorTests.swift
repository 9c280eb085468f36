import Foundation
import TestSupport
import Testing

/// Clips of which no Live Photo can be made.
@Suite struct ErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let sentence: String
        var status: Int32 = 65
        /// Makes the clip at a path.
        var make: @Sendable (String) throws -> Void = { _ in }
        var testDescription: String { name }

        static func copying(_ name: String, _ sentence: String, _ clip: @escaping @Sendable () throws -> String) -> Case
        {
            Case(name: name, sentence: sentence) { try FileManager.default.copyItem(atPath: try clip(), toPath: $0) }
        }

        static func holding(
            _ name: String, _ sentence: String, _ bytes: @escaping @Sendable () throws -> some DataProtocol & Sendable
        ) -> Case {
            Case(name: name, sentence: sentence) { try Data(try bytes()).write(to: URL(fileURLWithPath: $0)) }
        }
    }

    private static let damaged = "is not a video that FFmpeg can read, or it is damaged or incomplete"

    @Test(arguments: [
        Case(name: "missing.mp4", sentence: "missing.mp4: no such file", status: 66),
        Case(name: "beside/missing.mp4", sentence: "beside/missing.mp4: no such file", status: 66),
        Case(name: "folder.mp4", sentence: "folder.mp4: contains no video files") {
            try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
        },
        Case(name: "loop.mp4", sentence: "loop.mp4: cannot be opened", status: 66) {
            try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "loop.mp4")
        },
        Case(name: "pipe.mp4", sentence: "pipe.mp4: is not a regular file; save the clip to a file first") {
            try #require(mkfifo($0, 0o600) == 0)
        },
        .holding("empty.mp4", "empty.mp4: is empty (0 bytes)") { Data() },
        .holding("letter.mp4", "letter.mp4: \(damaged)") { Data("Dear reader, this is no film.\n".utf8) },
        .holding("letter.txt", "letter.txt: is text, not a clip") {
            Data(String(repeating: "Dear reader, this is no film.\n", count: 40).utf8)
        },
        .holding("header.mp4", "header.mp4: is cut off before its index (the box moov); copy it again") {
            try beach().prefix(1024)
        },
        .holding("half.mp4", "half.mp4: is cut off before its index (the box moov); copy it again") {
            let clip = try beach()
            return clip.prefix(clip.count / 2)
        },
        .holding("noise.mp4", "noise.mp4: \(damaged)") {
            Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 2_654_435_761 >> 13) })
        },
        .holding("list.m3u8", "list.m3u8: is a playlist or a script, not a clip; give the video file itself") {
            Data("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n\(try SampleClips.beach())\n#EXT-X-ENDLIST\n".utf8)
        },
        .holding("script.mp4", "script.mp4: is a playlist or a script, not a clip; give the video file itself") {
            Data("ffconcat version 1.0\nfile \(try SampleClips.beach())\n".utf8)
        },
        .copying("speech.m4a", "speech.m4a: no video stream (it has 1 audio stream); a Live Photo needs video") {
            try SampleClips.make("speech.m4a", "-f lavfi -i sine=duration=1")
        },
        .copying("song.m4a", "song.m4a: no video stream, its only picture is cover art; a Live Photo needs video") {
            try song("song.m4a", "-disposition:v attached_pic")
        },
        .copying("song.mp3", "song.mp3: no video stream, its only picture is cover art; a Live Photo needs video") {
            try song("song.mp3", "-id3v2_version 3")
        },
        .copying("photo.jpg", "photo.jpg: \(isPicture)") { try cover() },
        .copying("photo.mp4", "photo.mp4: \(isPicture)") { try cover() },
        .copying("photo.heic", "photo.heic: \(isPicture)") { try heif("photo.heic") },
        .copying("photo.avif", "photo.avif: \(isPicture)") { try heif("photo.avif") },
    ])
    func `a clip that cannot be used is an error that names it, and nothing is left`(test: Case) throws {
        let folder = try TemporaryFolder()
        try test.make(folder.path(test.name))
        try expectFailure(["convert", test.name, "--output", "made/for/it"], in: folder, test.status, test.sentence) {
            // A program that waits for a pipe's other end would wait for ever.
            try Program.system("timeout", ["20", Program.livephoto.path] + $0, in: $1)
        }
    }

    @Test(arguments: [
        ["--count", "2"], ["--name", "{date}"], ["--name", "{stem}-{index}"], [],
    ])
    func `with --json, a single clip that cannot be converted has a line`(options: [String]) throws {
        let folder = try TemporaryFolder()
        let outcome = try Program.livephoto(["convert", "missing.mp4", "--json"] + options, in: folder.url)
        #expect(outcome.status == 66, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 1 && lines.first?.contains("\"code\":\"noInput\"") == true, "\(outcome.output)")
    }

    @Test func `a name that could steer a terminal is shown escaped, on one line`() throws {
        let folder = try TemporaryFolder()
        try expectFailure(["convert", "a\u{1B}[2Jb\nc.mp4"], in: folder, 66, #"a\u{1B}[2Jb\nc.mp4: no such file"#)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `a clip that may not be read is an error that says so`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: try SampleClips.beach(), toPath: folder.path("mine.mp4"))
        chmod(folder.path("mine.mp4"), 0)
        let outcome = try Program.livephoto("convert", "mine.mp4", in: folder.url)
        #expect(outcome.status == 66 && outcome.errors == "error: mine.mp4: may not be read (permission denied)\n")
    }

    private static func beach() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: try SampleClips.beach()))
    }

    private static func cover() throws -> String {
        try SampleClips.make("cover.jpg", "-f lavfi -i color=red:size=64x64 -frames:v 1")
    }

    private static let isPicture =
        "is a picture, not a clip; give a video (livephoto convert CLIP --photo PICTURE takes both)"

    private static func heif(_ name: String) throws -> String {
        let path = try cover() + "." + name
        let outcome = try Program.system(
            "heif-enc", (name.hasSuffix("avif") ? ["-A"] : []) + ["-o", path, try cover()])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return path
    }

    /// Sound with cover art.
    private static func song(_ name: String, _ arguments: String) throws -> String {
        try SampleClips.make(
            name, "-f lavfi -i sine=duration=1 -i \(try cover()) -map 0 -map 1 -c:v copy \(arguments)")
    }

    @Test(arguments: [
        ["convert", "missing.mp4"], ["convert", "damaged.mp4"], ["inspect", "missing.mp4"],
        ["link", "damaged.jpg", "damaged.mp4", "-o", "out"],
    ])
    func `the cause of an error is printed with --verbose, and only then`(arguments: [String]) throws {
        let folder = try TemporaryFolder(["damaged.mp4": "no movie", "damaged.jpg": "no photo"])
        let short = try Program.livephoto(arguments, in: folder.url)
        let long = try Program.livephoto(arguments + ["--verbose"], in: folder.url)
        #expect(short.status == long.status && short.status != 0)
        #expect(!short.errors.contains("caused by:"))
        #expect(long.errors.contains("\ncaused by: "), "\(long.errors)")
    }
}
