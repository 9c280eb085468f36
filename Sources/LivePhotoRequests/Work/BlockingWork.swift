import LivePhotoKit
import Synchronization

/// Runs blocking work away from Swift's cooperative threads.
package enum BlockingWork {
    /// Work that undoes something, also if the task is cancelled.
    package static func cleanUp(_ work: @Sendable () -> Void) async {
        await withTaskExecutorPreference(BlockingExecutor.shared) { work() }
    }

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

    /// As `run`, for calls of libraries that cannot be interrupted, such as encoding a photo: throws as soon as the task is
    /// cancelled. The call of the library that is being made then ends by itself, without effect.
    package static func runUnlessCancelled<Result: Sendable>(
        _ work: @escaping @Sendable (CancellationFlag) throws -> Result
    ) async throws -> Result {
        if Task.isCancelled { throw CancellationFlag.error }
        let cancellation = CancellationFlag()
        let answer = FirstAnswer<Result>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                answer.expect(continuation)
                let task = Task(executorPreference: BlockingExecutor.shared) {
                    answer.give(
                        Swift.Result {
                            try cancellation.check()
                            return try work(cancellation)
                        })
                }
                cancellation.onSet { task.cancel() }
            }
        } onCancel: {
            cancellation.set()
            answer.give(.failure(CancellationFlag.error))
        }
    }
}

/// Resumes a continuation with the first of several answers, some of which may come before it.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open(CheckedContinuation<Value, any Error>?)
        case early(Result<Value, any Error>)
        case given
    }

    private let state = Mutex(State.open(nil))

    func expect(_ continuation: CheckedContinuation<Value, any Error>) {
        let early: Result<Value, any Error>? = state.withLock { state in
            if case .early(let answer) = state {
                state = .given
                return answer
            }
            state = .open(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    func give(_ answer: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            guard case .open(let continuation) = state else { return nil }
            state = continuation == nil ? .early(answer) : .given
            return continuation
        }
        waiting?.resume(with: answer)
    }
}

/// Tells other threads that their task was cancelled.
package final class CancellationFlag: Sendable {
    private let isSet = Atomic(false)
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    package init() {}

    package func set() {
        isSet.store(true, ordering: .relaxed)
        action.withLock { $0.take() }?()
    }

    package var isCancelled: Bool { isSet.load(ordering: .relaxed) }

    /// Calls `action` when the flag is set, or now if it is already.
    fileprivate func onSet(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
        if isCancelled { self.action.withLock { $0.take() }?() }
    }

    package func check() throws(LivePhotoError) {
        if isSet.load(ordering: .relaxed) { throw Self.error }
    }

    fileprivate static var error: LivePhotoError { LivePhotoError(.cancelled, nil, "stopped") }
}
