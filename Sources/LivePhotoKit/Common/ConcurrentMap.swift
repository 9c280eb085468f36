import Bytes

/// Processes elements concurrently, on threads that may block, and passes the results to `body` in order, as early as
/// possible. After cancellation or an error of `body`, no more work is started.
///
/// - Parameters:
///   - width: How many at a time; fewer where the limit of open files does not allow as many.
///   - body: Called with one result at a time.
/// - Throws: `CancellationError` if not all elements were processed; errors of `body`.
package func concurrentForEach<Element: Sendable, Result: Sendable>(
    _ elements: [Element], width: Int, work: @escaping @Sendable (Element) async -> Result,
    body: (Result) throws -> Void
) async throws {
    var passed = 0
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        var next = 0
        func add() {
            guard next < elements.count, !Task.isCancelled else { return }
            let (index, element) = (next, elements[next])
            next += 1
            group.addTask(executorPreference: BlockingExecutor.shared) {
                (index, await WorkInterruption.item { await work(element) })
            }
        }
        for _ in 0..<OpenFiles.jobs(atMost: width) { add() }
        var early: [Int: Result] = [:]
        while let (index, result) = try await group.next() {
            early[index] = result
            while let result = early.removeValue(forKey: passed) {
                passed += 1
                try body(result)
            }
            add()
        }
    }
    guard passed == elements.count else { throw CancellationError() }
}

/// Processes elements concurrently and returns the results in order.
///
/// - Parameter progress: Called with the number of results after each.
/// - Throws: `CancellationError`.
func concurrentMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element], width: Int, progress: (Int) -> Void = { _ in },
    work: @escaping @Sendable (Element) async -> Result
) async throws -> [Result] {
    var results: [Result] = []
    try await concurrentForEach(elements, width: width, work: work) { result in
        results.append(result)
        progress(results.count)
    }
    return results
}
