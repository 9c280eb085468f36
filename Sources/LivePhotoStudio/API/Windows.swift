import Synchronization

/// The windows that show the studio. A page tells when it is closed, if it can; otherwise it stops asking.
final class Windows: Sendable {
    private struct State {
        var lastSeen: [String: ContinuousClock.Instant] = [:]
        /// When the last one was closed; nil while one is open, and before the first.
        var emptySince: ContinuousClock.Instant?
    }

    private let state = Mutex(State())
    /// Browsers let pages in the background work once a minute.
    private static let silence = Duration.seconds(180)
    private static let most = 64

    func note(_ window: String) {
        state.withLock { state in
            guard state.lastSeen[window] != nil || state.lastSeen.count < Self.most else { return }
            state.lastSeen[window] = .now
            state.emptySince = nil
        }
    }

    func close(_ window: String) {
        state.withLock { state in
            guard state.lastSeen.removeValue(forKey: window) != nil, state.lastSeen.isEmpty else { return }
            state.emptySince = .now
        }
    }

    /// Whether no window has been open for so long, after there was one.
    func areClosed(for time: Duration) -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            if !state.lastSeen.isEmpty {
                state.lastSeen = state.lastSeen.filter { now - $0.value < Self.silence }
                if state.lastSeen.isEmpty { state.emptySince = now }
            }
            return state.emptySince.map { now - $0 >= time } ?? false
        }
    }
}
