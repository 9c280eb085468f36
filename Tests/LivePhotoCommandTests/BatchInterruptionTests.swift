import Foundation
import TestSupport
import Testing

/// A batch that is stopped on its way, as a terminal, Slurm or Kubernetes do it.
@Suite(.serialized) struct BatchInterruptionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes a job file of a quick job and two that take many seconds.
    private func writeSlowJobs() throws {
        try write(
            "slow.yaml",
            """
            name: slow
            extends: classic
            window: {before: 15, after: 15}
            video: {frameRate: 30, x264Preset: medium}
            """)
        let long = try SampleClips.long()
        try write(
            "jobs.yaml",
            """
            version: 1
            jobs:
              - {input: "\(try SampleClips.beach())", name: quick}
              - {input: "\(long)", name: slow1, preset: slow.yaml}
              - {input: "\(long)", name: slow2, preset: slow.yaml}
            """)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent(name))
    }

    private static let batch = ["batch", "jobs.yaml", "-o", "out", "--report", "report.jsonl"]

    /// Waits without `await`, as the next free thread may be many tests later.
    private func wait(for program: RunningProgram, until holds: () -> Bool) throws {
        while !holds() {
            try #require(program.isRunning, "the batch is too fast to be stopped on its way")
            usleep(5_000)
        }
    }

    /// Whether the quick job is done, and a slow movie is being made.
    private func isOnItsWay(_ program: RunningProgram) -> Bool {
        let journal = try? String(contentsOfFile: folder.path("out/.livephoto-batch/journal.jsonl"), encoding: .utf8)
        return journal?.contains(#""status":"done""#) == true
            && program.sizesOfUnnamedFiles.contains { $0 > 0 }
    }

    /// Status of each job of the report.
    private func report() throws -> [String: String] {
        let records = try String(contentsOfFile: folder.path("report.jsonl"), encoding: .utf8)
            .split(separator: "\n").map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        let statuses = records.map { ($0?["id"] as? String ?? "", $0?["status"] as? String ?? "") }
        return Dictionary(statuses) { "\($0) and \($1)" }
    }

    @Test(
        arguments: [
            (SIGINT, 130, "exec"),
            // As a shell starts what a script puts into the background.
            (SIGTERM, 143, "trap '' INT; exec"),
        ] as [(Int32, Int32, String)])
    func `a signal stops a batch soon, with whole pairs and a report`(
        signal: Int32, status: Int32, start: String
    ) throws {
        try writeSlowJobs()
        try expect(within: .seconds(2)) {
            for name in ["out", "report.jsonl"] { try? FileManager.default.removeItem(atPath: folder.path(name)) }
            let program = try RunningProgram(
                URL(fileURLWithPath: "/bin/sh"),
                ["-c", start + #" "$@""#, "sh", Program.livephoto.path] + Self.batch
                    + ["--jobs", "2", "--progress", "none"], in: folder.url)
            defer { program.send(SIGKILL) }
            try wait(for: program) { isOnItsWay(program) }
            let time = try ContinuousClock().measure {
                program.send(signal)
                let outcome = try program.wait()
                #expect(outcome.status == status)
                #expect(outcome.errors.hasSuffix("stopped; run the same command again to continue\n"))
            }
            #expect(
                folder.contents == [
                    "jobs.yaml", "out", "out/.livephoto-batch", "out/.livephoto-batch/journal.jsonl", "out/quick.JPG",
                    "out/quick.MOV", "report.jsonl", "slow.yaml",
                ])
            #expect(try report() == ["quick": "done", "slow1": "pending", "slow2": "pending"])
            return time
        }
    }

    @Test func `the next run of a stopped batch does the rest, and only that`() throws {
        let names = ["a", "b", "c"]
        let clip = try SampleClips.moving("second.mp4", seconds: 1, sound: nil)
        try write("jobs.jsonl", names.map { #"{"input": "\#(clip)", "name": "\#($0)"}"# }.joined(separator: "\n"))
        let arguments = ["batch", "jobs.jsonl", "-o", "out", "--report", "report.jsonl", "--jobs", "1"]
        let program = try Program.start(arguments, in: folder.url)
        try wait(for: program) { folder.contents.contains("out/a.JPG") }
        program.send(SIGTERM)
        #expect(try program.wait().status == 143)
        let made = try folder.snapshot.filter { $0.key.hasSuffix(".MOV") || $0.key.hasSuffix(".JPG") }
        #expect(made.count < 6)
        let number = try folder.fileNumber("out/a.MOV")

        #expect(try Program.livephoto(arguments, in: folder.url).status == 0)
        #expect(try report() == ["a": "done", "b": "done", "c": "done"])
        let all = names.flatMap { ["out/\($0).JPG", "out/\($0).MOV"] }
        #expect(folder.contents.filter { $0.hasPrefix("out/") && !$0.contains("livephoto-batch") } == all)
        #expect(try folder.fileNumber("out/a.MOV") == number)
        #expect(try folder.snapshot.filter { made[$0.key] != nil } == made)
    }

    @Test func `a batch that its failures stop ends with status 1, and says why`() throws {
        try write("jobs.jsonl", #"{"input": "gone1.mp4"}"# + "\n" + #"{"input": "gone2.mp4"}"#)
        let outcome = try Program.livephoto("batch", "jobs.jsonl", "--jobs", "1", "--max-failures", "1", in: folder.url)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("\n0 done, 1 failed, 1 not started; 2 jobs in "), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("\nerror: too many jobs failed (--max-failures)\n"), "\(outcome.errors)")
    }

    @Test func `a job whose process is asked to end is tried again`() throws {
        try write("jobs.yaml", "version: 1\njobs: [{input: \"\(try SampleClips.beach())\", name: a}]\n")
        let program = try Program.start(Self.batch, in: folder.url)
        try wait(for: program) { !program.sizesOfUnnamedFiles.isEmpty && !program.children.isEmpty }
        let workers = program.children
        #expect(workers.count == 1)
        for worker in workers { kill(worker, SIGTERM) }
        #expect(try program.wait().status == 0)
        let text = try String(contentsOfFile: folder.path("report.jsonl"), encoding: .utf8)
        #expect(text.hasPrefix(#"{"attempts":2,"#) && text.contains(#""status":"done""#), "\(text)")
    }
}

extension TemporaryFolder {
    /// A file that is made again has another one.
    fileprivate func fileNumber(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path(name))[.systemFileNumber] as? Int
    }
}

extension RunningProgram {
    /// Whether a process that it has started has a second thread: workers start theirs when they decode.
    var isDecoding: Bool {
        children.contains { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\($0)/task"))?.count ?? 0 > 1 }
    }

    /// The processes that it has started.
    var children: [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { process in
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            return status?.contains("PPid:\t\(identifier)\n") ?? false
        }
    }
}
