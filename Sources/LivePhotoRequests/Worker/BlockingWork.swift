import LivePhotoKit

/// Runs blocking work away from Swift's cooperative threads.
package enum BlockingWork {
    /// - Parameter work: is given a flag that says when the task was cancelled, also to threads that it starts.
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
