import Synchronization

/// Counts what each client does, so that none takes everything.
final class ClientCounts: Sendable {
    private let limits: ServerLimits
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        var clients: [String: Client] = [:]
    }

    private struct Client {
        var connections = 0
        var requests = Window()
        var wrongTokens = Window()
    }

    /// A number since a moment.
    private struct Window {
        var start = ContinuousClock.now
        var count = 0

        mutating func add(for duration: Duration) -> Int {
            let now = ContinuousClock.now
            if now - start > duration { (start, count) = (now, 0) }
            count += 1
            return count
        }

        /// Whether it is more than that, and not older.
        func isOver(_ limit: Int, within duration: Duration) -> Bool {
            count > limit && ContinuousClock.now - start <= duration
        }
    }

    /// Addresses that are remembered after their last connection. IPv6 has as many as a client wants.
    private static let rememberedClients = 1024

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Whether another connection of this address is let in, which `end` must follow.
    func begin(_ address: String) -> Bool {
        state.withLock { state in
            guard state.connections < limits.connections else { return false }
            if state.clients[address] == nil, state.clients.count >= Self.rememberedClients {
                state.clients = state.clients.filter { $0.value.connections > 0 }
            }
            guard state.clients[address, default: Client()].connections < limits.connectionsOfAddress else {
                return false
            }
            state.connections += 1
            state.clients[address, default: Client()].connections += 1
            return true
        }
    }

    func end(_ address: String) {
        state.withLock { state in
            state.connections -= 1
            state.clients[address]?.connections -= 1
        }
    }

    /// Whether another request of this address is answered.
    func allowsRequest(_ address: String) -> Bool {
        state.withLock { state in
            let wrongTokens = state.clients[address]?.wrongTokens
            guard wrongTokens?.isOver(limits.wrongTokensEachMinute, within: .seconds(60)) != true else { return false }
            return (state.clients[address]?.requests.add(for: .seconds(1)) ?? 1) <= limits.requestsEachSecond
        }
    }

    func noteWrongToken(_ address: String) {
        state.withLock { _ = $0.clients[address]?.wrongTokens.add(for: .seconds(60)) }
    }
}
