/// Works on every element, a few at a time, on threads that may block, and gives the results in the elements' order, each as soon as those before it
/// are there. Once the task is cancelled nothing more is begun; what was begun is finished and given.
///
/// - Parameters:
///   - width: how many at a time.
///   - body: called with each result, one after the other.
/// - Throws: `CancellationError` where something is left; what `body` throws, after which nothing more is begun.
package func concurrentForEach<Element: Sendable, Result: Sendable>(
    _ elements: [Element], width: Int, work: @escaping @Sendable (Element) async -> Result,
    body: (Result) throws -> Void
) async throws {
    var given = 0
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        var next = 0
        func add() {
            guard next < elements.count, !Task.isCancelled else { return }
            let (index, element) = (next, elements[next])
            next += 1
            group.addTask(executorPreference: BlockingExecutor.shared) { (index, await work(element)) }
        }
        for _ in 0..<max(width, 1) { add() }
        var early: [Int: Result] = [:]
        while let (index, result) = try await group.next() {
            early[index] = result
            while let result = early.removeValue(forKey: given) {
                given += 1
                try body(result)
            }
            add()
        }
    }
    guard given == elements.count else { throw CancellationError() }
}

/// The results of working on every element, in the elements' order.
///
/// - Parameter progress: called with the number of those that are done, after each.
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
