public import MediaModel
public import SystemPackage

extension LivePhotoVerifier {
    /// Checks a motion photo against the rules for them, without decoding picture and sound.
    ///
    /// - Throws: `LivePhotoError` for a file that cannot be read, or is no photo.
    public func verify(motionPhoto path: FilePath) throws(LivePhotoError) -> MotionPhotoReport {
        let facts = try MotionPhotoFacts(path)
        try LivePhotoError.checkInterruption(of: path)
        let isAccepted = facts.hasMakersDescription && facts.playableMovie != nil
        return MotionPhotoReport(
            file: path, contentIdentifier: facts.contentIdentifier?.string(), stillTime: facts.stillTime,
            findings: rules.flatMap { rule in
                rule.checkMotionPhoto(facts).map { Finding(rule, $0, isAccepted: isAccepted) }
            })
    }
}

/// The result of verifying a motion photo.
public struct MotionPhotoReport: Sendable, Hashable {
    /// The file, by the path that was given.
    public let file: FilePath
    /// The content identifier of the Live Photo that it was made from, if it keeps one.
    public let contentIdentifier: String?
    /// The time in the movie at which the photo was taken; nil if the file does not state it.
    public let stillTime: MediaTime?
    /// The broken rules, in the order of `LivePhotoVerifier.rules`.
    public let findings: [Finding]

    /// Whether nothing is worse than a warning: some programs show the movie.
    public var isGood: Bool { !findings.contains { $0.severity == .error } }

    /// Whether nothing is worse than a note: strict readers take the file.
    public var isStrict: Bool { findings.allSatisfy { $0.severity == .note } }
}
