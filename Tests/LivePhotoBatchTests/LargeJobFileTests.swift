import Foundation
import LivePhotoBatch
import LivePhotoRequests
import SystemPackage
import TestSupport
import Testing

/// Job files and batches of many jobs.
@Suite struct LargeJobFileTests {
    @Test(arguments: ["jobs", "jobs.jsonl"])
    func `JSON lines of any length together are read, and an error has the number of its line`(name: String) throws {
        let blanks = String(repeating: " ", count: 900_000)
        let lines = (1...7).map { "{\"input\": \"a.mp4\",\(blanks)\"name\": \"n\($0)\"}\n" }
        let folder = try TemporaryFolder([name: lines.joined() + "\n\n"])
        let path = folder.path.appending(name)
        #expect(try JobFile(path).jobs.map(\.id) == (1...7).map { "n\($0)" })
        try folder.write(lines.joined() + "\n{\"imput\": \"b.mp4\"}", to: name)
        let unknown = #expect(throws: LivePhotoError.self) { try JobFile(path) }
        #expect(unknown?.place == LivePhotoError.Place(line: 9, column: 2))
        try folder.write(lines.joined() + "{\"input\": \(blanks)\(blanks)\(blanks)\"b.mp4\"}", to: name)
        let long = #expect(throws: LivePhotoError.self) { try JobFile(path) }
        #expect(long?.place == LivePhotoError.Place(line: 8, column: 1))
        #expect(long?.reason == "the line is longer than 1048576 bytes")
    }

    @Test func `jobs that share options and folders are those that they would be alone`() throws {
        let head = "{\"version\": 1, \"defaults\": {\"fps\": 5, \"output\": \"{stem}/x\", \"date\": \"file\"}}\n"
        let lines = [
            #"{"input": "in/a.mp4"}"#, #"{"input": "in/b.mp4", "still": 1}"#, #"{"input": "/g.mp4", "fps": null}"#,
            #"{"movie": "in/c.MOV", "photo": "p/c.JPG", "id": "c", "date": null}"#,
            #"{"input": "in/d.mp4", "photo": "p/d.JPG", "name": "ü\u0301 \"x\"", "preset": "smooth"}"#,
            #"{"input": "..", "name": "e", "output": null}"#,
        ]
        func jobs(_ lines: [String]) throws -> [Job] {
            try JobFile(Array((head + lines.joined(separator: "\n")).utf8), name: "j", folder: "f", isLines: true).jobs
        }
        let together = try jobs(lines)
        #expect(try together == lines.flatMap { try jobs([$0]) })
        #expect(Set(together).count == lines.count)
        #expect(together.map(\.input) == ["f/in/a.mp4", "f/in/b.mp4", "/g.mp4", "f/in/c.MOV", "f/in/d.mp4", "f/.."])
        #expect(together.map(\.id) == ["a/x/a", "b/x/b", "g/x/g", "c", "d/x/ü\u{301} \"x\"", "e"])
        #expect(
            together.map(\.options)[..<4] == [
                #"{"fps":"5","date":"file","input":"f/in/a.mp4","output":"a/x","name":"a"}"#,
                #"{"fps":"5","date":"file","still":"1","input":"f/in/b.mp4","output":"b/x","name":"b"}"#,
                #"{"date":"file","input":"/g.mp4","output":"g/x","name":"g"}"#,
                #"{"id":"c","movie":"f/in/c.MOV","photo":"f/p/c.JPG","output":"c/x","name":"c"}"#,
            ])
    }

    @Test func `a conflict with an entry that was left out is found too`() throws {
        let text =
            "version: 1\njobs:\n" + ["a", "b", "c"].map { "- {input: \($0).mp4, name: n}\n" }.joined()
            + "- {input: d.mp4, id: n, name: d}\n"
        let file = try JobFile(Array(text.utf8), name: "j", folder: "", skipsProblems: true)
        #expect(file.jobs.map(\.input) == ["a.mp4"])
        #expect(
            file.problems.map { String($0.reason.prefix(19)) } == [
                "'a.mp4' and 'b.mp4'", "'b.mp4' and 'c.mp4'", "two jobs have the i",
            ])
    }
}
