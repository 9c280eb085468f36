import LivePhotoKit
import Synchronization

/// Runs blocking work away from Swift's cooperative threads.
package enum BlockingWork {
    /// - Parameter work: receives a flag that is set if the task is cancelled.
    package static func run<Result: Sendable>(
        _ work: @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withTaskExecutorPreference(BlockingExecutor.shared) { try work(cancellation) }
        } onCancel: {
            cancellation.set()
        }
    }
}

/// Tells other threads that their task was cancelled.
package final class CancellationFlag: Sendable {
    private let isSet = Atomic(false)

    package init() {}

    package func set() { isSet.store(true, ordering: .relaxed) }

    package func check() throws(LivePhotoError) {
        if isSet.load(ordering: .relaxed) { throw LivePhotoError(.cancelled, nil, "stopped") }
    }
}
