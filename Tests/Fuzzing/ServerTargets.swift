import Bytes
import Files
import LivePhotoRequests
import LivePhotoStudio
import NIOCore
import NIOEmbedded
import NIOHTTP1
import WebServer

extension FuzzedReader {
    /// Requests as they come from a connection. `@@` is a secret of the address, as tokens are random.
    static let http = FuzzedReader(
        sources: [
            "WebServer/Admission.swift", "WebServer/WindowAdmission.swift", "WebServer/ServerOrigin.swift",
            "WebServer/Request.swift", "WebServer/RequestQuery.swift", "WebServer/ByteRanges.swift",
            "WebServer/Response.swift", "WebServer/ResponseBody.swift", "WebServer/AccessToken.swift",
            "WebServer/LaunchToken.swift",
        ],
        words: [
            "GET ", "HEAD ", "POST ", "PUT ", "OPTIONS ", " HTTP/1.1\r\n", " HTTP/1.0\r\n", "\r\n\r\n",
            "Host: 127.0.0.1:8080\r\n",
            "Origin: http://127.0.0.1:8080\r\n", "Range: bytes=", "If-Range: \"tag\"", "If-None-Match: ",
            "Cookie: livephoto-8080=@@",
            "Sec-Fetch-Site: same-origin\r\n", "Content-Length: ", "Transfer-Encoding: chunked\r\n", "/@@/", "%2F",
            "?a=1&b=", "*",
            "Expect: 100-continue\r\n", "Upgrade: h2c\r\n",
        ],
        samples: {
            [
                "GET /@@/ HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n",
                "GET /@@/all.pvt.zip?a=1&b=%20 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nRange: bytes=1-5\r\nIf-Range: \"tag\"\r\n\r\n",
                "HEAD /a HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nCookie: livephoto-8080=@@; a=b\r\nIf-None-Match: \"tag\"\r\n\r\n",
                "POST /api/jobs HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nOrigin: http://127.0.0.1:8080\r\nContent-Length: 2\r\n\r\n{}",
            ].map { Array($0.utf8) }
        },
        run: exerciseRequests)

    static let studioChoices = FuzzedReader(
        sources: ["LivePhotoStudio/Choice", "LivePhotoRequests/Options"],
        words: jsonWords + settingWords + [
            "\"settings\":", "\"stills\":", "\"flags\":", "\"no-audio\"", "\"name\":", "\"date\":",
        ],
        samples: {
            [
                #"{"preset":"modern","settings":{"still":"1.5","exposure":"0.5","crop":"0,0,100,100"},"flags":["no-audio"],"name":"a"}"#,
                #"{"stills":["1","2.5"],"date":"2025-01-31T11:06:47+09:00","settings":{"max-size":"640x480"}}"#,
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            guard let choice = try? JSON.decode(StudioChoice.self, from: bytes) else { return }
            _ = try? choice.adjustments()
            let commands = [
                try? choice.convertCommand("a.mp4", to: "out", studioPresets),
                try? choice.editCommand("a.JPG", to: "out"),
            ]
            for command in commands.compactMap(\.self) {
                Fuzzing.expect(!command.utf8.contains(0), "a command has a zero")
            }
            let requests = (try? choice.requests(of: "a.mp4", to: "out", studioPresets)) ?? []
            Fuzzing.expect(requests.count <= 12, "\(requests.count) conversions are asked for")
        })

    private static let studioPresets = StudioPresets(all: [.classic], first: "classic")
}

/// Takes requests apart as the server does, and makes the headers of the answers.
private func exerciseRequests(_ input: [UInt8]) {
    let shared = AccessToken()
    let admission = Admission(token: shared, host: "127.0.0.1", port: 8080, isSecure: false)
    let window = WindowAdmission(host: "127.0.0.1", port: 8080, isSecure: false, command: "livephoto studio")
    let launch = window.address.split(separator: "/").last.map(String.init) ?? ""
    for (token, verdict, withoutToken) in [
        (shared.text, admission.verdict, admission.withoutToken), (launch, window.verdict, window.withoutToken),
    ] {
        let parts = input.split(
            separator: [UInt8](repeating: UInt8(ascii: "@"), count: 2), omittingEmptySubsequences: false)
        for head in heads(Array(parts.joined(separator: Array(token.utf8)))) {
            _ = withoutToken(head.uri)
            _ = RequestQuery.values(in: head.uri)
            switch verdict(head) {
            case .entered(let response), .refused(let response, _): check(SentResponse(response, to: nil), of: head)
            case .admitted(let path):
                guard let method = Request.Method(rawValue: head.method.rawValue) else { continue }
                let query = RequestQuery.values(in: head.uri) ?? [:]
                let request = Request(method, path: path, query: query, client: "127.0.0.1", fields: head.headers)
                var response = Response(type: "image/jpeg", ResponseBody([UInt8](repeating: 7, count: 10)))
                (response.fileName, response.entityTag) = (path, "tag")
                check(SentResponse(response, to: request), of: head)
            }
        }
    }
}

/// The headers of the requests that a connection's bytes have, with the limits of the server.
private func heads(_ bytes: [UInt8]) -> [HTTPRequestHead] {
    let channel = EmbeddedChannel()
    var heads: [HTTPRequestHead] = []
    do {
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withErrorHandling: false, withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: ServerLimits().ofDecoder)
        for part in [bytes.prefix(bytes.count / 3), bytes.dropFirst(bytes.count / 3)] {
            try channel.writeInbound(ByteBuffer(bytes: part))
        }
    } catch {}
    while heads.count < 16, let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
        if case .head(let head) = part { heads.append(head) }
    }
    _ = try? channel.finish(acceptAlreadyClosed: true)
    return heads
}

/// A field of an answer ends where it should, and the length is that of what is sent.
private func check(_ sent: SentResponse, of head: HTTPRequestHead) {
    for (name, value) in sent.head.headers {
        Fuzzing.expect(
            !(name + value).utf8.contains { [0, 10, 13].contains($0) },
            "a field of the answer to \(head.uri) has a line end")
    }
    let length = sent.head.headers["Content-Length"].first.flatMap { Int($0) }
    if head.method != .HEAD, let length {
        Fuzzing.expect(length == sent.body.count, "an answer of \(sent.body.count) bytes announces \(length)")
    }
}
