import Bytes

/// The result of a task. A class, because optimized code of Swift 6.3.1 corrupts large values in task groups.
private final class Ended<Value: Sendable>: Sendable {
    let index: Int
    let value: Value

    init(_ index: Int, _ value: Value) {
        (self.index, self.value) = (index, value)
    }
}

/// Processes elements concurrently, on threads that may block, and passes each result to `body` when it is there. After
/// cancellation or an error of `body`, no more work is started.
///
/// - Parameters:
///   - width: How many at a time; fewer where the limit of open files does not allow as many.
///   - mayStart: Whether the next element, which has this index, may be started; asked again after each result.
///   - body: Called with one result at a time, and its element's index.
/// - Throws: Errors of `body`.
package func concurrentForEachEnded<Element: Sendable, Result: Sendable>(
    _ elements: some RandomAccessCollection<Element>, width: Int, mayStart: (Int) -> Bool,
    work: @escaping @Sendable (Int, Element) async -> Result,
    body: (Int, Result) throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Ended<Result>.self) { group in
        var (next, running) = (0, 0)
        let width = OpenFiles.jobs(atMost: width)
        func start() {
            while running < width, next < elements.count, !Task.isCancelled, mayStart(next) {
                let (index, element) = (next, elements[elements.index(elements.startIndex, offsetBy: next)])
                group.addTask(executorPreference: BlockingExecutor.shared) {
                    Ended(index, await WorkInterruption.item { await work(index, element) })
                }
                next += 1
                running += 1
            }
        }
        start()
        while let ended = try await group.next() {
            running -= 1
            try body(ended.index, ended.value)
            start()
        }
    }
}

/// Processes elements concurrently, on threads that may block, and passes the results to `body` in order, as early as
/// possible. After cancellation or an error of `body`, no more work is started. While one element takes long, only so many
/// are started after it that their results, which may hold files open, stay few.
///
/// - Parameters:
///   - width: How many at a time; fewer where the limit of open files does not allow as many.
///   - body: Called with one result at a time.
/// - Throws: `CancellationError` if not all elements were processed; errors of `body`.
package func concurrentForEach<Element: Sendable, Result: Sendable>(
    _ elements: some RandomAccessCollection<Element>, width: Int, work: @escaping @Sendable (Element) async -> Result,
    body: (Result) throws -> Void
) async throws {
    var passed = 0
    var early: [Int: Result] = [:]
    let ahead = OpenFiles.jobs(atMost: width) * 4
    try await concurrentForEachEnded(elements, width: width) {
        $0 - passed < ahead
    } work: {
        await work($1)
    } body: { index, result in
        early[index] = result
        while let result = early.removeValue(forKey: passed) {
            passed += 1
            try body(result)
        }
    }
    guard passed == elements.count else { throw CancellationError() }
}

/// Processes elements concurrently and returns the results in order.
///
/// - Parameter progress: Called with the number of results after each.
/// - Throws: `CancellationError`.
package func concurrentMap<Element: Sendable, Result: Sendable>(
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
