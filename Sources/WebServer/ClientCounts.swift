import NIOCore
import Synchronization

/// Counts what each client does, so that none takes everything.
final class ClientCounts: Sendable {
    private let limits: ServerLimits
    private let state = Mutex(State())

    private struct State {
        var connections = 0
        var clients: [String: Client] = [:]
        /// Connections that have not shown the token, the oldest first.
        var unproven: [any Channel] = []
    }

    private struct Client {
        var connections = 0
        var requests = Window()
        var guesses = Window()
    }

    /// A number of events since the first one of a period.
    private struct Window {
        private var start = ContinuousClock.now
        private var count = 0

        /// Counts one more.
        ///
        /// - Returns: whether there are at most so many.
        mutating func allows(_ limit: Int, within duration: Duration) -> Bool {
            let now = ContinuousClock.now
            if count == 0 || now - start > duration { (start, count) = (now, 0) }
            count += 1
            return count <= limit
        }
    }

    /// Addresses that are remembered after their last connection. IPv6 has as many as a client wants.
    private static let rememberedClients = 1024

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Whether another connection of this address is accepted, which `end` must follow.
    func begin(_ channel: any Channel, of address: String) -> Bool {
        let (isAccepted, replaced) = state.withLock { state -> (Bool, (any Channel)?) in
            if state.clients[address] == nil, state.clients.count >= Self.rememberedClients {
                state.clients = state.clients.filter { $0.value.connections > 0 }
            }
            guard state.clients[address, default: Client()].connections < limits.connectionsOfAddress else {
                return (false, nil)
            }
            var replaced: (any Channel)?
            if state.connections >= limits.connections {
                guard !state.unproven.isEmpty else { return (false, nil) }
                replaced = state.unproven.removeFirst()
            }
            state.connections += 1
            state.clients[address, default: Client()].connections += 1
            state.unproven.append(channel)
            return (true, replaced)
        }
        replaced?.close(promise: nil)
        return isAccepted
    }

    func end(_ channel: any Channel, of address: String) {
        state.withLock { state in
            state.connections -= 1
            state.clients[address]?.connections -= 1
            state.unproven.removeAll { $0 === channel }
        }
    }

    /// Notes that a connection has shown the token.
    func noteAdmission(of channel: any Channel) { state.withLock { $0.unproven.removeAll { $0 === channel } } }

    /// Whether another request of this address is answered.
    func allowsRequest(_ address: String) -> Bool {
        state.withLock {
            $0.clients[address]?.requests.allows(limits.requestsEachSecond, within: .seconds(1)) ?? true
        }
    }

    /// Whether another wrong token of this address is answered as one.
    func allowsGuess(_ address: String) -> Bool {
        state.withLock {
            $0.clients[address]?.guesses.allows(limits.wrongTokensEachMinute, within: .seconds(60)) ?? true
        }
    }
}
