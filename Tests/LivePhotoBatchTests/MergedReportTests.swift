import Foundation
import LivePhotoBatch
import SystemPackage
import TestSupport
import Testing

/// A record as a line of a report says it.
func record(_ id: String, _ status: JobRecord.Status, _ more: String = "") throws -> JobRecord {
    let line = "{\"id\":\"\(id)\",\"status\":\"\(status.rawValue)\"\(more.isEmpty ? "" : ",")\(more)}"
    return try JSONDecoder().decode(JobRecord.self, from: Data(line.utf8))
}

@Suite struct MergedReportTests {
    private static let statuses: [JobRecord.Status] = [.pending, .started, .failed, .done]

    @Test(arguments: statuses, statuses) func `of two files the one that knows a job better counts, else the later`(
        first: JobRecord.Status, second: JobRecord.Status
    ) throws {
        let report = try MergedReport(merging: [
            ([record("a", first, "\"host\":\"one\"")], "one"), ([record("a", second, "\"host\":\"two\"")], "two"),
        ])
        let order = Self.statuses
        let isLater = try #require(order.firstIndex(of: second)) >= #require(order.firstIndex(of: first))
        #expect(report.entries.map(\.record.host) == [isLater ? "two" : "one"])
        #expect(report.entries.map(\.folder) == [isLater ? "two" : "one"])
    }

    @Test func `jobs stand in the order in which they are first told of`() throws {
        let report = try MergedReport(merging: [
            ([record("b", .pending), record("a", .done)], "."), ([record("c", .done), record("b", .done)], "."),
        ])
        #expect(report.entries.map(\.record.id) == ["b", "a", "c"])
        #expect(report.totals.done == 3)
    }

    @Test func `a batch's folder tells what all journals in it say`() throws {
        let folder = try TemporaryFolder([
            ".livephoto-batch/journal-1-of-2.jsonl": """
            {"id":"a","status":"started"}
            {"id":"a","status":"done"}
            {"id":"b","status":"done"}
            {"id":"b","status":"failed"}

            """,
            ".livephoto-batch/journal-2-of-2.jsonl": "{\"id\":\"c\",\"status\":\"started\"}\n{\"id\":\"d\",\"sta",
            ".livephoto-batch/other": "{\"id\":\"e\",\"status\":\"done\"}\n",
        ])
        let report = try MergedReport([folder.path])
        // Within a journal, the last line is what is so.
        #expect(report.entries.map(\.record.status) == [.done, .failed, .started])
        #expect(report.entries.allSatisfy { $0.folder == folder.path })
        let journal = folder.path.appending(".livephoto-batch/journal-1-of-2.jsonl")
        #expect(try MergedReport([journal]).entries.map(\.folder) == [folder.path, folder.path])
        #expect(try MergedReport([journal], folder: "x").entries.map(\.folder) == ["x", "x"])
        #expect(report.unreadable.isEmpty)
    }

    @Test func `lines that are no records are passed over and told of`() throws {
        let folder = try TemporaryFolder([
            "r": "{\"id\":\"a\",\"status\":\"done\"}\nnoise\n\n{\"id\":\"b\",\"status\":\"done\"}"
        ])
        let report = try MergedReport([folder.path.appending("r")])
        #expect(report.entries.map(\.record.id) == ["a", "b"])
        #expect(report.unreadable.map(\.reason) == ["1 line is not a job record and skipped"])
    }

    @Test(arguments: [
        ("text", "is not a report or journal of a batch"), ("folder", "is not the output folder of a batch"),
        ("missing", "no such file"),
    ])
    func `what is no report is an error that says so`(name: String, sentence: String) throws {
        let folder = try TemporaryFolder(["text": "version: 1\n", "folder/file": ""])
        let error = #expect(throws: LivePhotoError.self) { try MergedReport([folder.path.appending(name)]) }
        #expect(error?.reason.contains(sentence) == true, "\(String(describing: error))")
    }

    @Test func `sums hold for numbers that no batch has`() throws {
        let output = "{\"path\":\"a\",\"bytes\":9223372036854775807,\"sha256\":\"\"}"
        let huge = try record("a", .done, "\"photo\":\(output),\"movie\":\(output),\"seconds\":1e300")
        let negative = try record("b", .failed, "\"seconds\":-5")
        let totals = MergedReport(merging: [([huge, negative, huge], ".")]).totals
        #expect(totals.bytes == .max && totals.slowest?.id == "a")
        #expect(totals.text.hasPrefix("1 done, 1 failed, 0 not done; 9.2 EB; "))
    }

    @Test(arguments: [([], nil), ([3], 3), ([1, 9], 5), ([9, 1, 2], 2)] as [([Double], Double?)])
    func `the median is the middle of all times`(seconds: [Double], median: Double?) throws {
        let records = try seconds.enumerated().map { try record("\($0.offset)", .done, "\"seconds\":\($0.element)") }
        let totals = MergedReport(merging: [(records, ".")]).totals
        #expect(totals.medianSeconds == median && totals.seconds == seconds.reduce(0, +))
        #expect(totals.slowest?.seconds == seconds.max())
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1.0 kB"), (9_949, "9.9 kB"), (9_999, "10 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (123_456_789, "123 MB"), (.max, "9.2 EB"), (-1, "-1 bytes"),
    ])
    func `sizes have two or three digits`(bytes: Int, text: String) {
        #expect(Words.size(bytes: bytes) == text)
    }
}
