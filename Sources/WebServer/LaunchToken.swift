import Synchronization

/// A secret in an address that works once.
final class LaunchToken: Sendable {
    enum Use {
        /// It is right, and is used up by this.
        case first
        case later
        case wrong
    }

    private let token = AccessToken()
    private let isUsed = Mutex(false)

    var text: String { token.text }

    /// Whether a text is the token, and for the first time.
    func use(_ text: some StringProtocol) -> Use {
        guard token.matches(text) else { return .wrong }
        return isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed ? .later : .first
        }
    }
}
