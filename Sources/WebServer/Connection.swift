import NIOCore
import NIOHTTP1

/// Answers the requests of one client, one after the other.
struct Connection: Sendable {
    /// What comes in. `ResponseSender` writes to the channel itself: NIO traps if a writer is lost, as that of a connection that is
    /// accepted while the server ends.
    typealias Parts = NIOAsyncChannel<HTTPServerRequestPart, Never>

    let parts: Parts
    /// The client's IP address.
    let client: String
    let site: Site
    let admission: any AdmissionPolicy
    let counts: ClientCounts
    let log: @Sendable (RequestRecord) -> Void
    let sender: ResponseSender

    static let noData = "This server takes no data."

    private var channel: any Channel { parts.channel }

    /// Serves until the client or the server closes the connection.
    func serve() async {
        let running = RunningAnswer()
        if site.isFunction { channel.closeFuture.whenComplete { _ in running.cancel() } }
        await withTaskCancellationHandler {
            _ = try? await parts.executeThenClose { inbound, _ in
                let reader = RequestReader(inbound, channel, sender.limits)
                while let head = await reader.head() {
                    guard await answer(head, reader, running) else { return }
                }
            }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    /// - Returns: whether the connection stays open.
    private func answer(
        _ head: HTTPRequestHead, _ reader: RequestReader, _ running: RunningAnswer
    ) async -> Bool {
        let hasData = Self.hasData(head)
        // Of data, only what a site wants is waited for.
        if !hasData { guard await reader.isAtEnd() else { return false } }
        if !counts.allowsRequest(client) {
            return await send(Response(429, "Too many requests; try again later."), to: nil, head, reader)
        }
        if hasData, !site.isFunction { return await send(Response(413, Self.noData), to: nil, head, reader) }
        switch admission.verdict(on: head) {
        case .entered(let response): return await send(response, to: nil, head, reader)
        case .refused(let refusal, let isWrongToken):
            // Those with the token are answered whatever else comes from their address.
            let isAllowed = !isWrongToken || counts.allowsGuess(client)
            let response = isAllowed ? refusal : Response(429, "Too many wrong addresses; try again in a minute.")
            return await send(response, to: nil, head, reader)
        case .admitted(let path):
            counts.noteAdmission(of: channel)
            let isKept: Bool
            switch await request(head, path, reader) {
            case .success(let request):
                isKept = await send(await answer(of: site, to: request, running), to: request, head, reader)
            case .failure(let refusal): isKept = await send(refusal.response, to: nil, head, reader)
            }
            // Otherwise, a client that is still sending might not see the answer.
            if !reader.isComplete { await reader.skip(for: ServerLimits.skippingTime) }
            return isKept
        }
    }

    /// What is given to the site, with its data.
    private func request(
        _ head: HTTPRequestHead, _ path: String, _ reader: RequestReader
    ) async -> Result<Request, RefusedRequest> {
        func refusal(_ status: Int, _ sentence: String) -> Result<Request, RefusedRequest> {
            .failure(RefusedRequest(response: site.refusal(status, sentence)))
        }
        guard let method = Request.Method(head.method) else {
            return refusal(405, "This server does not know this method.")
        }
        guard let query = site.isFunction ? RequestQuery.values(in: head.uri) : [:] else {
            return refusal(400, "The address of this request is malformed.")
        }
        var request = Request(method, path: path, query: query, client: client, fields: head.headers)
        guard site.isFunction, method.hasBody else {
            return Self.hasData(head) ? refusal(413, Self.noData) : .success(request)
        }
        do throws(RefusedRequest) {
            request.body = try await BodyReceiver(site: site, head: head, reader: reader, sender: sender).body(
                of: request)
            return .success(request)
        } catch {
            return .failure(error)
        }
    }

    private func answer(of site: Site, to request: Request, _ running: RunningAnswer) async -> Response {
        do {
            guard site.isFunction else { return try await site.answer(to: request) }
            return try await running.run { try await site.answer(to: request) }
        } catch {
            return site.refusal(500, "This cannot be given now.")
        }
    }

    /// - Returns: whether the connection stays open.
    private func send(
        _ response: Response, to request: Request?, _ head: HTTPRequestHead, _ reader: RequestReader
    ) async -> Bool {
        // After an upgrade, the decoder would keep all that comes.
        let isUpgrade = head.method == .CONNECT || head.headers.contains(name: "Upgrade")
        var isKept = head.isKeepAlive && reader.isComplete && response.status != 429 && !isUpgrade
        let sent = SentResponse(response, to: request, admission.fields)
        log(RequestRecord(head, admission.withoutToken(head.uri), of: client, status: sent.head.status.code))
        do {
            try await sender.send(sent, isHead: head.method == .HEAD, isKept: isKept, response.didSend)
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

    /// Whether data follows the header.
    private static func hasData(_ head: HTTPRequestHead) -> Bool {
        head.headers["Content-Length"].contains { $0 != "0" } || head.headers.contains(name: "Transfer-Encoding")
    }
}
