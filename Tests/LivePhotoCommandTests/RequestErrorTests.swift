import Foundation
import TestSupport
import Testing

/// Requests that cannot be, of a clip of four seconds that can be used.
@Suite struct RequestErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let sentence: String
        let status: Int32
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., sentence: String, status: Int32 = 64) {
            self.arguments = arguments
            self.sentence = sentence
            self.status = status
        }
    }

    private static let noTime = "is not a time in a clip; write seconds (2.5, 2.5s or 1500ms)"

    @Test(arguments: [
        Case(
            "--still", "9",
            sentence: "beach.mp4: the still time 9 s lies outside the clip, which lasts 4 s; use at most 4 s"),
        Case(
            "--still", "0:01:02.5",
            sentence: "the still time 0:01:02.5 (62.5 s) lies outside the clip, which lasts 4 s; use at most 4 s"),
        Case(
            "--duration", "5",
            sentence: "beach.mp4: the duration 5 s is longer than the clip, which lasts 4 s; use at most 4 s"),
        Case(
            "--start", "3", "--duration", "1500ms",
            sentence: "a duration of 1500ms (1.5 s) from 3 s ends after the clip, which lasts 4 s; use at most 1 s"),
        Case(
            "--still", "0.5", "--before", "1", sentence: "has only 0.5 s before the still time 0.5 s; use at most 0.5 s"
        ),
        Case(
            "--still", "#9999",
            sentence: "beach.mp4: there is no frame #9999 in the clip, which has the frames #0 to #119"),
        Case("--still", "#120", sentence: "there is no frame #120"),
        Case("--still", "-1", sentence: "--still: '-1' \(noTime)"),
        Case("--still=-1", sentence: "--still: '-1' \(noTime)"),
        Case("--still", "abc", sentence: "--still: 'abc' \(noTime)"),
        Case("--still", "", sentence: "--still: '' \(noTime)"),
        Case("--still", "101%", sentence: "--still: '101%' \(noTime)"),
        Case("--still", "--json", sentence: "--still: '--json' \(noTime)"),
        Case("--start", "1:60", sentence: "--start: '1:60' \(noTime)"),
        Case("--end", "later", sentence: "--end: 'later' \(noTime)"),
        Case("--duration", "50%", sentence: "--duration: '50%' is not a duration; write seconds"),
        Case("--start", "3", "--end", "1", sentence: "beach.mp4: the movie cannot start at 3 s and end at 1 s"),
        Case("--start", "3", "--end", "3", sentence: "the movie cannot start at 3 s and end at 3 s"),
        Case("--end", "0", sentence: "the movie cannot start at 0 s and end at 0 s"),
        Case(
            "--start", "4", sentence: "the start 4 s lies at the end of the clip, which lasts 4 s; write an earlier one"
        ),
        Case("--end", "5", sentence: "the end 5 s lies outside the clip, which lasts 4 s; use at most 4 s"),
        Case(
            "--still", "0.5", "--start", "1",
            sentence:
                "the still time 0.5 s lies outside the movie, which lasts from 1 s to 4 s; write a time between them"),
        Case(
            "--still", "3", "--end", "2",
            sentence:
                "the still time 3 s lies outside the movie, which lasts from 0 s to 2 s; write a time between them"),
        Case(
            "--start", "1", "--end", "2", "--duration", "1",
            sentence: "beach.mp4: start, end and duration cannot all be given; leave one out"),
        Case("--duration", "0", sentence: "beach.mp4: the movie must last longer than 0 s"),
        Case("--before", "0", "--after", "0", sentence: "the movie must last longer than 0 s"),
        Case("--id", "3", sentence: "--id: '3' is not a UUID; write one such as CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"),
        Case(
            "--fps", "500", sentence: "--fps: '500' is not a range of frame rates; write a range within 1 to 240"),
        Case("--fps", "29.97", sentence: "or one rate, such as 15 or 30000/1001"),
        Case(
            "--date", "yesterday",
            sentence:
                "--date: 'yesterday' is not a date; write one such as 2025-10-12, 2025-10-12 23:36 or 2025-10-12T23:36:14+13:00, or file "
                + "for the file's modification time"),
        Case(
            "--max-size", "1080i", sentence: "--max-size: '1080i' is not a size; write two edges from 16 to 8192 pixels"
        ),
        Case("--video-codec", "av1", sentence: "--video-codec: 'av1' is not a video codec; write h264 or hevc"),
        Case("--hdr", "off", sentence: "--hdr: 'off' is not an HDR mode; write keep, tone-map or both"),
        Case("--photo-format", "png", sentence: "--photo-format: 'png' is not a photo format; write jpeg or heic"),
        Case("--name", "a/b", sentence: "'a/b' cannot be the name of both files; give one without slashes"),
        Case("--name", "", sentence: "'' cannot be the name of both files"),
        Case("--name", "..", sentence: "'..' cannot be the name of both files"),
        Case("--preset", "clasic", sentence: "no preset is named 'clasic'; did you mean 'classic'?"),
        Case(
            "--preset", "film",
            sentence: "no preset is named 'film'; there are classic, smooth, compact, modern and wallpaper"),
        Case("--preset", "missing.yaml", sentence: "cannot read missing.yaml: No such file or directory", status: 66),
        Case(
            "--preset", "mine.yaml",
            sentence: "mine.yaml:3:14: video.crf: '99' is not a CRF; write a number from 1 to 51"),
        Case("--stil", "3", sentence: "unknown option '--stil'; did you mean '--still'?"),
        Case("--colour", "3", sentence: "unknown option '--colour'"),
        Case("--still", sentence: "missing value for '--still <time|auto>'"),
        Case("other.mp4", "--name", "b", sentence: "--name, --id and --photo apply only to a single clip"),
        Case("other.mp4", "--photo", "b.jpg", sentence: "--name, --id and --photo apply only to a single clip"),
        Case("--jobs", "0", sentence: "--jobs: write a number from 1 to 256"),
        Case("--quiet", "--progress", "json", sentence: "--quiet and --progress json exclude each other"),
        Case("--progress", "dots", sentence: "the value 'dots' is invalid for '--progress <form>'"),
        Case("--force=1", sentence: "the option '--force' does not take any value, but '1' was specified"),
    ])
    func `an option that cannot be obeyed is an error that says what can`(test: Case) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: try SampleClips.beach(), toPath: folder.path("beach.mp4"))
        try Data("name: mine\nextends: classic\nvideo: {crf: 99}\n".utf8).write(
            to: folder.url.appendingPathComponent("mine.yaml"))
        try expectFailure(
            ["convert", "beach.mp4", "-o", "out"] + test.arguments, in: folder, test.status, test.sentence)
    }

    @Test(arguments: [
        (["convert"], 64, "missing expected argument '<clip> ...'"),
        (["convert", ""], 66, "no clip is named"), (["batch", "gone.yaml"], 66, "gone.yaml: no such file"),
        (["beach.mp4"], 64, "'beach.mp4' is not a command; to convert a clip: livephoto convert CLIP"),
        (["conver", "beach.mp4"], 64, "'conver' is not a command of livephoto; did you mean 'convert'? There are"),
        (
            ["frobnicate"], 64,
            "'frobnicate' is not a command of livephoto; there are convert, studio, batch, frames, presets, verify, inspect, edit, link, unlink, undo, import, extract, pack, share, preview, export and doctor"
        ),
        (["help", "frobnicate"], 64, "'frobnicate' is not a command of livephoto"),
        (
            ["presets", "classic"], 64,
            "'classic' is not a command of livephoto presets; there are list, show, check and keys"
        ),
        (["presets", "show"], 64, "missing expected argument '<name|file>'"),
        (["presets", "check"], 64, "missing expected argument '<file|name> ...'"),
        (["presets", "show", "clasic"], 64, "no preset is named 'clasic'; did you mean 'classic'?"),
        (["doctor", "--loud"], 64, "unknown option '--loud'"),
    ])
    func `a command that cannot be understood is an error that says what can`(
        arguments: [String], status: Int32, sentence: String
    ) throws {
        try expectFailure(arguments, in: TemporaryFolder(), status, sentence)
    }

    @Test func `a usage error points to the help of its command`() throws {
        let folder = try TemporaryFolder()
        for (arguments, command) in [(["convert", "--x"], "convert"), (["presets", "show"], "presets show")] {
            let outcome = try Program.livephoto(arguments, in: folder.url)
            #expect(outcome.errors.hasSuffix("\nSee 'livephoto \(command) --help'.\n"), "\(outcome.errors)")
        }
    }
}
