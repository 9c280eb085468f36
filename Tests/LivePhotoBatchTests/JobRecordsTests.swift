import Foundation
import LivePhotoBatch
import LivePhotoKit
import SystemPackage
import TestSupport
import Testing

/// Records that are read from the journal or a report when they are asked for.
@Suite struct JobRecordsTests {
    @Test func `the records of a batch that was stopped and resumed are complete, and in the order of its jobs`()
        async throws
    {
        let bed = try BatchBed(clips: ["a"])
        try SamplePair().write(below: bed.folder.path)
        let lines = (0..<12).map {
            $0 % 2 == 0 ? "photo: IMG_1.JPG, movie: IMG_1.MOV, still: 0, name: n\($0)" : "input: gone.mp4, name: n\($0)"
        }
        let names = lines.indices.map { "n\($0)" }
        let task = Task {
            try await bed.batch(lines).run { progress in
                if progress.done + progress.failed == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        let stopped = try await task.value
        #expect(stopped.records.map(\.id) == names)
        #expect(stopped.records.count { $0.status == .done } == stopped.progress.done)
        #expect(stopped.records.count { $0.status == .failed } == stopped.progress.failed)
        #expect(stopped.records.contains { $0.status == .pending })
        let before = Array(stopped.records)
        let result = try await bed.batch(lines).run()
        #expect(result.records.map(\.id) == names)
        #expect(result.records.map(\.status) == lines.indices.map { $0 % 2 == 0 ? .done : .failed })
        #expect(result.progress.doneEarlier >= stopped.progress.done)
        // Lines that were added since then are not those of the first run.
        #expect(Array(stopped.records) == before)
        let report = bed.folder.path.appending("report.jsonl")
        try BatchReport.write(result.records, to: report)
        #expect(try MergedReport([report]).entries.map(\.record) == Array(result.records))
        #expect(try MergedReport([bed.output]).entries.map(\.record.id).sorted() == names.sorted())
    }

    @Test func `a line of the journal that another program changes is the error of its job alone`() async throws {
        let bed = try BatchBed(clips: [])
        let result = try await bed.batch(["input: gone.mp4, name: n0", "input: gone.mp4, name: n1"]) { $0.slots = 1 }
            .run()
        #expect(result.records.map(\.exitCode) == [66, 66])
        let journal = try FileHandle(forUpdating: URL(fileURLWithPath: bed.journal.string))
        try journal.write(contentsOf: Data("x".utf8))
        try journal.synchronize()
        #expect(result.records.map(\.exitCode) == [74, 66])
        #expect(result.records.first?.error?.contains("changed by another program") == true)
        try journal.truncate(atOffset: 0)
        #expect(result.records.map(\.id) == ["n0", "n1"] && result.records.map(\.exitCode) == [74, 74])
        #expect(try await bed.batch(["input: gone.mp4, name: n0"]).run().records.map(\.exitCode) == [66])
    }

    @Test func `a line of a report that another program changes is the error of its job alone`() throws {
        let lines = ["a", "b"].map { "{\"id\":\"\($0)\",\"status\":\"done\"}\n" }
        let folder = try TemporaryFolder(["r": lines.joined()])
        let report = try MergedReport([folder.path.appending("r")])
        #expect(report.entries.map(\.record.id) == ["a", "b"] && report.totals.done == 2)
        let later = try MergedReport([folder.path.appending("r")])
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path("r")))
        try file.write(contentsOf: Data("x".utf8))
        for report in [report, later] {
            #expect(report.entries.map(\.record.status) == [.failed, .done])
            #expect(report.entries.first?.record.error?.contains("changed by another program") == true)
            #expect(report.entries.last?.record.id == "b" && report.totals.failed == 1)
        }
    }

    @Test func `all pairs that a batch has started are known, however often it was restarted`() async throws {
        let bed = try BatchBed(clips: [])
        try SamplePair().write(below: bed.folder.path)
        func lines(_ still: Int) -> [String] { ["photo: IMG_1.JPG, movie: IMG_1.MOV, still: \(still), name: n"] }
        for still in [0, 1, 0, 1, 0] {
            let result = try await bed.batch(lines(still)) { $0.restarts = true }.run()
            #expect(result.records.map(\.error) == [nil])
        }
        try bed.folder.write("{\"id\":\"n\",\"status\":\"failed\"}\n", to: "line")
        let journal = try FileHandle(forUpdating: URL(fileURLWithPath: bed.journal.string))
        try journal.seekToEnd()
        try journal.write(contentsOf: Data(bed.folder.text("line").utf8))
        // The pair there is the batch's, so it may be replaced.
        let result = try await bed.batch(lines(1)).run()
        #expect(result.records.map(\.error) == [nil])
    }
}
