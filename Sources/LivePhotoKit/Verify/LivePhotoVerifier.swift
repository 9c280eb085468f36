import Bytes
public import MediaModel
public import SystemPackage

/// Says whether two files are a Live Photo, and what is wrong where they are not.
///
/// ```swift
/// let report = try LivePhotoVerifier().verify(photo: "beach.JPG", movie: "beach.MOV")
/// for finding in report.findings { print(finding) }
/// ```
public struct LivePhotoVerifier: Sendable {
    /// Tells how alike a photo and its movie's frame at the still time are: their structural similarity, 1 for equal
    /// pictures. `MediaEngine.similarity` of LivePhotoRequests does.
    public typealias PictureComparison =
        @Sendable (
            _ photo: FilePath, _ movie: FilePath, _ stillTime: MediaTime
        ) async throws(LivePhotoError) -> Double

    /// The rules that are checked, in the order of their findings.
    public var rules: [Rule]

    /// - Parameter profile: what the pair is meant for.
    public init(profile: Profile = .any) {
        rules = Rule.all.filter { $0.profiles.contains(profile) }
    }

    /// Reads both files as far as their structure goes, nothing of picture and sound, and holds them against the rules.
    ///
    /// - Throws: `LivePhotoError` for a file that is not there or may not be read. One that is no photo or movie is a
    ///   finding.
    public func verify(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> VerificationReport {
        report(try PairFacts(photo: photo, movie: movie))
    }

    /// The same, and holds the rule about the pictures against them.
    public func verify(
        photo: FilePath, movie: FilePath, comparing compare: PictureComparison
    ) async throws(LivePhotoError) -> VerificationReport {
        var facts = try PairFacts(photo: photo, movie: movie)
        if facts.photo.facts != nil, let stillTime = facts.movie.facts?.stillTime {
            do throws(LivePhotoError) {
                facts.similarity = .success(try await compare(photo, movie, stillTime))
            } catch {
                if error.code == .cancelled { throw error }
                facts.similarity = .failure(error)
            }
        }
        return report(facts)
    }

    private func report(_ facts: PairFacts) -> VerificationReport {
        VerificationReport(
            photo: facts.photo.path, movie: facts.movie.path,
            contentIdentifier: facts.movieIdentifier ?? facts.photoIdentifier,
            stillTime: facts.movie.facts?.stillTime,
            findings: rules.flatMap { rule in rule.check(facts).map { Finding(rule, $0) } })
    }
}

/// What a verifier found about a pair.
public struct VerificationReport: Sendable, Hashable {
    public let photo: FilePath
    public let movie: FilePath
    /// As it is spelt in the movie, or in the photo where the movie has none.
    public let contentIdentifier: String?
    /// On the movie's timeline.
    public let stillTime: MediaTime?
    public let findings: [Finding]

    /// Whether nothing is worse than a warning.
    public var isGood: Bool { !findings.contains { $0.rule.severity == .error } }
}
