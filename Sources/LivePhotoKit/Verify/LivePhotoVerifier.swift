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
    /// pictures. `KeyPhotoSimilarity.measure` of LivePhotoConversion does.
    public typealias PictureComparison =
        @Sendable (
            _ photo: FilePath, _ movie: FilePath, _ stillTime: MediaTime
        ) throws(LivePhotoError) -> Double

    /// The rules that are checked, in the order of their findings.
    public var rules: [Rule]
    /// Looks at the pictures; nil leaves the rule about them out.
    public var comparePictures: PictureComparison?

    /// - Parameter profile: what the pair is meant for.
    public init(profile: Profile = .any) {
        rules = Rule.all.filter { $0.profiles.contains(profile) }
    }

    /// Reads both files as far as their structure goes, nothing of picture and sound unless pictures are compared, and
    /// holds them against the rules.
    ///
    /// - Throws: `LivePhotoError` for a file that is not there or may not be read. One that is no photo or movie is a
    ///   finding.
    public func verify(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> VerificationReport {
        let facts = try PairFacts(photo: photo, movie: movie, comparison: comparePictures)
        return VerificationReport(
            photo: photo, movie: movie, contentIdentifier: facts.movieIdentifier ?? facts.photoIdentifier,
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
