import Dispatch

/// Runs blocking tasks on separate threads: Swift's cooperative threads, one for each core, must not block. Tasks keep
/// their priority, cancellation and task-local values.
///
/// ```swift
/// try await withTaskExecutorPreference(BlockingExecutor.shared) { try readLargeFile() }
/// ```
package final class BlockingExecutor: TaskExecutor {
    package static let shared = BlockingExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // A separate queue has a separate thread, so work that waits for other work cannot prevent it from starting.
        DispatchQueue(label: "livephoto.blocking").async { job.runSynchronously(on: executor) }
    }
}
