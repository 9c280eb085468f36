/// Lets a limited number of tasks do a kind of work at a time. The others wait in the order in which they came, without
/// occupying a thread.
package actor TaskLimit {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ count: Int) {
        free = max(count, 1)
    }

    package nonisolated func run<Result: Sendable>(_ work: @Sendable () async -> Result) async -> Result {
        await enter()
        let result = await work()
        await leave()
        return result
    }

    private func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        guard !waiting.isEmpty else {
            free += 1
            return
        }
        waiting.removeFirst().resume()
    }
}
