import Foundation
import LivePhotoBatch
import SystemPackage
import TestSupport
import Testing

@Suite struct BatchMetricsTests {
    private static let made = #"""
        "seconds":1.5,"attempts":3,"frames":90,"photo":{"path":"a.JPG","bytes":10,"sha256":""},
        "movie":{"path":"a.MOV","bytes":200,"sha256":""},
        "inputs":[{"path":"a.mp4","bytes":7000,"modified":1,"sha256":""},{"path":"b.cube","bytes":3,"modified":1,"sha256":""}]
        """#

    /// The figures that differ from those of a batch of ten jobs of which none has begun.
    private static let cases: [(status: JobRecord.Status, properties: String, earlier: Bool, lines: Set<String>)] = [
        (
            .done, made, false,
            [
                #"jobs{state="made"} 1"#, #"jobs{state="waiting"} 9"#, "job_seconds_total 1.5", "read_bytes_total 7003",
                "written_bytes_total 210", "encoded_frames_total 90", "worker_restarts_total 2",
            ]
        ),
        (.done, made, true, [#"jobs{state="existing"} 1"#, #"jobs{state="waiting"} 9"#]),
        (
            .failed, #""code":"noInput","seconds":0.1"#, false,
            [
                #"jobs{state="failed"} 1"#, #"jobs{state="waiting"} 9"#, #"failed_jobs{reason="noInput"} 1"#,
                "job_seconds_total 0.1",
            ]
        ),
        (
            .failed, #""error":"of an earlier version""#, false,
            [
                #"jobs{state="failed"} 1"#, #"jobs{state="waiting"} 9"#,
                #"failed_jobs{reason="internalError"} 1"#,
            ]
        ),
        (
            .failed, #""code":"new""#, false,
            [#"jobs{state="failed"} 1"#, #"jobs{state="waiting"} 9"#, #"failed_jobs{reason="new"} 1"#]
        ),
    ]

    private func lines(_ metrics: BatchMetrics, folder: FilePath = "/p", shard: Shard? = nil) -> Set<String> {
        let file = MetricsFile("m.prom", folder: folder, shard: shard, start: 10)
        let text = file.text(metrics, MetricsFile.State(time: 12.5, isRunning: true))
        return Set(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                String($0).replacing("livephoto_batch_", with: "").replacing(#"{folder="/p"}"#, with: "")
                    .replacing(#"folder="/p","#, with: "")
            })
    }

    @Test(arguments: cases.indices) func `a job changes its figures and no others`(index: Int) throws {
        let example = Self.cases[index]
        var metrics = BatchMetrics(jobs: 10)
        let before = lines(metrics)
        metrics.add(try record("a", example.status, example.properties), wasDoneEarlier: example.earlier)
        #expect(lines(metrics).subtracting(before) == example.lines)
    }

    @Test func `the figures of a batch that has just begun`() {
        let lines = lines(BatchMetrics(jobs: 3))
        #expect(lines.count == 5 + 9 + 9)
        #expect(
            lines.isSuperset(of: [
                #"jobs{state="waiting"} 3"#, "elapsed_seconds 2.5", "start_timestamp_seconds 10.0",
                "update_timestamp_seconds 12.5", "running 1",
            ]))
    }

    @Test(
        arguments: [
            ("/p", nil, #"running{folder="/p"} 1"#), ("/a b", "2/3", #"running{folder="/a b",shard="2/3"} 1"#),
            ("/a\"\\\nb", nil, #"running{folder="/a\"\\\nb"} 1"#), ("/a/../é", nil, #"running{folder="/é"} 1"#),
        ] as [(String, String?, String)])
    func `labels tell batches apart`(folder: String, shard: String?, line: String) throws {
        let shard = try shard.map { try #require(ShardChoice(text: $0)).shard(in: [:]) }
        let file = MetricsFile("m.prom", folder: FilePath(folder), shard: shard, start: 0)
        let text = file.text(BatchMetrics(jobs: 1), MetricsFile.State(time: 0, isRunning: true))
        #expect(text.contains("\nlivephoto_batch_\(line)\n"), "\(text)")
    }

    @Test(arguments: ["notes", "{}\n", "# HELP node_load1 1m load\n", "# HELP livephoto"])
    func `a file that has no figures of a batch is refused, and kept`(text: String) throws {
        let folder = try TemporaryFolder(["m.prom": text])
        let path = folder.path.appending("m.prom")
        let file = MetricsFile(path, folder: "/p", shard: nil, start: 0)
        let state = MetricsFile.State(time: 0, isRunning: true)
        for work in [{ try MetricsFile.check(path) }, { try file.write(BatchMetrics(jobs: 1), state) }] {
            let error = #expect(throws: LivePhotoError.self, performing: work)
            #expect(error?.code == .cannotCreateOutput)
        }
        #expect(try folder.text("m.prom") == text)
    }

    @Test func `a file of metrics gives way to the next one`() throws {
        let folder = try TemporaryFolder(["m.prom": ""])
        let file = MetricsFile(folder.path.appending("m.prom"), folder: "/p", shard: nil, start: 0)
        for jobs in [7, 8] {
            let metrics = BatchMetrics(jobs: jobs)
            let state = MetricsFile.State(time: 0, isRunning: jobs == 7)
            try file.write(metrics, state)
            #expect(try folder.text("m.prom") == file.text(metrics, state))
        }
        #expect(try folder.names == ["m.prom"])
    }
}
