import Synchronization

/// Secrets in addresses that work once, for some minutes.
final class LaunchTokens: Sendable {
    enum Use {
        /// It was right, and is used up by this.
        case first
        /// It was right once: used, replaced by newer ones, or too old.
        case past
        case unknown
    }

    private struct State {
        /// The oldest first.
        var live: [(token: AccessToken, end: ContinuousClock.Instant)] = []
        var past: [AccessToken] = []
    }

    private let state = Mutex(State())
    private let lifetime: Duration

    /// More are replaced, the oldest first; of those that were valid, more are forgotten.
    private static let (mostLive, mostPast) = (4, 64)

    init(lifetime: Duration) { self.lifetime = lifetime }

    /// Another one, valid from now on.
    func new() -> AccessToken {
        let token = AccessToken()
        state.withLock { state in
            retire(&state, keeping: Self.mostLive - 1)
            state.live.append((token, .now + lifetime))
        }
        return token
    }

    /// Whether a text is a token, which then no longer is one.
    func use(_ text: some StringProtocol) -> Use {
        state.withLock { state in
            retire(&state, keeping: Self.mostLive)
            // All are compared, so that the time does not depend on which one it is.
            let places = state.live.indices.filter { state.live[$0].token.matches(text) }
            let wasValid = state.past.filter { $0.matches(text) }
            guard let place = places.first else { return wasValid.isEmpty ? .unknown : .past }
            state.past.append(state.live.remove(at: place).token)
            return .first
        }
    }

    /// Text without those tokens that can still be used.
    func removed(from text: String) -> String {
        state.withLock { $0.live.reduce(text) { $0.replacing($1.token.text, with: "…") } }
    }

    private func retire(_ state: inout State, keeping count: Int) {
        let now = ContinuousClock.now
        let valid = state.live.filter { now < $0.end }.suffix(count)
        let retired = state.live.filter { item in !valid.contains { $0.token.text == item.token.text } }
        state.past = (state.past + retired.map(\.token)).suffix(Self.mostPast)
        state.live = Array(valid)
    }
}
