import Dispatch

/// Runs blocking work away from Swift's cooperative threads, which must not block.
package enum BlockingWork {
    /// - Parameter work: is given a flag that says when the task was cancelled.
    package static func run<Result: Sendable>(
        _ work: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // A queue of its own has a thread of its own, so that work that waits for other work does not keep it from
                // beginning.
                DispatchQueue(label: "livephoto.work").async {
                    continuation.resume(with: Swift.Result { try work(cancellation) })
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }
}
