package import NIOHTTP1

/// What clients may use of a server.
package struct ServerLimits: Sendable {
    /// Connections at a time. Each needs about 100 KB. If there are more, the oldest one that has not shown the token ends.
    package var connections = 128
    /// Connections at a time of one address. Browsers open six.
    package var connectionsOfAddress = 32
    /// The line of a request, or one field of its header, and all fields together, in bytes.
    package var headBytes = 16 << 10
    package var headFields = 64
    /// Until the header of the first request is complete, with the handshake of TLS.
    package var headTime = Duration.seconds(10)
    /// Until the header of the next request on the same connection is complete.
    package var idleTime = Duration.seconds(20)
    /// Until a client has taken a piece: 9 KB a second of a file, 1 KB of what is in memory, as encrypted files are. Also until a
    /// piece of its data has come.
    package var pieceTime = Duration.seconds(30)
    /// Requests of one address in a second, and wrong tokens in a minute.
    package var requestsEachSecond = 100
    package var wrongTokensEachMinute = 20

    /// Bytes that are sent at a time: by the system, and from memory.
    static let (pieceOfFile, pieceInMemory) = (1 << 18, 1 << 15)

    /// Of data that clients send, what must arrive within `pieceTime`: 2 KB a second.
    static let pieceReceived = 1 << 16
    /// How long data is dropped that a client sends after it was refused.
    static let skippingTime = Duration.seconds(5)

    package init() {}

    /// For browsers on this machine, all of which have one address.
    package static var local: ServerLimits {
        var limits = ServerLimits()
        limits.connections = 64
        // More than all: the oldest connection without the secret makes room, whoever has opened it.
        limits.connectionsOfAddress = 2 * limits.connections
        limits.requestsEachSecond = 400
        return limits
    }

    package var ofDecoder: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        (limits.maxHeaderFieldSize, limits.maxHeaderListSize) = (headBytes, headBytes)
        limits.maxHeaderFieldCount = headFields
        return limits
    }
}
