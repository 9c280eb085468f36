import Bytes

/// The time limit of each item of a command, such as a clip or a pair. It covers the work in this process too: reading and
/// copying files ends with a `TimeLimitExceeded`.
package enum ItemTime {
    /// The rest of the current item's time; nil if it has no limit.
    package static var remaining: Duration? { WorkInterruption.remainingTime }

    /// Runs work on items, each of which `concurrentForEach` or `item` begins.
    package static func limited<Value>(
        to limit: TimeLimit?, _ work: () async throws -> Value
    ) async rethrows -> Value {
        try await WorkInterruption.limitingItems(to: limit?.duration, work)
    }

    /// Runs the work on an item, whose time begins now unless it has begun already.
    package static func item<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await WorkInterruption.item(work)
    }

    /// As for asynchronous work.
    package static func item<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        try WorkInterruption.item(work)
    }
}
