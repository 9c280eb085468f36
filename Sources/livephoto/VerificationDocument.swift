import LivePhotoKit
import LivePhotoRequests

/// What `verify --json` prints for a pair, for files that are none, or for what cannot be read. Times are in seconds.
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
    /// `pair`, `files` or `unreadable`.
    private let kind: String
    private let files: [String]
    private let contentIdentifier: String?
    private let stillTime: Double?
    private let ok: Bool
    private let findings: [Found]
    private let error: String?

    init(_ report: VerificationReport) {
        kind = "pair"
        files = [report.photo.string, report.movie.string]
        contentIdentifier = report.contentIdentifier
        stillTime = report.stillTime?.seconds
        ok = report.isGood
        findings = report.findings.map(Found.init)
        error = nil
    }

    init(_ files: LibraryReport.FileFinding) {
        kind = "files"
        self.files = files.files.map(\.string)
        contentIdentifier = files.contentIdentifier
        stillTime = nil
        ok = files.finding.rule.severity != .error
        findings = [Found(files.finding)]
        error = nil
    }

    init(_ unreadable: LivePhotoError) {
        kind = "unreadable"
        files = [unreadable.file?.string].compactMap(\.self)
        (contentIdentifier, stillTime) = (nil, nil)
        ok = false
        findings = []
        error = unreadable.reason
    }
}
