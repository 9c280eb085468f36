/// Values that are made when they are needed first, of which those used last are kept: making one takes time, and having all
/// takes memory and open files.
package actor RecentValues<Key: Hashable & Sendable, Value: Sendable> {
    private struct Entry {
        let key: Key
        let task: Task<Value, any Error>
        var isFinished = false
        /// Whether it is no longer wanted, although it is still being made.
        var isStale = false
        /// Callers that have not left.
        var waiting = 0
    }

    private let capacity: Int
    private let limit: TaskLimit
    /// The one used last is at the end.
    private var entries: [Entry] = []
    private var isStopped = false

    /// - Parameters:
    ///   - capacity: How many are kept, besides those that are being made.
    ///   - limit: How many are made at a time.
    package init(_ capacity: Int, _ limit: TaskLimit) { (self.capacity, self.limit) = (capacity, limit) }

    /// - Throws: errors of `make`, which the next caller tries again; `CancellationError` after `stop`.
    package func value(_ key: Key, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        if isStopped { throw CancellationError() }
        var entry: Entry
        if let index = entries.firstIndex(where: { $0.key == key && !$0.isStale }) {
            entry = entries.remove(at: index)
        } else {
            let limit = limit
            entry = Entry(
                key: key,
                task: Task(executorPreference: BlockingExecutor.shared) {
                    try await limit.run {
                        try Task.checkCancellation()
                        return try await make()
                    }
                })
        }
        entry.waiting += 1
        entries.append(entry)
        let task = entry.task
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            Task { await leave(task) }
        }
        finish(entry, isKept: (try? result.get()) != nil)
        return try result.get()
    }

    /// Those that are kept now, the one used last first.
    package func finished(where isWanted: (Key) -> Bool) async -> [Value] {
        var values: [Value] = []
        for entry in entries.reversed() where entry.isFinished && isWanted(entry.key) {
            if let value = try? await entry.task.value { values.append(value) }
        }
        return values
    }

    /// Makes values again when they are needed next.
    package func forget(where isStale: (Key) -> Bool) {
        entries.removeAll { $0.isFinished && isStale($0.key) }
        for index in entries.indices where isStale(entries[index].key) { entries[index].isStale = true }
    }

    /// Ends what is being made, and waits for that.
    package func stop() async {
        isStopped = true
        let tasks = entries.map(\.task)
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
    }

    /// What nobody waits for any more is not made.
    private func leave(_ task: Task<Value, any Error>) {
        guard let index = entries.firstIndex(where: { $0.task == task && !$0.isFinished }) else { return }
        entries[index].waiting -= 1
        guard entries[index].waiting <= 0 else { return }
        entries[index].isStale = true
        task.cancel()
    }

    private func finish(_ entry: Entry, isKept: Bool) {
        guard let index = entries.firstIndex(where: { $0.task == entry.task }) else { return }
        if isKept, !entries[index].isStale { entries[index].isFinished = true } else { entries.remove(at: index) }
        while entries.count(where: \.isFinished) > capacity, let oldest = entries.firstIndex(where: \.isFinished) {
            entries.remove(at: oldest)
        }
    }
}
