/// Works on every element, a few at a time; the results come in the elements' order.
///
/// - Parameters:
///   - width: how many at a time.
///   - progress: called with the number of those that are done, after each.
func concurrentMap<Element: Sendable, Result: Sendable>(
    _ elements: [Element], width: Int, progress: @Sendable (Int) -> Void = { _ in },
    work: @escaping @Sendable (Element) -> Result
) async throws -> [Result] {
    var results = [Result?](repeating: nil, count: elements.count)
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        var next = 0
        func add() {
            guard next < elements.count else { return }
            let (index, element) = (next, elements[next])
            next += 1
            group.addTask {
                try Task.checkCancellation()
                return (index, work(element))
            }
        }
        for _ in 0..<max(width, 1) { add() }
        var done = 0
        while let (index, result) = try await group.next() {
            results[index] = result
            done += 1
            progress(done)
            add()
        }
    }
    return results.compactMap(\.self)
}
