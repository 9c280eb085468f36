import Foundation
import TestSupport
import Testing

/// `batch --metrics`.
@Suite struct MetricsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let clip = try SampleClips.make(
            "metrics.mp4",
            "-f lavfi -i testsrc2=size=64x64:rate=15:duration=0.4 -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
        for name in ["a.mp4", "b.mp4"] {
            try FileManager.default.copyItem(atPath: clip, toPath: folder.path(name))
        }
        try folder.write("text", to: "bad.mp4")
        try folder.write("notes", to: "notes.prom")
        try folder.write("version: 1\noutput: out\njobs:\n- input: a.mp4\n", to: "first.yaml")
        try folder.write(
            "version: 1\noutput: out\njobs:\n" + ["a", "b", "bad", "gone"].map { "- input: \($0).mp4\n" }.joined(),
            to: "all.yaml")
    }

    private func run(_ arguments: String...) throws -> Outcome {
        try Program.livephoto(["batch"] + arguments, in: folder.url)
    }

    /// The figures of a file by their names and last labels.
    private func figures(_ name: String) throws -> [String: Double] {
        let lines = try folder.text(name).split(separator: "\n").filter { !$0.hasPrefix("#") }
        return try Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let name = line.prefix { $0 != "{" }.dropFirst("livephoto_batch_".count)
                let label = line.firstMatch(of: /(?:state|reason)="(\w+)"/).map { ".\($0.1)" } ?? ""
                return (name + label, try #require(line.split(separator: " ").last.flatMap { Double($0) }))
            })
    }

    @Test func `the figures are those of the report`() throws {
        #expect(try run("first.yaml").status == 0)
        #expect(try run("all.yaml", "--metrics", "m.prom").status == 1)
        let figures = try figures("m.prom")
        let report = try run("report", "all.yaml", "out", "--json").output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let new = report.filter { $0["id"] as? String != "a" }
        func count(_ key: String, _ value: String) -> Double {
            Double(report.count { $0[key] as? String == value })
        }
        func sum(_ key: String, _ inner: String? = nil) -> Double {
            new.map { record in
                let parts =
                    inner == nil ? [record] : record[key] as? [[String: Any]] ?? [record[key] as? [String: Any] ?? [:]]
                return parts.map { ($0[inner ?? key] as? NSNumber)?.doubleValue ?? 0 }.reduce(0, +)
            }.reduce(0, +)
        }
        #expect(figures["jobs.made"] == 1 && figures["jobs.existing"] == 1 && figures["jobs.failed"] == 2)
        #expect(count("status", "done") == 2 && count("status", "failed") == 2)
        for reason in ["noInput", "unusableMedia"] {
            #expect(figures["failed_jobs.\(reason)"] == 1 && count("code", reason) == 1)
        }
        #expect(abs(try #require(figures["job_seconds_total"]) - sum("seconds")) < 0.0015)
        #expect(figures["read_bytes_total"] == sum("inputs", "bytes"))
        #expect(figures["written_bytes_total"] == sum("photo", "bytes") + sum("movie", "bytes"))
        #expect(figures["encoded_frames_total"] == sum("frames") && sum("frames") > 0)
        #expect(figures["worker_restarts_total"] == 0 && figures["running"] == 0)
        #expect(figures["jobs.running"] == 0 && figures["jobs.waiting"] == 0)
    }

    @Test(
        arguments: [
            ("notes.prom", 73, "notes.prom: exists and is not a file of metrics that was written before", false),
            ("m.txt", 64, "--metrics: give the name of a file that ends in .prom", false),
            ("gone/m.prom", 0, "warning: gone/m.prom: cannot be created", true),
            ("a.mp4/m.prom", 0, "warning: a.mp4/m.prom: cannot be created", true),
        ] as [(String, Int32, String, Bool)])
    func `a wrong file is refused before any work, and another problem is a warning`(
        file: String, status: Int32, sentence: String, isRun: Bool
    ) throws {
        let outcome = try run("first.yaml", "--metrics", file)
        #expect(outcome.status == status && outcome.errors.contains(sentence), "\(outcome)")
        #expect(outcome.errors.components(separatedBy: "warning:").count <= 2)
        #expect(FileManager.default.fileExists(atPath: folder.path("out/a.MOV")) == isRun)
        #expect(try folder.text("notes.prom") == "notes")
    }

    @Test func `a batch that cannot begin leaves the figures of another one`() throws {
        #expect(try run("first.yaml", "--metrics", "m.prom").status == 0)
        let before = try folder.text("m.prom")
        #expect(try run("first.yaml", "--metrics", "m.prom", "--output", "a.mp4/sub").status == 73)
        #expect(try run("first.yaml", "--metrics", "m.prom", "--dry-run").status == 0)
        #expect(try folder.text("m.prom") == before)
    }
}
