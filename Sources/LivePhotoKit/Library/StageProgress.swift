/// How far work in several stages is.
public struct StageProgress<Stage: Sendable & Hashable>: Sendable, Hashable {
    /// The current stage.
    public let stage: Stage
    /// How many files, pairs or items of the stage are finished.
    public let done: Int
    /// How many there are; while folders are still listed, how many were found so far.
    public let total: Int
}
