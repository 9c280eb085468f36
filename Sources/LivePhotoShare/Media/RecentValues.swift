import Files

/// Values that are made when they are needed first, of which those used last are kept: making one takes time, and having all
/// takes memory and open files.
actor RecentValues<Value: Sendable> {
    private let capacity: Int
    private let limit: TaskLimit
    /// By keys, with the one used last at the end.
    private var tasks: [(key: Int, task: Task<Value, any Error>)] = []

    /// - Parameters:
    ///   - capacity: How many are kept.
    ///   - limit: How many are made at a time.
    init(_ capacity: Int, _ limit: TaskLimit) { (self.capacity, self.limit) = (capacity, limit) }

    /// - Throws: errors of `make`, which the next caller tries again.
    func value(_ key: Int, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task: Task<Value, any Error>
        if let index = tasks.firstIndex(where: { $0.key == key }) {
            task = tasks.remove(at: index).task
        } else {
            let limit = limit
            task = Task(executorPreference: BlockingExecutor.shared) {
                try await limit.run { await Result.of(make) }.get()
            }
        }
        tasks.append((key, task))
        if tasks.count > capacity { tasks.removeFirst() }
        do {
            return try await task.value
        } catch {
            tasks.removeAll { $0.key == key && $0.task == task }
            throw error
        }
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate static func of(_ body: @Sendable () async throws -> Success) async -> Self {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
