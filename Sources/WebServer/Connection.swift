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

/// Answers the requests of one client, one after the other.
struct Connection: Sendable {
    typealias Parts = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let parts: Parts
    /// The client's IP address.
    let client: String
    let site: Site
    let admission: Admission
    let limits: ServerLimits
    let counts: ClientCounts
    let log: @Sendable (RequestRecord) -> Void
    /// Whether the system may send files by itself: not if they are encrypted here.
    let sendsFiles: Bool

    private var channel: any Channel { parts.channel }

    /// Serves until the client or the server closes the connection.
    func serve() async {
        await withTaskCancellationHandler {
            _ = try? await parts.executeThenClose { inbound, _ in
                var head: HTTPRequestHead?
                for try await part in inbound {
                    switch part {
                    case .head(let new):
                        // What follows is not waited for.
                        guard !Self.hasBody(new) else { return _ = try await answer(new) }
                        head = new
                    case .body: return
                    case .end:
                        guard let request = head else { return }
                        head = nil
                        guard try await answer(request) else { return }
                    }
                }
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    /// - Returns: whether the connection stays open.
    private func answer(_ head: HTTPRequestHead) async throws -> Bool {
        var request: Request?
        let response: Response
        let hasBody = Self.hasBody(head)
        if !counts.allowsRequest(client) {
            response = Response(429, "Too many requests; try again later.")
        } else if hasBody {
            response = Response(413, "This server takes no data.")
        } else {
            switch admission.verdict(on: head) {
            case .entered(let redirection): response = redirection
            case .refused(let refusal, let isWrongToken):
                // Those with the token are answered whatever else comes from their address.
                let isAllowed = !isWrongToken || counts.allowsGuess(client)
                response = isAllowed ? refusal : Response(429, "Too many wrong addresses; try again in a minute.")
            case .admitted(let path):
                counts.noteAdmission(of: channel)
                let admitted = Request(path: path, client: client, isHead: head.method == .HEAD, fields: head.headers)
                request = admitted
                response = await answer(of: site, to: admitted)
            }
        }
        var isKept = head.isKeepAlive && !hasBody && response.status != 429
        let sent = SentResponse(response, to: request)
        log(
            RequestRecord(
                head, admission.withoutToken(head.uri), of: client, status: sent.head.status.code))
        do {
            try await send(sent, isHead: head.method == .HEAD, isKept: isKept, response.didSend)
        } catch let failure as ReadingFailure {
            response.didFail?(failure.cause)
            isKept = false
        } catch {
            // The length was promised, so only closing tells the client that something is missing.
            isKept = false
        }
        response.didSend?(nil)
        return isKept
    }

    /// Whether data follows the header, which nothing here takes.
    private static func hasBody(_ head: HTTPRequestHead) -> Bool {
        head.headers["Content-Length"].contains { $0 != "0" } || head.headers.contains(name: "Transfer-Encoding")
    }

    private func answer(of site: Site, to request: Request) async -> Response {
        do {
            return try await site.answer(to: request)
        } catch {
            return Response(500, "This cannot be given now.")
        }
    }

    private func send(
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
    private static func reset(_ channel: any Channel) {
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
private struct ReadingFailure: Error {
    let cause: any Error
}

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
