import Foundation
import TestSupport
import Testing

/// Places to which no pair can be written.
@Suite struct OutputErrorTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: try SampleClips.beach(), toPath: folder.path("beach.mp4"))
    }

    private func put(_ text: String, at name: String) throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// `livephoto` where no file may grow beyond 16 KiB.
    private func runWithSmallFiles(_ arguments: [String], _ folder: URL) throws -> Outcome {
        try Program.system(
            "bash", ["-c", #"ulimit -f 16; exec "$0" "$@""#, Program.livephoto.path] + arguments, in: folder)
    }

    @Test(arguments: [
        ("file", "file/beach.JPG: cannot be created, because a part of its path is a file, not a folder"),
        (
            "file/deeper/still",
            "file/deeper/still/beach.JPG: cannot be created, because a part of its path is a file, not a folder"
        ),
        (String(repeating: "n", count: 300), "cannot be created: File name too long"),
        ("/dev/null", "/dev/null/beach.JPG: cannot be created, because a part of its path is a file, not a folder"),
    ])
    func `an output folder that cannot be made is an error`(output: String, sentence: String) throws {
        try put("not a folder", at: "file")
        try expectFailure(["convert", "beach.mp4", "-o", output], in: folder, 73, sentence)
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `an output folder that may not be written to is an error`() throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("locked"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        try expectFailure(
            ["convert", "beach.mp4", "-o", "locked"], in: folder, 73,
            "locked/beach.JPG: cannot be created: Permission denied")
    }

    @Test(arguments: ["beach.JPG", "beach.MOV"])
    func `an existing file at the target is not replaced unasked`(name: String) throws {
        try put("old", at: "out/\(name)")
        try expectFailure(
            ["convert", "beach.mp4", "-o", "out"], in: folder, 73,
            "out/\(name): already exists, and was not made of this clip with these settings; use --force to replace it")
    }

    @Test(arguments: ["beach.JPG", "beach.MOV"])
    func `a dry run shows the plan also where a file exists, and ends as the run would`(name: String) throws {
        try put("old", at: "out/\(name)")
        let before = try folder.snapshot
        let outcome = try Program.livephoto("convert", "beach.mp4", "-o", "out", "-n", in: folder.url)
        #expect(outcome.status == 73 && outcome.output.hasPrefix("files: out/beach.JPG, out/beach.MOV\nclip: "))
        #expect(
            outcome.errors == "error: out/\(name): already exists; use --force to replace it, or another name\n")
        #expect(try folder.snapshot == before)
    }

    @Test func `force replaces what is at the target`() throws {
        for name in ["beach.JPG", "beach.MOV"] { try put("old", at: "out/\(name)") }
        let outcome = try Program.livephoto("convert", "beach.mp4", "-o", "out", "--force", in: folder.url)
        #expect(outcome.status == 0 && outcome.output == "out/beach.JPG\nout/beach.MOV\n")
        #expect(folder.contents == ["beach.mp4", "out", "out/beach.JPG", "out/beach.MOV"])
        #expect(try Reader.tags(folder.path("out/beach.JPG"))["MIMEType"] as? String == "image/jpeg")
        #expect(try Reader.tags(folder.path("out/beach.MOV"))["MIMEType"] as? String == "video/quicktime")
    }

    @Test func `what is at the target outlives a conversion that fails, force or not`() throws {
        for name in ["beach.JPG", "beach.MOV"] { try put("old", at: "out/\(name)") }
        try put("no film", at: "text/beach.mp4")
        try expectFailure(["convert", "text/beach.mp4", "-o", "out", "--force"], in: folder, 65, "is not a video")
        try expectFailure(
            ["convert", "beach.mp4", "-o", "out", "--force", "--still", "9"], in: folder, 64, "lies outside")
        try expectFailure(
            ["convert", "beach.mp4", "-o", "out", "--force"], in: folder, 74,
            "cannot be written in out: File too large",
            by: runWithSmallFiles)
    }

    @Test func `a folder at the target is not replaced, force or not`() throws {
        try put("a file in it", at: "out/beach.JPG/file")
        try expectFailure(["convert", "beach.mp4", "-o", "out"], in: folder, 73, "out/beach.JPG: already exists")
        try expectFailure(
            ["convert", "beach.mp4", "-o", "out", "--force"], in: folder, 73,
            "out/beach.JPG: cannot be created: Is a directory")
    }

    @Test(arguments: ["beach.MOV", "beach.mov", "beach.Mov"], [[], ["--force"]])
    func `the clip itself is never replaced`(clip: String, force: [String]) throws {
        try FileManager.default.moveItem(atPath: folder.path("beach.mp4"), toPath: folder.path(clip))
        let reason =
            clip == "beach.MOV"
            ? "would replace the file that it is made from" : "differs only in case from \(clip); choose another name"
        for output in [".", folder.url.path] {
            try expectFailure(
                ["convert", clip, "-o", output, "--name", "beach"] + force, in: folder, 73, "beach.MOV: \(reason)")
        }
    }

    @Test(arguments: ["", "trap '' XFSZ; "])
    func `a file that may not grow is an error, and leaves no folder that was made for it`(trap: String) throws {
        try expectFailure(
            ["convert", "beach.mp4", "-o", "made/for/it"], in: folder, 74,
            "beach.mp4: its Live Photo cannot be written in made/for/it: File too large"
        ) {
            try Program.system(
                "bash", ["-c", #"\#(trap)ulimit -f 16; exec "$0" "$@""#, Program.livephoto.path] + $0, in: $1)
        }
    }

    @Test(arguments: [
        ("link beach.JPG beach.MOV -o made/out", "made/out/beach.JPG"),
        ("link beach.JPG beach.MOV --in-place --id CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC", "beach.JPG"),
        ("link beach.JPG beach.MOV --in-place", "beach.MOV"), ("edit beach.JPG --no-audio --in-place", "beach.MOV"),
        ("unlink beach.JPG beach.MOV -o out", "out/beach.JPG"),
        ("pack beach.JPG beach.MOV --as livp -o beach.livp", "beach.livp"),
        ("pack beach.JPG beach.MOV --as pvt -o beach.pvt", "beach.pvt"),
        ("extract PXL_1.MP.jpg -o out", "out/PXL_1.JPG"),
    ])
    func `what may not grow is told as what cannot be written, not as what it is made from`(
        line: String, target: String
    ) throws {
        try SamplePair.copyConverted(to: folder.url, withMotionPhoto: true)
        try expectFailure(
            line.split(separator: " ").map(String.init), in: folder, 74,
            "error: \(target): cannot be written: File too large", by: runWithSmallFiles)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func `a result that cannot be printed is an error`() throws {
        for arguments in ["presets", "doctor", "--help", "convert beach.mp4 -n"] {
            let outcome = try Program.system(
                "bash", ["-c", "exec '\(Program.livephoto.path)' \(arguments) >/dev/full"], in: folder.url)
            #expect(outcome.status == 74, "\(arguments)")
            #expect(outcome.errors == "error: cannot print the result: No space left on device\n", "\(arguments)")
        }
    }
}
