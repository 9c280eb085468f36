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

    private var verdict: String { (isGood ? "a Live Photo: " : "not a good Live Photo: ") + findings.summary }
}

extension MotionPhotoReport {
    /// The file, the still time and the findings.
    var text: String {
        var lines = [printable(file.string), "  still time  \(stillTime.map { "\($0)" } ?? "none")"]
        if let contentIdentifier { lines.append("  identifier  \(printable(contentIdentifier))") }
        lines += findings.map { "  \(printable($0.description))" }
        lines.append("  \(verdict): \(findings.summary)")
        return lines.joined(separator: "\n")
    }

    /// Which programs take the file.
    private var verdict: String {
        isStrict
            ? "a motion photo" : isGood ? "a motion photo that not all programs accept" : "not a good motion photo"
    }
}

extension [Finding] {
    /// `1 error, 2 warnings`
    fileprivate var summary: String {
        let counts = Rule.Severity.allCases.compactMap { severity -> String? in
            let count = count { $0.severity == severity }
            return count == 0 ? nil : counted(count, severity.rawValue)
        }
        return counts.isEmpty ? "no problems found" : counts.joined(separator: ", ")
    }
}

extension LibraryReport {
    /// A summary on one line.
    var summary: String {
        var parts = Self.counts(pairs.map { ($0.isGood, $0.findings) }, "pair")
        for (rule, kind, other) in [("photo-alone", "photo", "movie"), ("movie-alone", "movie", "photo")] {
            let count = files.count { $0.finding.rule.id == rule }
            if count > 0 { parts.append("\(counted(count, kind)) without a \(other)") }
        }
        if !unreadable.isEmpty { parts.append("\(unreadable.count) unreadable") }
        if ordinaryFiles > 0 { parts.append("\(counted(ordinaryFiles, "other file")) without an identifier") }
        let motion = Self.counts(motionPhotos.map { ($0.isGood, $0.findings) }, "motion photo")
        return parts.joined(separator: ", ") + (motionPhotos.isEmpty ? "" : "; " + motion.joined(separator: ", "))
    }

    /// `3 pairs: 1 good`, `1 with warnings or notes` and `1 with errors`.
    private static func counts(_ reports: [(isGood: Bool, findings: [Finding])], _ kind: String) -> [String] {
        let bad = reports.count { !$0.isGood }
        let imperfect = reports.count { $0.isGood && !$0.findings.isEmpty }
        var parts = ["\(counted(reports.count, kind)): \(reports.count - bad - imperfect) good"]
        if imperfect > 0 { parts.append("\(imperfect) with warnings or notes") }
        if bad > 0 { parts.append("\(bad) with errors") }
        return parts
    }
}
