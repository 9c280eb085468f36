import Bytes
import Files
import NIOCore
import NIOHTTP1
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Sends the responses to one client, and gives up on one that does not take them.
struct ResponseSender: Sendable {
    let channel: any Channel
    let limits: ServerLimits
    /// Whether the system may send files by itself: not if they are encrypted here.
    let sendsFiles: Bool

    /// Asks for the data of a request, for which its client waits.
    func sendContinue() async throws {
        try await flush(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
    }

    /// - Throws: `ReadingFailure`, and errors of the connection.
    func send(
        _ response: SentResponse, isHead: Bool, isKept: Bool, _ didSend: (@Sendable (Range<Int>) -> Void)?
    ) async throws {
        var head = response.head
        head.headers.add(name: "Connection", value: isKept ? "keep-alive" : "close")
        // At once: the first part may have to be made.
        try await flush(.head(head))
        var place = response.offset
        if !isHead {
            for part in response.body.parts {
                try await send(part) { count in
                    didSend?(place..<place + count)
                    place += count
                }
            }
        }
        try await flush(.end(nil))
    }

    private func send(_ part: ResponseBody.Part, _ didSend: (Int) -> Void) async throws {
        switch part.content {
        case .bytes(let bytes): try await send(bytes, part.range, didSend)
        case .made(let make): try await send(blocking(make), part.range, didSend)
        case .file(let open):
            let file = try await blocking(open)
            guard part.range.upperBound <= file.size else { throw ReadingFailure(cause: FileChanged(path: file.path)) }
            if sendsFiles {
                try await send(part.range, of: file, didSend)
                return try await blocking { try file.checkUnchanged() }
            }
            for piece in Self.pieces(of: part.range, ServerLimits.pieceInMemory) {
                let bytes = try await blocking { try file.bytes(at: piece.lowerBound, count: piece.count) }
                guard bytes.count == piece.count else { throw FileChanged(path: file.path) }
                try await send(bytes, 0..<bytes.count, didSend)
            }
            try await blocking { try file.checkUnchanged() }
        }
    }

    private func send(_ bytes: [UInt8], _ range: Range<Int>, _ didSend: (Int) -> Void) async throws {
        guard range.upperBound <= bytes.count else {
            throw ParseError(.truncated, in: "body", at: bytes.count, expected: "\(range.upperBound) bytes")
        }
        for piece in Self.pieces(of: range, ServerLimits.pieceInMemory) {
            try await flush(.body(.byteBuffer(channel.allocator.buffer(bytes: bytes[piece]))))
            didSend(piece.count)
        }
    }

    /// Lets the system copy the file to the connection: sendfile(2).
    private func send(_ range: Range<Int>, of file: InputFile, _ didSend: (Int) -> Void) async throws {
        let copy = try file.descriptor.duplicate()
        let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: copy.rawValue)
        defer { try? handle.close() }
        for piece in Self.pieces(of: file.offsets(of: range), ServerLimits.pieceOfFile) {
            let region = FileRegion(fileHandle: handle, readerIndex: piece.lowerBound, endIndex: piece.upperBound)
            try await flush(.body(.fileRegion(region)))
            didSend(piece.count)
        }
    }

    private static func pieces(of range: Range<Int>, _ size: Int) -> some Sequence<Range<Int>> {
        // Lazily: a large file has many.
        stride(from: range.lowerBound, to: range.upperBound, by: size).lazy.map {
            $0..<min($0 + size, range.upperBound)
        }
    }

    /// Waits until the client has taken this part, for so long.
    private func flush(_ part: HTTPServerResponsePart) async throws {
        let channel = channel
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limits.pieceTime)) { Self.reset(channel) }
        defer { deadline.cancel() }
        try await channel.writeAndFlush(part).get()
    }

    /// Closes a connection without waiting until the client has taken what the system still has for it.
    static func reset(_ channel: any Channel) {
        let setting = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        (setting ?? channel.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in channel.close(promise: nil) }
    }

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        do {
            return try await withTaskExecutorPreference(BlockingExecutor.shared) { try body() }
        } catch {
            throw ReadingFailure(cause: error)
        }
    }
}

/// What is to be sent cannot be read.
struct ReadingFailure: Error {
    let cause: any Error
}
