/// When reading and copying files has to end early: if the task is cancelled, or after a time limit.
///
/// `InputFile` and everything that copies files check it, so that no loop over a file's content needs a check of its own.
/// Neither condition ends once it has begun. So if an error was taken for a property of a file, the next check still fails,
/// such as the one before files are published.
package enum WorkInterruption {
    private struct State: Sendable {
        /// The time limit of each item, such as a clip or a pair.
        var limit: Duration?
        var deadline: ContinuousClock.Instant?
        var isIgnored = false
    }

    @TaskLocal private static var state = State()

    /// - Throws: `CancellationError`; `TimeLimitExceeded`.
    package static func check() throws {
        if Task.isCancelled {
            if !state.isIgnored { throw CancellationError() }
        } else if let deadline = state.deadline, deadline < .now, !state.isIgnored {
            throw TimeLimitExceeded(limit: state.limit ?? .zero)
        }
    }

    /// The rest of the current item's time; nil if it has no limit.
    package static var remainingTime: Duration? {
        state.deadline.map { max(ContinuousClock.now.duration(to: $0), .zero) }
    }

    /// Runs work that must not end halfway, such as undoing a change after an error.
    package static func ignored<Value, Failure: Error>(
        _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var state = state
        state.isIgnored = true
        return try run(in: state, work)
    }

    /// Runs work on items, each of which has a time limit.
    package static func limitingItems<Value>(
        to limit: Duration?, _ work: () async throws -> Value
    ) async rethrows -> Value {
        var state = state
        state.limit = limit
        return try await $state.withValue(state, operation: work)
    }

    /// Runs the work on an item, whose time begins now unless it has begun already.
    package static func item<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        state.deadline == nil ? try await attempt(work) : try await work()
    }

    /// Runs the work on an item once more: its time begins now again.
    package static func attempt<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        guard let limit = state.limit else { return try await work() }
        var state = state
        state.deadline = .now + limit
        return try await $state.withValue(state, operation: work)
    }

    /// As for asynchronous work.
    package static func item<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard let limit = state.limit, state.deadline == nil else { return try work() }
        var state = state
        state.deadline = .now + limit
        return try run(in: state, work)
    }

    private static func run<Value, Failure: Error>(
        in state: State, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try $state.withValue(state) { () -> Result<Value, Failure> in
            do throws(Failure) { return .success(try work()) } catch { return .failure(error) }
        }.get()
    }
}

/// The work on an item took longer than it may.
package struct TimeLimitExceeded: Error, CustomStringConvertible {
    package let limit: Duration

    package var description: String { "took longer than \(limit) and was stopped" }
}
