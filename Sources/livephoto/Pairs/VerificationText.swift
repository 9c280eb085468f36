import LivePhotoKit
import LivePhotoRequests

extension VerificationReport {
    /// The files, the content identifier, the still time and the findings.
    var text: String {
        var lines = ["\(printable(photo.string)) + \(printable(movie.string))"]
        lines.append("  identifier  \(contentIdentifier.map(printable) ?? "none")")
        lines.append("  still time  \(stillTime.map { "\($0)" } ?? "none")")
        lines += findings.map { "  \(printable($0.description))" }
        lines.append("  " + verdict)
        return lines.joined(separator: "\n")
    }

    private var verdict: String {
        let counts = Rule.Severity.allCases.compactMap { severity -> String? in
            let count = findings.count { $0.rule.severity == severity }
            return count == 0 ? nil : counted(count, severity.rawValue)
        }
        let found = counts.isEmpty ? "no problems found" : counts.joined(separator: ", ")
        return (isGood ? "a Live Photo: " : "not a good Live Photo: ") + found
    }
}

extension LibraryReport {
    /// A summary on one line.
    var summary: String {
        let bad = pairs.count { !$0.isGood }
        let imperfect = pairs.count { $0.isGood && !$0.findings.isEmpty }
        var parts = ["\(counted(pairs.count, "pair")): \(pairs.count - bad - imperfect) good"]
        if imperfect > 0 { parts.append("\(imperfect) with warnings or notes") }
        if bad > 0 { parts.append("\(bad) with errors") }
        for (rule, kind, other) in [("photo-alone", "photo", "movie"), ("movie-alone", "movie", "photo")] {
            let count = files.count { $0.finding.rule.id == rule }
            if count > 0 { parts.append("\(counted(count, kind)) without a \(other)") }
        }
        if !unreadable.isEmpty { parts.append("\(unreadable.count) unreadable") }
        if ordinaryFiles > 0 { parts.append("\(counted(ordinaryFiles, "other file")) without an identifier") }
        return parts.joined(separator: ", ")
    }
}
