import LivePhotoKit
import LivePhotoRequests

/// Output of `verify --json` for a pair, for a motion photo, for files without a partner, or for an unreadable file. Times
/// are in seconds.
struct VerificationDocument: Encodable {
    private struct Found: Encodable {
        let rule: String
        let severity: String
        let message: String
        let reported: Bool

        init(_ finding: Finding) {
            rule = finding.rule.id
            severity = finding.severity.rawValue
            message = finding.message
            reported = finding.rule.isReported
        }
    }

    /// Increased when a property changes its meaning or is removed.
    private let schema = 1
    /// `pair`, `motion-photo`, `files`, `unpaired` or `unreadable`.
    private let kind: String
    private let files: [String]
    private var contentIdentifier: String?
    private var stillTime: Double?
    private let ok: Bool
    /// Only for a motion photo.
    private var strict: Bool?
    private var findings: [Found] = []
    private var error: String?

    init(_ report: VerificationReport) {
        kind = "pair"
        files = [report.photo.string, report.movie.string]
        contentIdentifier = report.contentIdentifier
        stillTime = report.stillTime?.seconds
        ok = report.isGood
        findings = report.findings.map(Found.init)
    }

    init(_ report: MotionPhotoReport) {
        kind = "motion-photo"
        files = [report.file.string]
        contentIdentifier = report.contentIdentifier
        stillTime = report.stillTime?.seconds
        ok = report.isGood
        strict = report.isStrict
        findings = report.findings.map(Found.init)
    }

    init(_ files: LibraryReport.FileFinding) {
        kind = "files"
        self.files = files.files.map(\.string)
        contentIdentifier = files.contentIdentifier
        ok = files.finding.severity != .error
        findings = [Found(files.finding)]
    }

    /// - Parameter kind: Of a file that is not part of a pair, or cannot be read.
    init(_ error: LivePhotoError, kind: String = "unreadable") {
        self.kind = kind
        files = [error.file?.string].compactMap(\.self)
        ok = false
        self.error = error.reason
    }
}
