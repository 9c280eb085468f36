import Foundation
import TestSupport
import Testing

/// What `report` says of files of records, without a batch being run.
@Suite struct ReportTests {
    private let folder: TemporaryFolder

    private static let done = """
        {"id":"beach","status":"done","seconds":2.5,"stillTime":1.5,"contentIdentifier":\
        "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC","photo":{"path":"beach.JPG","bytes":1000000,"sha256":""},\
        "movie":{"path":"beach.MOV","bytes":2000000,"sha256":""}}
        """

    init() throws {
        folder = try TemporaryFolder()
        try write("part-1.jsonl", Self.done, "{\"id\":\"skate\",\"status\":\"started\"}")
        try write("part-2.jsonl", "{\"id\":\"skate\",\"status\":\"failed\",\"error\":\"skate.mp4: is text\"}")
        try write("good.jsonl", Self.done)
    }

    private func write(_ name: String, _ lines: String...) throws {
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: folder.url.appendingPathComponent(name))
    }

    private func run(_ arguments: String...) throws -> Outcome {
        try Program.livephoto(["batch", "report"] + arguments, in: folder.url)
    }

    @Test func `a table shows all jobs, then why some failed, then the sums`() throws {
        let outcome = try run("part-1.jsonl", "part-2.jsonl")
        #expect(outcome.status == 1 && outcome.errors.isEmpty)
        #expect(
            outcome.output == """
                id     status   time    size   still  identifier
                beach  done    2.5 s  3.0 MB  1.50 s  CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC
                skate  failed

                1 failed: skate.mp4: is text
                  skate

                1 done, 1 failed, 0 not done; 3.0 MB; 2.5 s, median 2.5 s, slowest 2.5 s (beach)

                """)
    }

    @Test(arguments: [("good.jsonl", 0), ("part-1.jsonl", 1), ("part-2.jsonl", 1)] as [(String, Int32)])
    func `the status says whether all jobs are done`(file: String, status: Int32) throws {
        #expect(try run(file).status == status)
        #expect(try run(file, "--json").status == status)
    }

    @Test func `of what cannot be read there is a warning, and the rest is shown`() throws {
        try write("spoilt.jsonl", "noise", Self.done)
        let outcome = try run("spoilt.jsonl", "--json")
        #expect(outcome.status == 0 && outcome.output.contains("\"id\":\"beach\""))
        #expect(outcome.errors == "warning: spoilt.jsonl: 1 line is not a job record and skipped\n")
    }

    @Test func `json prints each job once, as a report that can be read again`() throws {
        let outcome = try run("part-1.jsonl", "part-2.jsonl", "--json")
        try Data(outcome.output.utf8).write(to: folder.url.appendingPathComponent("merged.jsonl"))
        #expect(outcome.output.split(separator: "\n").count == 2)
        #expect(try run("merged.jsonl", "--json").output == outcome.output)
    }

    @Test(arguments: [40, 60, 80, 200]) func `no line of the table is wider than the terminal`(columns: Int) throws {
        let name = String(repeating: "海é", count: 40)
        try write("long.jsonl", Self.done, "{\"id\":\"\(name)\",\"status\":\"done\",\"seconds\":3}")
        let line = "stty cols \(columns); '\(Program.livephoto.path)' batch report long.jsonl"
        let seen = try Program.system("script", ["-qec", line, "/dev/null"], in: folder.url).output
        // After the last bar, which is erased.
        let parts = seen.components(separatedBy: "\r\u{1B}[K")
        #expect(parts.count <= 2)
        let shown = parts.last ?? ""
        let table = shown.components(separatedBy: "\r\n\r\n").first ?? ""
        let lines = table.components(separatedBy: "\r\n")
        #expect(lines.count == 3)
        // Each of these letters takes two columns.
        #expect(lines.allSatisfy { line in line.count + line.count { $0 == "海" } <= columns }, "\(table)")
        #expect(lines[1].hasPrefix("beach"))
    }

    @Test func `a table and a page are written, with the photos of the folder that is named`() throws {
        let photo = try SampleClips.make("still.jpg", "-f lavfi -i color=red:size=64x64 -frames:v 1")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("pairs"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: photo, toPath: folder.path("pairs/beach.JPG"))
        let outcome = try run("good.jsonl", "--csv", "r.csv", "--html", "r.html", "--folder", "pairs")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let page = try String(contentsOfFile: folder.path("r.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("data:image/jpeg;base64,"))
        #expect(try String(contentsOfFile: folder.path("r.csv"), encoding: .utf8).contains("\r\nbeach,done,"))
        let again = try run("good.jsonl", "--html", "r.html", "--force")
        #expect(again.status == 0)
        // Without the folder's name, the photo is looked for beside the report.
        #expect(try String(contentsOfFile: folder.path("r.html"), encoding: .utf8).contains("beach.JPG: no such file"))
    }

    @Test func `with a job file, its jobs count and no others, also those that have not begun`() throws {
        try write("jobs.yaml", "version: 1", "jobs:", "- input: skate.mp4", "- input: surf.mp4", "- input: bay.mp4")
        let outcome = try run("jobs.yaml", "part-1.jsonl", "part-2.jsonl")
        #expect(outcome.status == 1 && outcome.errors == "warning: 1 job left out that the job file does not have\n")
        #expect(outcome.output.contains("\nsurf   pending\n"), "\(outcome.output)")
        #expect(outcome.output.contains("0 done, 1 failed, 2 not done;"))
        try write("other.yaml", "version: 1", "jobs: [{input: skate.mp4}]")
        let other = try run("other.yaml", "part-1.jsonl", "part-2.jsonl")
        #expect(other.errors == "warning: 1 job left out that the job file does not have\n")
        #expect(other.output.contains("0 done, 1 failed, 0 not done;"))
        // A batch that has not begun has no folder.
        try write("new.yaml", "version: 1", "output: new", "jobs: [{input: skate.mp4}]")
        #expect(try run("new.yaml").output.contains("0 done, 0 failed, 1 not done;"))
    }

    @Test func `failures are grouped by their reasons, the most frequent one first`() throws {
        let lines = (1...12).map {
            #"{"id":"n\#($0)","status":"failed","error":"n\#($0).mp4: is cut off at byte \#($0)","reason":"is cut off at byte \#($0)"}"#
        }
        try write("many.jsonl", #"{"id":"a","status":"failed","error":"a.mp4: no such file","reason":"no such file"}"#)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.url.appendingPathComponent("more.jsonl"))
        let text = try run("many.jsonl", "more.jsonl").output
        #expect(text.contains("\n\n12 failed: is cut off at byte 1\n  n1\n  n2: is cut off at byte 2\n"), "\(text)")
        #expect(
            text.contains(
                "  n10: is cut off at byte 10\n  and 2 others\n\n1 failed: no such file\n  a\n\n0 done, 13 failed"))
        #expect(try run("many.jsonl", "more.jsonl", "--html", "r.html").status == 1)
        let page = try String(contentsOfFile: folder.path("r.html"), encoding: .utf8)
        #expect(page.contains("<summary>12 failed: <bdi>is cut off at byte 1</bdi></summary>"))
    }

    @Test func `the failed jobs are a job file that makes them as the first one would have`() throws {
        let clip = try SampleClips.beach()
        for name in ["a.mp4", "{x}.mp4"] {
            try FileManager.default.copyItem(atPath: clip, toPath: folder.path(name))
        }
        try write(
            "jobs.yaml", "version: 1", "output: out", "defaults: {preset: compact, still: 0.2}", "jobs:",
            "- input: '*.mp4'", "- {input: gone.mp4, name: other, output: sub, id: mine}")
        #expect(try Program.livephoto(["batch", "jobs.yaml"], in: folder.url).status == 1)
        let failed = try run("jobs.yaml", "--failed")
        #expect(failed.status == 1 && failed.errors.isEmpty)
        #expect(failed.output.hasPrefix("{\"version\":1,\"output\":\"\(folder.path("out"))\"}\n{"), "\(failed.output)")
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("elsewhere"), withIntermediateDirectories: false)
        try Data(failed.output.utf8).write(to: folder.url.appendingPathComponent("elsewhere/again.jsonl"))
        try FileManager.default.copyItem(atPath: clip, toPath: folder.path("gone.mp4"))
        let again = try Program.livephoto(["batch", "elsewhere/again.jsonl"], in: folder.url)
        #expect(again.status == 0 && again.errors.hasPrefix("1 done, 0 failed; 1 job"), "\(again.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("elsewhere")) == ["again.jsonl"])
        #expect(FileManager.default.fileExists(atPath: folder.path("out/sub/other.MOV")))
        let whole = try Program.livephoto(["batch", "jobs.yaml"], in: folder.url)
        #expect(whole.errors.contains("(3 by earlier runs)"), "\(whole.errors)")
        #expect(try run("jobs.yaml", "--failed").errors == "no job has failed\n")
    }

    @Test func `failed links and edits are run again as well, and a job file of lines is known as one`() throws {
        try write(
            "jobs.jsonl", #"{"version":1,"output":"out"}"#, #"{"photo":"a.jpg","movie":"a.mov"}"#,
            #"{"input":"b.jpg","edit":{"exposure":1}}"#, #"{"input":"c.mp4"}"#)
        let batch = try Program.livephoto(["batch", "jobs.jsonl", "--json"], in: folder.url)
        #expect(batch.status == 1 && batch.output.count(where: { $0 == "\n" }) == 3)
        let failed = try run("jobs.jsonl", "out/.livephoto-batch/journal.jsonl", "--failed")
        try write("again.jsonl", String(failed.output.dropLast()))
        let again = try Program.livephoto(["batch", "again.jsonl", "--dry-run", "--json"], in: folder.url)
        #expect(again.status == 1 && again.output.count(where: { $0 == "\n" }) == 3, "\(again.errors)")
        #expect(try run("again.jsonl").output.contains("0 done, 3 failed, 0 not done;"))
    }

    @Test(arguments: [
        ([], 64, "missing expected argument"),
        (["nothing.jsonl"], 66, "nothing.jsonl: no such file"),
        (["text"], 65, "text: is not a report or journal of a batch"),
        (["."], 66, "is not the output folder of a batch"),
        (["good.jsonl", "--csv", "text"], 73, "text: already exists; use --force to replace it"),
        (["good.jsonl", "--html", "text", "--csv", "new.csv"], 73, "text: already exists; use --force to replace it"),
        (["good.jsonl", "--csv", "good.jsonl", "--force"], 73, "good.jsonl: would replace the file"),
        (["good.jsonl", "--csv", ".", "--force"], 73, "cannot be created: Is a directory"),
        (["good.jsonl", "--html", "a/b.html"], 73, "a/b.html: cannot be created: No such file or directory"),
        (["good.jsonl", "--html", "a", "--csv", "a"], 64, "--csv and --html need different files"),
        (["good.jsonl", "--folder", "a"], 64, "--folder needs --html"),
        (["good.jsonl", "--failed"], 64, "--failed needs the job file"),
        (["a.yaml", "b.yml", "--failed"], 64, "'a.yaml' and 'b.yml' are two job files; name one"),
        (["a.yaml"], 64, "'a.yaml' names no output folder; add it: livephoto batch report a.yaml FOLDER"),
        (["a.yaml", "."], 66, "is not the output folder of a batch"),
        (["good.jsonl", "--failed", "--json"], 64, "--failed and --json exclude each other"),
    ])
    func `what cannot be reported is an error, and changes nothing`(
        arguments: [String], status: Int32, sentence: String
    ) throws {
        try write("text", "mine")
        for name in ["a.yaml", "b.yml"] { try write(name, "version: 1", "jobs: [{input: a.mp4}]") }
        try expectFailure(["batch", "report"] + arguments, in: folder, status, sentence)
    }
}
