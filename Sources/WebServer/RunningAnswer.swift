import Synchronization

/// The answer that is prepared for one connection: it is cancelled when the connection ends.
final class RunningAnswer: Sendable {
    private struct State {
        var task: Task<Response, any Error>?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Prepares an answer. The function is called in any case, with a cancelled task if the client has left before.
    func run(_ make: @escaping @Sendable () async throws -> Response) async throws -> Response {
        let task = Task { try await make() }
        let hasEnded = state.withLock { state in
            state.task = task
            return state.hasEnded
        }
        if hasEnded { task.cancel() }
        defer { state.withLock { $0.task = nil } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Notes the end of the connection.
    func cancel() {
        let task = state.withLock { state in
            state.hasEnded = true
            return state.task
        }
        task?.cancel()
    }
}
