import Foundation
import TestSupport
import Testing

/// Presets and job files whose values lie below long keys.
@Suite struct LargeYAMLTests {
    /// A list of a hundred thousand values.
    private static let list = "[" + String(repeating: "a,", count: 100_000) + "]"

    struct Document: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
    }

    private static let documents = [
        Document(
            testDescription: "a key of 100,000 letters",
            text: "? " + String(repeating: "a", count: 100_000) + "\n: \(list)\n"),
        Document(
            testDescription: "28 nested keys of 1,000 letters",
            text: (0..<28).map { depth in
                String(repeating: " ", count: depth) + String(repeating: "k", count: 1000) + ":\n"
            }.joined() + String(repeating: " ", count: 28) + "k: \(list)\n"),
    ]

    @Test(arguments: documents, [["presets", "check", "a.yaml"], ["batch", "a.yaml", "--dry-run"]])
    func `values below long keys need memory only for themselves`(document: Document, command: [String]) throws {
        let folder = try TemporaryFolder(["a.yaml": document.text])
        let outcome = try Program.system(
            "bash", ["-c", #"ulimit -c 0 -v 1000000; exec "$0" "$@""#, Program.livephoto.path] + command,
            in: folder.url)
        #expect(outcome.status == 64)
        #expect((outcome.output + outcome.errors).contains("a.yaml:1:"), "\(outcome.errors.prefix(200))")
        #expect((outcome.output + outcome.errors).contains("unknown key"))
    }
}
