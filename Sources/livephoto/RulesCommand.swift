import ArgumentParser
import LivePhotoKit
import LivePhotoRequests

struct RulesCommand: ExemplifiedCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Explain the rules that 'verify' checks.",
        discussion: "For each: how bad it is when it does not hold, what Photos does then, and how to mend it.")

    static let examples = [
        "livephoto rules", "livephoto rules still-time-value", "livephoto rules --markdown > Rules.md",
    ]

    @Argument(help: "Only these, by their names.")
    var names: [String] = []

    @Flag(help: "Print the catalogue as a page in Markdown.")
    var markdown = false

    @Flag(help: "Print the catalogue as one JSON document.")
    var json = false

    func run() throws {
        let rules = try names.isEmpty ? Rule.all : names.map(rule)
        try Terminal.print(
            json
                ? try RuleDocument.json(rules)
                : markdown ? Self.page(rules) : rules.map(Self.text).joined(separator: "\n\n"))
    }

    private func rule(_ name: String) throws(UsageError) -> Rule {
        if let rule = Rule.all.first(where: { $0.id == name }) { return rule }
        throw UsageError("there is no rule \(quoted(name))\(suggestion(for: name, among: Rule.all.map(\.id)))")
    }

    private static func text(_ rule: Rule) -> String {
        let profiles = rule.profiles.count == Profile.allCases.count ? "" : ", only for \(names(rule.profiles))"
        return """
            \(rule.id) (\(rule.severity)\(profiles))
              \(rule.requirement)
              Else: \(rule.effect)
              Mend: \(rule.remedy)
            """
    }

    private static func names(_ profiles: Set<Profile>) -> String {
        profiles.map(\.rawValue).sorted().joined(separator: ", ")
    }

    private static func page(_ rules: [Rule]) -> String {
        let head = """
            # The rules of `livephoto verify`
            Made by `livephoto rules --markdown`. An **error**: Photos rejects the pair, imports it as two items, or cannot play
            it. A **warning**: it works, but not as it should. What Photos does is partly known from reports of others only.

            | Rule | | What has to hold | Else | To mend it |
            |---|---|---|---|---|
            """
        let rows = rules.map { rule in
            let profiles = rule.profiles.count == Profile.allCases.count ? "" : " (\(names(rule.profiles)))"
            return
                "| `\(rule.id)` | \(rule.severity)\(profiles) | \(rule.requirement) | \(rule.effect) | \(rule.remedy) |"
        }
        return ([head] + rows).joined(separator: "\n")
    }
}

/// What `rules --json` prints.
private struct RuleDocument: Encodable {
    let id: String
    let severity: String
    let requirement: String
    let effect: String
    let remedy: String
    let profiles: [String]

    static func json(_ rules: [Rule]) throws -> String {
        try rules.map {
            RuleDocument(
                id: $0.id, severity: $0.severity.rawValue, requirement: $0.requirement, effect: $0.effect,
                remedy: $0.remedy, profiles: $0.profiles.map(\.rawValue).sorted())
        }.json(.whole)
    }
}
