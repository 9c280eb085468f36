import NIOCore

/// Encrypts a connection: all handlers behind this one see plain bytes.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private let session: TLSSession

    init(_ session: TLSSession) { self.session = session }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do {
            let answer = try session.receive(unwrapInboundIn(data).readableBytesView)
            sendOutput(context)
            switch answer {
            case .bytes(let bytes):
                guard !bytes.isEmpty else { return }
                context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: bytes)))
            case .closed: context.close(promise: nil)
            }
        } catch {
            // The alert.
            sendOutput(context)
            context.close(promise: nil)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        do {
            guard case .byteBuffer(let buffer) = unwrapOutboundIn(data) else { throw ChannelError.operationUnsupported }
            try buffer.withUnsafeReadableBytes { try session.send($0) }
            let output = context.channel.allocator.buffer(bytes: session.takeOutput())
            context.write(wrapOutboundOut(.byteBuffer(output)), promise: promise)
        } catch {
            promise?.fail(error)
            context.close(promise: nil)
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        session.end()
        sendOutput(context)
        context.close(mode: mode, promise: promise)
    }

    private func sendOutput(_ context: ChannelHandlerContext) {
        let output = session.takeOutput()
        guard !output.isEmpty else { return }
        context.writeAndFlush(
            wrapOutboundOut(.byteBuffer(context.channel.allocator.buffer(bytes: output))), promise: nil)
    }
}
