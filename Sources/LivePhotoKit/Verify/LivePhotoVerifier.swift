import Bytes
public import MediaModel
public import SystemPackage

/// Checks two files against the rules for Live Photos.
///
/// ```swift
/// let report = try LivePhotoVerifier().verify(photo: "beach.JPG", movie: "beach.MOV")
/// for finding in report.findings { print(finding) }
/// ```
public struct LivePhotoVerifier: Sendable {
    /// Returns the structural similarity of a photo and the movie's frame at the still time, 1 for equal pictures, as
    /// `MediaEngine.similarity` of LivePhotoRequests does.
    public typealias PictureComparison =
        @Sendable (
            _ photo: FilePath, _ movie: FilePath, _ stillTime: MediaTime
        ) async throws(LivePhotoError) -> Double

    /// Measures how much the pictures of a movie move, as `MediaEngine.steadiness` of LivePhotoRequests does.
    public typealias SteadinessMeasurement =
        @Sendable (_ movie: FilePath, _ stillTime: MediaTime) async throws(LivePhotoError) -> PictureSteadiness

    /// The rules that are checked, in the order of their findings.
    public var rules: [Rule]
    /// For rules about it, where pictures are compared; nil does not check them.
    public var measureSteadiness: SteadinessMeasurement?

    /// A verifier with the rules of a profile.
    ///
    /// - Parameter profile: The intended use of the pair.
    public init(profile: Profile = .any) {
        rules = Rule.all.filter { $0.profiles.contains(profile) }
    }

    /// Reads the structure of both files, without picture and sound, and checks the rules.
    ///
    /// - Throws: `LivePhotoError` for a file that does not exist or cannot be opened. A file that is no photo or movie is a
    ///   finding.
    public func verify(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> VerificationReport {
        try report(try facts(photo: photo, movie: movie))
    }

    /// Reads the structure of both files, compares their pictures unless `compare` is nil, and checks the rules.
    ///
    /// - Throws: `LivePhotoError` for a file that does not exist or cannot be opened, or if `compare` was cancelled. Any
    ///   other error of `compare` is a finding.
    public func verify(
        photo: FilePath, movie: FilePath, comparing compare: PictureComparison?
    ) async throws(LivePhotoError) -> VerificationReport {
        try await report(try facts(photo: photo, movie: movie), comparing: compare)
    }

    /// Compares the pictures of two files that were read, unless `compare` is nil, and checks the rules.
    func report(
        _ facts: PairFacts, comparing compare: PictureComparison?
    ) async throws(LivePhotoError) -> VerificationReport {
        var facts = facts
        if let compare, facts.photo.facts != nil, let stillTime = facts.movie.facts?.stillTime {
            do throws(LivePhotoError) {
                facts.similarity = .success(try await compare(facts.photo.path, facts.movie.path, stillTime))
            } catch {
                if error.code == .cancelled { throw error }
                facts.similarity = .failure(error)
            }
            if let measureSteadiness, rules.contains(where: \.isReported) {
                do throws(LivePhotoError) {
                    facts.steadiness = .success(try await measureSteadiness(facts.movie.path, stillTime))
                } catch {
                    if error.code == .cancelled { throw error }
                    facts.steadiness = .failure(error)
                }
            }
        }
        return try report(facts)
    }

    func facts(photo: FilePath, movie: FilePath) throws(LivePhotoError) -> PairFacts {
        try PairFacts(photo: photo, movie: movie, readsLivePhotoInfo: rules.contains(where: \.isReported))
    }

    private func report(_ facts: PairFacts) throws(LivePhotoError) -> VerificationReport {
        try LivePhotoError.checkInterruption(of: facts.movie.path)
        return VerificationReport(
            photo: facts.photo.path, movie: facts.movie.path,
            contentIdentifier: (facts.movieIdentifier ?? facts.photoIdentifier)?.string(),
            stillTime: facts.movie.facts?.stillTime,
            findings: rules.flatMap { rule in rule.check(facts).map { Finding(rule, $0) } })
    }
}

/// The result of verifying a pair.
public struct VerificationReport: Sendable, Hashable {
    /// The key photo, by the path that was given or found.
    public let photo: FilePath
    /// The paired video, by the path that was given or found.
    public let movie: FilePath
    /// The content identifier as spelled in the movie, or in the photo if the movie has none.
    public let contentIdentifier: String?
    /// The still time on the movie's timeline; nil if the movie has none.
    public let stillTime: MediaTime?
    /// The broken rules, in the order of `LivePhotoVerifier.rules`; empty for a pair without defects.
    public let findings: [Finding]

    /// Whether nothing is worse than a warning.
    public var isGood: Bool { !findings.contains { $0.severity == .error } }
}
