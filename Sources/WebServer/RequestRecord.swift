import NIOHTTP1

/// A request and its answer, for a log. What the client wrote is untrusted.
package struct RequestRecord: Sendable {
    package let client: String
    package let method: String
    package let path: String
    package let status: UInt
    package let userAgent: String

    /// Longer texts are cut.
    private static let textLimit = 200

    /// - Parameter path: without a token, which is a secret.
    init(_ head: HTTPRequestHead, _ path: String, of client: String, status: UInt) {
        (self.client, self.status) = (client, status)
        method = String(head.method.rawValue.prefix(Self.textLimit))
        self.path = String(path.prefix(Self.textLimit))
        userAgent = String((head.headers.first(name: "User-Agent") ?? "").prefix(Self.textLimit))
    }
}
