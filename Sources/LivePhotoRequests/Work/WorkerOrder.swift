import LivePhotoKit

/// Work for the worker: one line of JSON on its standard input. The client keeps the input open until it ends.
package struct WorkerOrder: Codable, Sendable {
    /// The client's version. A worker of another version rejects the order.
    package let version: String
    package let work: Work
    /// The files that the work writes, which must exist.
    package let outputs: [PathText]
    package let limits: WorkerLimits
    package let sandbox: SandboxMode
    package let isVerbose: Bool

    package init(_ work: Work, into outputs: [FilePath], limits: WorkerLimits, sandbox: SandboxMode, isVerbose: Bool) {
        version = ProgramVersion.current
        self.outputs = outputs.map { PathText($0) }
        (self.work, self.limits, self.sandbox, self.isVerbose) = (work, limits, sandbox, isVerbose)
    }
}

/// Resource limits of the worker.
package struct WorkerLimits: Codable, Sendable, Hashable {
    /// Bytes of writable memory (`RLIMIT_DATA` of setrlimit(2)); nil for a limit that follows from the picture size and
    /// the number of threads.
    package var memory: Int?
    /// Seconds of processor time of all threads (`RLIMIT_CPU`); nil for no limit.
    package var processorSeconds: Int?
    /// The maximum size of each output file in bytes (`RLIMIT_FSIZE`).
    package var fileSize = 4 << 30

    package init(memory: Int? = nil, processorSeconds: Int? = nil) {
        (self.memory, self.processorSeconds) = (memory, processorSeconds)
    }
}

/// The version of both programs, which must be equal.
package enum ProgramVersion {
    package static let current = "0.1.0"
}
