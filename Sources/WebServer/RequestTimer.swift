import NIOCore
import NIOHTTP1

/// Closes a connection that sends no complete header in time, and answers what is no HTTP. Sits behind the decoder. The time of data
/// that follows a header is limited by the `RequestReader`.
final class RequestTimer: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: ServerLimits
    private var deadline: Scheduled<Void>?
    private var isAnswering = false
    /// Whether a response has said that no other one follows.
    private var isLast = false

    init(_ limits: ServerLimits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) { expectHead(within: limits.headTime, context) }

    func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head = unwrapInboundIn(data) {
            deadline?.cancel()
            isAnswering = true
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): isLast = head.headers["Connection"].contains("close")
        case .body: break
        case .end:
            isAnswering = false
            expectHead(within: limits.idleTime, context)
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, !isAnswering, !isLast {
            isAnswering = true
            let text = "This is no request that this server understands."
            var head = SentResponse(Response(400, text), to: nil).head
            head.headers.add(name: "Connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let body = context.channel.allocator.buffer(string: text + "\n")
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.write(wrapOutboundOut(.end(nil)), promise: nil)
            context.flush()
        }
        context.close(promise: nil)
    }

    private func expectHead(within time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    }
}
