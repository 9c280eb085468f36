import Foundation
import TestSupport
import Testing

/// `verify`, as its users run it.
@Suite struct VerifyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes `NAME.JPG` and `NAME.MOV`.
    ///
    /// - Parameter options: with spaces between them.
    @discardableResult
    private func convert(_ name: String, of clip: String? = nil, _ options: String = "") throws -> Report {
        try Report(
            Program.livephoto(
                ["convert", clip ?? SampleClips.beach(), "-o", folder.url.path, "--name", name, "--json"]
                    + options.split(separator: " ").map(String.init)))
    }

    private func verify(_ arguments: String...) throws -> Outcome {
        try Program.livephoto(["verify"] + arguments, in: folder.url)
    }

    /// Names of the rules that a pair breaks.
    private func brokenRules(_ arguments: String...) throws -> [String] {
        let outcome = try Program.livephoto(["verify", "--json"] + arguments, in: folder.url)
        #expect(outcome.errors.isEmpty)
        let document = try Verification(line: outcome.output)
        #expect(outcome.status == (document.ok ? 0 : 1))
        return document.findings.map(\.rule)
    }

    @Test func `a good pair is one in either order, by either file and by its folder`() throws {
        let report = try convert("beach")
        for paths in [["beach.JPG", "beach.MOV"], ["beach.MOV", "beach.JPG"], ["beach.JPG"], ["./beach.MOV"]] {
            let outcome = try Program.livephoto(["verify"] + paths, in: folder.url)
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(paths): \(outcome.errors)")
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasSuffix("beach.JPG + \(paths == ["./beach.MOV"] ? "./" : "")beach.MOV") == true)
            #expect(lines.dropFirst().first == "  identifier  \(report.contentIdentifier ?? "none")")
            #expect(lines.last == "  a Live Photo: no problems found" && lines.count == 4, "\(outcome.output)")
            #expect(try Program.livephoto(["verify", "--quiet"] + paths, in: folder.url).output.isEmpty)
        }
        let outcome = try verify(".")
        #expect(outcome.status == 0 && outcome.errors.isEmpty && outcome.output == "1 pair: 1 good\n")
    }

    @Test(arguments: [
        ("classic", "--preset classic"), ("compact", "--preset compact"), ("smooth", "--preset smooth"),
        ("silent", "--no-audio"), ("cropped", "--fill 3:4"), ("at the start", "--still 0"), ("late", "--still 95%"),
    ]) func `what convert makes is good`(name: String, options: String) throws {
        try convert("made", options)
        #expect(try brokenRules("made.JPG", "--pixels") == [])
    }

    @Test func `a pair of one frame, and one of a photo of the user's own, are good`() throws {
        let still = try SampleClips.moving("still.mp4", seconds: 0.03, sound: nil)
        #expect(try convert("one", of: still).frames == 1)
        #expect(try brokenRules("one.JPG", "--pixels") == [])
        let photo = try SampleClips.make(
            "own.jpg", "-ss 2 -i \(try SampleClips.beach()) -frames:v 1 -vf scale=1280:720,eq=brightness=0.05")
        try convert("own", "--photo \(photo) --still 2")
        #expect(try brokenRules("own.JPG", "--pixels") == [])
    }

    @Test(arguments: [("of a scene of its own", "mandelbrot=size=320x180"), ("mirrored", "")])
    func `a photo of something else is found by its pixels only`(name: String, source: String) throws {
        let photo =
            source.isEmpty
            ? try SampleClips.make("other.jpg", "-ss 2 -i \(try SampleClips.beach()) -frames:v 1 -vf hflip")
            : try SampleClips.make("other.jpg", "-f lavfi -i \(source) -frames:v 1")
        try convert("other", "--photo \(photo) --still 2")
        #expect(try brokenRules("other.MOV") == [])
        #expect(try brokenRules("other.MOV", "--pixels") == ["same-picture"])
        let outcome = try verify("other.MOV", "--pixels")
        #expect(outcome.status == 0 && outcome.output.contains("warning: the photo differs from the movie's frame"))
    }

    @Test(arguments: [
        ("-map 0", ["movie-identifier", "metadata-track-intact"]),
        // Which writes them into moov/udta/meta.
        ("-f mp4 -movflags use_metadata_tags", ["movie-identifier", "movie-brand", "still-time-present"]),
        ("", ["movie-identifier", "still-time-present"]),
    ]) func `a movie that ffmpeg copied is told by what it lost`(options: String, rules: [String]) throws {
        try SamplePair.copyConverted(to: folder.url)
        try FileManager.default.copyItem(atPath: folder.path("beach.JPG"), toPath: folder.path("copy.JPG"))
        let outcome = try Program.system(
            "ffmpeg",
            ["-v", "error", "-nostdin", "-i", folder.path("beach.MOV")] + options.split(separator: " ").map(String.init)
                + ["-c", "copy", folder.path("copy.MOV")])
        try #require(outcome.status == 0, "\(outcome.errors)")
        #expect(try brokenRules("copy.MOV") == rules)
    }

    @Test func `a profile asks for more`() throws {
        try convert("smooth", "--preset smooth")
        #expect(try brokenRules("smooth.JPG") == [])
        #expect(try brokenRules("smooth.JPG", "--profile", "any") == [])
        #expect(try brokenRules("smooth.JPG", "--profile", "classic") == ["classic-rate"])
        #expect(
            try brokenRules("smooth.JPG", "--profile", "wallpaper")
                == [
                    "wallpaper-full-rate", "wallpaper-length", "wallpaper-codec", "wallpaper-transform",
                    "wallpaper-vitality",
                    "wallpaper-info",
                ])
    }

    @Test func `in folders all pairs are told that are not good, then what is no pair`() throws {
        try convert("good")
        try convert("smooth", "--preset smooth")
        for (name, half) in [("broken.JPG", "good.JPG"), ("smooth copy.MOV", "smooth.MOV")] {
            try FileManager.default.copyItem(atPath: folder.path(half), toPath: folder.path(name))
        }
        try FileManager.default.copyItem(atPath: try SampleClips.beach(), toPath: folder.path("broken.MOV"))
        try convert("alone")
        try FileManager.default.removeItem(atPath: folder.path("alone.MOV"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("gone.JPG"), withDestinationPath: "nowhere")
        let outcome = try verify(".", "--profile", "classic")
        #expect(outcome.status == 1)
        #expect(outcome.errors == "error: gone.JPG: no such file\n")
        let blocks = outcome.output.components(separatedBy: "\n\n")
        #expect(
            blocks.map { $0.split(separator: "\n").first ?? "" } == [
                "smooth.JPG + smooth.MOV", "broken.JPG + broken.MOV", "alone.JPG", "broken.JPG",
                "smooth copy.MOV",
                "3 pairs: 1 good, 1 with warnings or notes, 1 with errors, 1 photo without a movie, "
                    + "1 unreadable",
            ], "\(outcome.output)")
        #expect(
            blocks.dropFirst().first?.hasSuffix("not a good Live Photo: 2 errors, 2 warnings") == true,
            "\(outcome.output)")

        let quiet = try verify(".", "--profile", "classic", "-q")
        #expect(quiet.status == 1 && outcome.output.hasPrefix(quiet.output) && !quiet.output.contains("3 pairs"))
        #expect(try verify(".").status == 1)
    }

    @Test func `documents are one line a pair, then one a set of files`() throws {
        let report = try convert("good")
        try convert("alone")
        try FileManager.default.removeItem(atPath: folder.path("alone.JPG"))
        let outcome = try verify(".", "--json")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let documents = try lines.map { try Verification(line: $0) }
        #expect(documents.map(\.kind) == ["pair", "files"])
        #expect(documents.map(\.files) == [["good.JPG", "good.MOV"], ["alone.MOV"]])
        #expect(documents[0].stillTime == report.stillTime && documents[0].ok && documents[0].findings.isEmpty)
        #expect(documents[1].findings.map { "\($0.severity) \($0.rule)" } == ["warning movie-alone"])
        #expect(documents.allSatisfy { $0.schema == 1 && $0.contentIdentifier?.count == 36 })
        #expect(try verify("good.MOV", "--json").output == lines[0] + "\n")
        #expect(try verify(".", "--json", "--quiet").output == lines[1] + "\n")
    }

    @Test func `a folder of which not all can be read is not good`() throws {
        try SamplePair.copyConverted(to: folder.url)
        #expect(try verify(".").status == 0)
        try FileManager.default.createSymbolicLink(atPath: folder.path("gone.JPG"), withDestinationPath: "nowhere")
        let outcome = try verify(".")
        #expect(outcome.status == 1 && outcome.errors == "error: gone.JPG: no such file\n")
        #expect(outcome.output == "1 pair: 1 good, 1 unreadable\n")
        let documents = try verify(".", "--json").output.split(separator: "\n").map { try Verification(line: "\($0)") }
        #expect(documents.map(\.kind) == ["pair", "unreadable"] && documents.map(\.ok) == [true, false])
        #expect(documents[1].files == ["gone.JPG"])
    }

    @Test func `what cannot be verified is an error that says what to give`() throws {
        try SamplePair.copyConverted(to: folder.url)
        try FileManager.default.copyItem(atPath: folder.path("beach.JPG"), toPath: folder.path("alone.JPG"))
        for name in ["two.m4v", "two.mp4", "two.JPG"] {
            try FileManager.default.copyItem(
                atPath: folder.path(name == "two.JPG" ? "beach.JPG" : "beach.MOV"), toPath: folder.path(name))
        }
        #expect(mkfifo(folder.path("pipe.MOV"), 0o600) == 0)
        for (arguments, status, sentence) in [
            (["missing.JPG"], 66, "missing.JPG: no such file"),
            (["beach.JPG", "missing.MOV"], 66, "missing.MOV: no such file"),
            (["alone.JPG"], 66, "alone.JPG: there is no movie of the same name beside it; give both files"),
            (
                ["two.JPG"], 66,
                "two.JPG: there are 2 movies of the same name beside it (two.m4v and two.mp4), and no content identifier "
                    + "shows which one belongs to it; give both files: two.JPG two.m4v"
            ),
            (["beach.JPG", "missing.JPG"], 66, "missing.JPG: no such file"),
            (["beach.MOV", "two.mp4"], 64, "two.mp4: is not a photo, and neither is the first file; give one photo"),
            (
                ["beach.JPG", "beach.MOV", "two.mp4"], 64,
                "give a photo and its movie, or one of the two, or only folders"
            ),
            ([".", "beach.MOV"], 64, "give a photo and its movie, or one of the two, or only folders"),
            (["beach.JPG", "pipe.MOV"], 65, "pipe.MOV: is a pipe, not a file"),
            (["beach.JPG", "--profile", "clasic"], 64, "clasic"),
            ([], 64, "name a photo and its movie, or a folder"),
        ] as [([String], Int32, String)] {
            try expectFailure(["verify"] + arguments, in: folder, status, sentence) {
                // A program that waits for a pipe's other end would wait for ever.
                try Program.system("timeout", ["20", Program.livephoto.path] + $0, in: $1)
            }
        }
    }
}

/// What `verify --json` prints in a line.
private struct Verification: Decodable {
    struct Found: Decodable {
        let rule: String
        let severity: String
        let message: String
    }

    let schema: Int
    let kind: String
    let files: [String]
    let contentIdentifier: String?
    let stillTime: Double?
    let ok: Bool
    let findings: [Found]

    init(line: String) throws {
        self = try JSONDecoder().decode(Verification.self, from: Data(line.utf8))
    }
}
