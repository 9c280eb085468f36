import Foundation
import TestSupport
import Testing

/// `verify --explain`: the catalogue of what `verify` checks.
@Suite struct RulesTests {
    @Test func `the page of rules is what the program prints`() throws {
        let outcome = try Program.livephoto("verify", "--explain", "--markdown")
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        #expect(try outcome.output == String(contentsOf: Repository.file("Documentation/Rules.md"), encoding: .utf8))
    }

    @Test func `the same rules are told as text, as a page and as JSON`() throws {
        let lines = try Program.livephoto("verify", "--explain", "--json").output.split(separator: "\n")
        let rules = try lines.compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let ids = rules.compactMap { $0["id"] as? String }
        #expect(ids.count == rules.count && ids.count > 30)
        for rule in rules {
            #expect(
                Set(rule.keys) == [
                    "id", "severity", "requirement", "effect", "remedy", "profiles", "reported", "sources",
                ],
                "\(rule)")
        }
        let text = try Program.livephoto("verify", "--explain").output
        let blocks = text.components(separatedBy: "\n\n")
        #expect(blocks.map { String($0.prefix { $0 != " " }) } == ids)
        #expect(
            try Program.livephoto("verify", "--explain", "--markdown").output.matches(of: /\n\| `(.+?)`/).map {
                $0.output.1
            }
                == ids.map { $0[...] })
        #expect(
            try Program.livephoto("verify", "--explain", ids[3], ids[0]).output == blocks[3] + "\n\n" + blocks[0] + "\n"
        )
    }

    @Test func `a rule that there is not is an error with a guess`() throws {
        try expectFailure(
            ["verify", "--explain", "still-time-valeu"], in: try TemporaryFolder(), 64,
            "there is no rule 'still-time-valeu'; did you mean 'still-time-value'?")
    }
}

/// The files that these tests are built from.
enum Repository {
    static func file(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(name)
    }
}
