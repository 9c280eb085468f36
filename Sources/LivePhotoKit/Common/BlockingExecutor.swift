import Dispatch

/// Runs tasks that block on threads of their own: Swift's cooperative threads, of which there are as many as cores, must not
/// block. Priorities, cancellation and task-local values stay the task's.
///
/// ```swift
/// try await withTaskExecutorPreference(BlockingExecutor.shared) { try readLargeFile() }
/// ```
package final class BlockingExecutor: TaskExecutor {
    package static let shared = BlockingExecutor()

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // A queue of its own has a thread of its own, so that work that waits for other work does not keep it from
        // beginning.
        DispatchQueue(label: "livephoto.blocking").async { job.runSynchronously(on: executor) }
    }
}
