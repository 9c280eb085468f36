import NIOCore
import NIOHTTP1

/// Takes the requests of one client apart, and resets the connection if data that is awaited comes too slowly.
///
/// The time in which data is written does not count; as long as nothing is taken, NIO reads little more from the connection.
final class RequestReader {
    private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private let channel: any Channel
    private let limits: ServerLimits
    /// Until the present piece must be complete, and what is missing of it in bytes.
    private var timeLeft: Duration
    private var bytesLeft = ServerLimits.pieceReceived
    /// Whether the present request has been read to its end.
    private(set) var isComplete = true

    init(
        _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, _ channel: any Channel, _ limits: ServerLimits
    ) {
        parts = inbound.makeAsyncIterator()
        (self.channel, self.limits) = (channel, limits)
        timeLeft = limits.pieceTime
    }

    /// The header of the next request; nil if there is none. The one before must be complete.
    func head() async -> HTTPRequestHead? {
        // Its time is limited by the `RequestTimer`.
        guard isComplete, case .head(let head)? = try? await parts.next() else { return nil }
        isComplete = false
        (timeLeft, bytesLeft) = (limits.pieceTime, ServerLimits.pieceReceived)
        return head
    }

    /// Whether the request ends with its header.
    func isAtEnd() async -> Bool {
        _ = try? await data()
        return isComplete
    }

    /// The next data of the request; nil at its end.
    ///
    /// - Throws: `BodyFailure.incomplete`.
    func data() async throws(BodyFailure) -> ByteBuffer? {
        guard !isComplete else { return nil }
        let channel = channel
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(timeLeft)) { ResponseSender.reset(channel) }
        defer { deadline.cancel() }
        let start = ContinuousClock.now
        switch try? await parts.next() {
        case .body(let data)?:
            timeLeft -= .now - start
            bytesLeft -= data.readableBytes
            if bytesLeft <= 0 { (timeLeft, bytesLeft) = (limits.pieceTime, ServerLimits.pieceReceived) }
            return data
        case .end?:
            isComplete = true
            return nil
        case .head?, nil: throw .incomplete
        }
    }

    /// Drops data for so long, then closes the connection.
    func skip(for time: Duration) async {
        let channel = channel
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
        defer { deadline.cancel() }
        while (try? await data()) != nil {}
    }
}
