import LivePhotoConversion
import LivePhotoKit

/// What `verify --json` prints for a pair, or for files that are none. Times are in seconds.
struct VerificationDocument: Encodable {
    private struct Found: Encodable {
        let rule: String
        let severity: String
        let message: String

        init(_ finding: Finding) {
            rule = finding.rule.id
            severity = finding.rule.severity.rawValue
            message = finding.message
        }
    }

    /// Grows when a field changes its meaning or goes away.
    private let schema = 1
    /// `pair` or `files`.
    private let kind: String
    private let files: [String]
    private let contentIdentifier: String?
    private let stillTime: Double?
    private let ok: Bool
    private let findings: [Found]

    init(_ report: VerificationReport) {
        kind = "pair"
        files = [report.photo.string, report.movie.string]
        contentIdentifier = report.contentIdentifier
        stillTime = report.stillTime?.seconds
        ok = report.isGood
        findings = report.findings.map(Found.init)
    }

    init(_ files: LibraryReport.FileFinding) {
        kind = "files"
        self.files = files.files.map(\.string)
        contentIdentifier = files.contentIdentifier
        stillTime = nil
        ok = files.finding.rule.severity != .error
        findings = [Found(files.finding)]
    }
}
