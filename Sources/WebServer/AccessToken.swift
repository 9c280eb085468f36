import Digests

/// The secret in an address; requests without it are refused.
package struct AccessToken: Sendable {
    /// 22 letters and digits, about 131 bits.
    package let text: String
    private let digest: [UInt8]

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")

    /// The length of a token in characters.
    static let length = 22

    /// A random one.
    package init() {
        // On Linux, getrandom(2).
        var generator = SystemRandomNumberGenerator()
        text = String((0..<Self.length).map { _ in Self.alphabet.randomElement(using: &generator) ?? "-" })
        digest = Digest.sha256(Array(text.utf8))
    }

    /// Whether a text is the token. The time does not depend on where they differ, nor on the text's length beyond that of its
    /// digest.
    func matches(_ text: some StringProtocol) -> Bool {
        MessageCode.areEqual(Digest.sha256(Array(text.utf8)), digest)
    }
}
