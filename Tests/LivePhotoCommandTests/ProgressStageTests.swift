import Foundation
import TestSupport
import Testing

/// The stages of long work that `--progress json` names.
@Suite struct ProgressStageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Line: Decodable {
        let stage: String?
        let done: Int
        let total: Int?
    }

    struct Case: CustomTestStringConvertible {
        let command: [String]
        let stages: [String]

        init(_ command: String, _ stages: String...) {
            self.command = command.split(separator: " ").map(String.init)
            self.stages = stages
        }

        var testDescription: String { command.joined(separator: " ") }
    }

    @Test(arguments: [
        Case("link --by-name tree --in-place", "reading", "comparing", "linking"),
        Case("link --by-name tree --output out --tree %Y", "reading", "comparing", "dating", "linking"),
        Case("link --by-name tree --in-place --dry-run", "reading", "comparing", "planning"),
        Case("import tree --output out", "reading", "pairing", "comparing", "dating", "copying"),
        Case("import tree --output out --dry-run", "reading", "pairing", "comparing", "dating", "planning"),
        Case("pack tree --output out --as pvt", "searching", "packing"),
        Case("extract packed --output out", "searching", "extracting"),
        Case("batch report report.jsonl --csv table.csv", "merging", "table"),
        Case("batch report jobs.jsonl report.jsonl", "reading", "merging"),
        Case("batch jobs.jsonl --dry-run", "reading", "checking"),
    ])
    func `a command names its stages in their order, and each one ends with all of its files`(_ one: Case) throws {
        try FolderSamples.write("tree/a/1", to: folder)
        try FolderSamples.write("tree/2", to: folder)
        if ["pack", "extract"].contains(one.command[0]) {
            _ = try Program.livephoto(["link", "--by-name", "tree", "--in-place"], in: folder.url)
            _ = try Program.livephoto(["pack", "tree", "--output", "packed", "--as", "pvt"], in: folder.url)
        }
        try folder.write(#"{"id":"a","status":"done"}"# + "\n", to: "report.jsonl")
        try folder.write(#"{"movie":"tree/2.mov","photo":"tree/2.jpg"}"# + "\n", to: "jobs.jsonl")
        let outcome = try Program.livephoto(one.command + ["--progress", "json"], in: folder.url)
        // The report does not have the job.
        #expect(outcome.status == (one.stages.contains("merging") && one.stages[0] == "reading" ? 1 : 0), "\(outcome)")
        let lines = try outcome.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        var stages: [String?] = []
        for line in lines where line.stage != stages.last { stages.append(line.stage) }
        #expect(stages == one.stages, "\(outcome.errors)")
        for stage in one.stages {
            let last = try #require(lines.last { $0.stage == stage })
            // How many jobs and records there are is known when they are read.
            let isUnknown = one.command[0] == "batch" && ["reading", "merging"].contains(stage)
            #expect(last.done > 0 && last.total == (isUnknown ? nil : last.done), "\(stage)")
        }
    }
}
