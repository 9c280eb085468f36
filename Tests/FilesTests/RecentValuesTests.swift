import Files
import Synchronization
import Testing

/// Values that are made when they are needed first.
struct RecentValuesTests {
    /// Makes numbers, as soon as it may.
    private final class Making: Sendable {
        private let state = Mutex((count: 0, isOpen: false))

        var count: Int { state.withLock { $0.count } }

        func open() { state.withLock { $0.isOpen = true } }

        func make() async throws -> Int {
            let number = state.withLock { state in
                state.count += 1
                return state.count
            }
            while !state.withLock({ $0.isOpen }) { try await Task.sleep(for: .milliseconds(2)) }
            return number
        }

        /// Waits until so many have been begun.
        func waitForBegin(of number: Int) async throws {
            for _ in 0..<5_000 where count < number { try await Task.sleep(for: .milliseconds(2)) }
            #expect(count == number)
        }
    }

    private let values = RecentValues<Int, Int>(2, TaskLimit(2))
    private let making = Making()

    private func value(_ key: Int = 0) -> Task<Int, any Error> {
        Task { [values, making] in try await values.value(key) { try await making.make() } }
    }

    @Test func `many who ask at once get one value`() async throws {
        let tasks = (0..<8).map { _ in value() }
        making.open()
        for task in tasks { #expect(try await task.value == 1) }
        #expect(try await value().value == 1)
        #expect(making.count == 1)
    }

    @Test func `work that nobody waits for is ended, and begins again for the next`() async throws {
        let first = value()
        try await making.waitForBegin(of: 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        making.open()
        #expect(try await value().value == 2)
    }

    @Test func `one who leaves does not end what another waits for`() async throws {
        let (first, second) = (value(), value())
        try await making.waitForBegin(of: 1)
        try await Task.sleep(for: .milliseconds(20))
        first.cancel()
        try await Task.sleep(for: .milliseconds(20))
        making.open()
        #expect(try await second.value == 1)
    }

    @Test func `what is forgotten while it is made is not kept`() async throws {
        let first = value()
        try await making.waitForBegin(of: 1)
        await values.forget { $0 == 0 }
        making.open()
        #expect(try await first.value == 1)
        #expect(try await value().value == 2)
    }

    @Test func `the values used last are kept`() async throws {
        making.open()
        for key in [0, 1, 0, 2] { _ = try await value(key).value }
        #expect(try await value(0).value == 1)
        #expect(await values.finished { _ in true } == [1, 3])
        #expect(try await value(1).value == 4)
    }

    @Test func `a failure is tried again`() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) { try await values.value(0) { throw Failure() } }
        making.open()
        #expect(try await value().value == 1)
    }
}
