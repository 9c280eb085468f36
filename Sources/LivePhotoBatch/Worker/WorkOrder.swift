/// What the process of one job is told: a line of JSON on its standard input, which stays open as long as its batch
/// lives.
struct WorkOrder: Codable, Sendable {
    let id: String
    /// `Job.options`.
    let options: String
    /// `Job.preset`.
    let preset: String
    /// The batch's folder.
    let root: String
    let threads: Int
    /// For encoding alone; nil for as many as `threads` wants.
    let encoderThreads: Int?
    /// The most bytes of memory that the process may take; nil for no limit.
    let memoryLimit: Int?
    /// Whether files that stand in the pair's place are replaced, whosever they are.
    let replacesExisting: Bool
    /// What is known of the inputs: those that have not changed are not read again for their digests.
    let inputs: [JobRecord.Input]
    /// What the batch has begun or made there: that may be replaced.
    let begun: Set<BegunPair>
    /// Whether the pair is made anew even if it stands there.
    let isRestart: Bool
    let wantsProgress: Bool

    /// What the batch answers to a record with status `started`, once it is in the journal.
    static let goOn = "go on"
}

/// What a process of a batch says: lines of JSON on its standard output.
struct WorkEvent: Codable, Sendable {
    /// With status `started` before anything is made, then with how it ended.
    var record: JobRecord?
    /// Frames of the movie that are encoded, and that it will have.
    var frames: Int?
    var totalFrames: Int?
}
