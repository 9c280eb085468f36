package import MediaModel
package import SystemPackage

/// Reads a finished pair back from the disk, before it is published, and checks the rules and the intended values.
package struct PairCheck {
    package let photo: FilePath
    package let movie: FilePath
    package let contentIdentifier: ContentIdentifier
    /// On the movie's timeline.
    package let stillTime: MediaTime
    /// The rules of warnings that are accepted, as for a pair whose photo and movie came from the user.
    private let allowedWarnings: Set<Rule>

    package init(
        photo: FilePath, movie: FilePath, contentIdentifier: ContentIdentifier, stillTime: MediaTime,
        allowing allowedWarnings: Set<Rule> = []
    ) {
        self.photo = photo
        self.movie = movie
        self.contentIdentifier = contentIdentifier
        self.stillTime = stillTime
        self.allowedWarnings = allowedWarnings
    }

    /// A user-supplied photo may have another aspect ratio than the movie, and may have been cut off before.
    private static let ignoredRules: Set<Rule> = [.sameShape, .sameOrientation, .photoWhole]

    private static var verifier: LivePhotoVerifier {
        var verifier = LivePhotoVerifier()
        verifier.rules.removeAll { ignoredRules.contains($0) }
        return verifier
    }

    /// Whether a pair that was published once has no errors.
    package static func isGood(photo: FilePath, movie: FilePath) -> Bool {
        (try? report(photo: photo, movie: movie))?.isGood == true
    }

    /// What is wrong with a pair that was published once.
    ///
    /// - Throws: `LivePhotoError` for a file that cannot be read.
    static func report(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> VerificationReport {
        try verifier.verify(photo: photo, movie: movie)
    }

    /// - Throws: `PairFault` if the check fails; `LivePhotoError` for a file that cannot be read.
    package func run() throws {
        let verifier = Self.verifier
        let report = try verifier.verify(photo: photo, movie: movie)
        if let finding = report.findings.first(where: {
            $0.severity == .error || $0.severity == .warning && !allowedWarnings.contains($0.rule)
        }) {
            throw PairFault(finding.description)
        }
        guard report.contentIdentifier == contentIdentifier.string else {
            throw PairFault(
                "the content identifier is \(report.contentIdentifier ?? "missing"), not \(contentIdentifier)")
        }
        guard let time = report.stillTime, time == stillTime else {
            throw PairFault(
                "the movie's still image time is \(report.stillTime.map { "\($0)" } ?? "missing"), not \(stillTime)")
        }
    }
}

extension [Finding] {
    /// The rules of the warnings.
    package var warnedRules: Set<Rule> { Set(lazy.filter { $0.severity == .warning }.map(\.rule)) }
}

/// Why a finished pair did not pass its check.
package struct PairFault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
