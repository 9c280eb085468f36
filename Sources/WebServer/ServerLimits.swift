import NIOHTTP1

/// What clients may use of a server.
package struct ServerLimits: Sendable {
    /// Connections at a time. Each needs about 100 KB.
    package var connections = 128
    /// Connections at a time of one address. Browsers open six.
    package var connectionsOfAddress = 32
    /// The line of a request, or one field of its header, and all fields together, in bytes.
    package var headBytes = 16 << 10
    package var headFields = 64
    /// Until the header of the first request is complete, with the handshake of TLS.
    package var headTime = Duration.seconds(10)
    /// Until that of the next request on the same connection is.
    package var idleTime = Duration.seconds(20)
    /// Until a client has taken `pieceBytes`: 9 KB a second.
    package var pieceTime = Duration.seconds(30)
    /// Requests of one address in a second, and wrong tokens in a minute.
    package var requestsEachSecond = 100
    package var wrongTokensEachMinute = 20

    /// Bytes that are sent at a time.
    static let pieceBytes = 1 << 18

    package init() {}

    var ofDecoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (headBytes, headBytes)
        limits.maxHeaderFieldCount = headFields
        return limits
    }
}
