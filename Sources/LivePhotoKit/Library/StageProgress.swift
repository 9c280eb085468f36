/// How far work in several stages is: `done` of `total` of a stage.
public struct StageProgress<Stage: Sendable & Hashable>: Sendable, Hashable {
    /// The current stage.
    public let stage: Stage
    /// Finished files, pairs or items of the stage.
    public let done: Int
    /// All of them; while folders are still listed, those that were found so far.
    public let total: Int
}
