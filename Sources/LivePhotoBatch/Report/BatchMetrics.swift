import LivePhotoKit

/// The figures of one run of a batch.
package struct BatchMetrics: Sendable, Hashable {
    /// The number of jobs in this part of the batch.
    package let jobs: Int
    /// Jobs whose pair this run made.
    package private(set) var made = 0
    /// Jobs whose pair an earlier run made.
    package private(set) var existing = 0
    /// Jobs that have ended without a pair.
    package private(set) var failed = 0
    /// Jobs that are worked on.
    package var running = 0
    /// The failed jobs by the codes of their errors.
    package private(set) var failures: [String: Int] = [:]
    /// The sum of the durations of the last attempts, like all sums of the jobs that this run worked on.
    package private(set) var seconds = 0.0
    /// The sizes of the inputs.
    package private(set) var bytesRead = 0
    /// The sizes of the photos and movies that were made.
    package private(set) var bytesWritten = 0
    package private(set) var frames = 0
    /// Attempts after the first one.
    package private(set) var restarts = 0

    package init(jobs: Int) { self.jobs = jobs }

    /// Jobs that have not begun, or were stopped.
    package var waiting: Int { max(jobs - made - existing - failed - running, 0) }

    /// Adds a job that has ended.
    package mutating func add(_ record: JobRecord, wasDoneEarlier: Bool) {
        if wasDoneEarlier {
            existing += 1
            return
        }
        if record.status == .done {
            made += 1
        } else {
            failed += 1
            failures[record.code ?? LivePhotoError.Code.internalError.rawValue, default: 0] += 1
        }
        seconds += record.seconds ?? 0
        bytesRead += record.inputs.reduce(0) { $0 + $1.bytes }
        bytesWritten += record.outputBytes ?? 0
        frames += record.frames ?? 0
        restarts += max((record.attempts ?? 0) - 1, 0)
    }
}
