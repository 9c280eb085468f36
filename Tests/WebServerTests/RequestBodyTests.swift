import Testing
import WebServer

/// Data that is kept in memory.
struct RequestBodyTests {
    /// A site that takes ten bytes and answers with them.
    private static func site(_ answers: Count) -> Site {
        Site(accept: { request in request.path == "closed" ? .refused(Response(409, "no")) : .bytes(limit: 10) }) {
            request in
            answers.add()
            guard case .bytes(let bytes) = request.body else { return Response(200, "none") }
            return Response(200, "got \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    private struct Case {
        var method = "POST"
        var path = "/"
        /// Fields and data.
        let rest: String
        let status: Int?
        var body: String?
    }

    private static let cases: [Case] = [
        Case(rest: "Content-Length: 10\r\n\r\n0123456789", status: 200, body: "got 0123456789\n"),
        Case(method: "PUT", rest: "Content-Length: 1\r\n\r\n0", status: 200, body: "got 0\n"),
        Case(rest: "Content-Length: 0\r\n\r\n", status: 200, body: "got \n"),
        Case(rest: "\r\n", status: 200, body: "got \n"),
        Case(rest: "Content-Length: 00005\r\n\r\n01234", status: 200, body: "got 01234\n"),
        Case(
            rest: "Transfer-Encoding: chunked\r\n\r\n4\r\n0123\r\n6;a=b\r\n456789\r\n0\r\n\r\n", status: 200,
            body: "got 0123456789\n"),
        Case(rest: "Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n", status: 200, body: "got \n"),
        Case(method: "GET", rest: "\r\n", status: 200, body: "none\n"),
        Case(method: "DELETE", rest: "Content-Length: 0\r\n\r\n", status: 200, body: "none\n"),
        // Too large.
        Case(rest: "Content-Length: 11\r\n\r\n0123456789a", status: 413),
        Case(rest: "Content-Length: 11\r\n\r\n", status: 413),
        Case(rest: "Transfer-Encoding: chunked\r\n\r\nb\r\n0123456789a\r\n0\r\n\r\n", status: 413),
        Case(rest: "Content-Length: 9223372036854775807\r\n\r\n", status: 413),
        // Not taken.
        Case(method: "GET", rest: "Content-Length: 1\r\n\r\n0", status: 413),
        Case(method: "HEAD", rest: "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 413),
        Case(method: "DELETE", rest: "Content-Length: 1\r\n\r\n0", status: 413),
        Case(path: "/closed", rest: "Content-Length: 1\r\n\r\n0", status: 409),
        Case(rest: "Expect: miracles\r\nContent-Length: 1\r\n\r\n0", status: 417),
        // Understood in two ways.
        Case(rest: "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 400),
        Case(rest: "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", status: 400),
        Case(rest: "Content-Length: 5\r\nContent-Length: 5\r\n\r\n01234", status: 400),
        Case(rest: "Content-Length: 5\r\nContent-Length: 6\r\n\r\n01234", status: 400),
        Case(rest: "Content-Length: 5, 5\r\n\r\n01234", status: 400),
        Case(rest: "Content-Length: +5\r\n\r\n01234", status: 400),
        Case(rest: "Content-Length: -5\r\n\r\n01234", status: 400),
        Case(rest: "Content-Length: 0x5\r\n\r\n01234", status: 400),
        Case(rest: "Content-Length: 5 5\r\n\r\n01234", status: 400),
        Case(rest: "Content-Length: 99999999999999999999\r\n\r\n", status: 400),
        Case(rest: "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", status: 400),
        Case(rest: "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", status: 400),
        Case(rest: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 400),
        Case(rest: "Transfer-Encoding: identity\r\n\r\n01234", status: nil),
        Case(rest: "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", status: nil),
        Case(rest: "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", status: 400),
        // Broken within: there is no answer, or a refusal.
        Case(rest: "Transfer-Encoding: chunked\r\n\r\nz\r\n0\r\n0\r\n\r\n", status: nil),
        Case(rest: "Transfer-Encoding: chunked\r\n\r\n-1\r\n0\r\n0\r\n\r\n", status: nil),
        Case(rest: "Transfer-Encoding: chunked\r\n\r\n11111111111111111\r\n0\r\n0\r\n\r\n", status: nil),
        Case(rest: "Transfer-Encoding: chunked\r\n\r\n2\r\n0123\r\n0\r\n\r\n", status: nil),
    ]

    @Test func `data arrives completely, or is refused, and nothing of it becomes a request`() async throws {
        let answers = Count()
        try await RunningServer.run(Self.site(answers)) { server async throws in
            for item in Self.cases {
                let count = answers.value
                let connection = try RawConnection(port: server.port)
                // What comes after it must not be answered if it was refused.
                let next = "GET /next HTTP/1.1\r\n\(server.fields)\r\n"
                try await connection.send("\(item.method) \(item.path) HTTP/1.1\r\n\(server.fields)\(item.rest)")
                if item.status == 200 {
                    let response = try await connection.response()
                    #expect(response?.status == 200 && response?.body == item.body, "\(item)")
                    try await connection.send(next)
                    #expect(try await connection.response()?.body == "none\n", "\(item)")
                } else {
                    // It may have been closed.
                    try? await connection.send(next)
                    let text = try await connection.rest()
                    #expect(text.split(separator: "HTTP/1.1 ").count <= 1, "\(item): \(text)")
                    if let status = item.status { #expect(text.hasPrefix("HTTP/1.1 \(status) "), "\(item): \(text)") }
                    #expect(answers.value == count, "\(item)")
                }
            }
        }
    }

    @Test func `an old client's chunks are refused`() async throws {
        try await RunningServer.run(Self.site(Count())) { server async throws in
            let rest = "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
            let response = try await server.response("POST / HTTP/1.0\r\n\(server.fields)\(rest)")
            #expect(response?.status == 400)
        }
    }

    @Test func `a client that asks first is told to go on, or gets the refusal at once`() async throws {
        try await RunningServer.run(Self.site(Count())) { server async throws in
            let connection = try RawConnection(port: server.port)
            let head = "POST / HTTP/1.1\r\n\(server.fields)Expect: 100-continue\r\n"
            try await connection.send(head + "Content-Length: 5\r\n\r\n")
            #expect(try await connection.response()?.status == 100)
            try await connection.send("01234")
            #expect(try await connection.response()?.body == "got 01234\n")
            try await connection.send(head + "Content-Length: 11\r\n\r\n")
            let refusal = try await connection.response()
            #expect(refusal?.status == 413)
            #expect(refusal?.fields["Connection"] == "close")
        }
    }

    @Test func `data without its end is not answered`() async throws {
        let answers = Count()
        try await RunningServer.run(Self.site(answers)) { server async throws in
            for rest in ["Content-Length: 10\r\n\r\n01234", "Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n"] {
                let connection = try RawConnection(port: server.port)
                try await connection.send("POST / HTTP/1.1\r\n\(server.fields)\(rest)")
                connection.end()
                #expect(try await !connection.rest().contains("200 OK"))
            }
        }
        #expect(answers.value == 0)
    }

    @Test func `data that comes too slowly ends the connection`() async throws {
        let answers = Count()
        var limits = ServerLimits.local
        limits.pieceTime = .seconds(2)
        try await RunningServer.run(Self.site(answers), limits: limits) { server async throws in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST / HTTP/1.1\r\n\(server.fields)Content-Length: 10\r\n\r\n")
            let start = ContinuousClock.now
            // Each byte comes soon after the one before.
            while ContinuousClock.now - start < .seconds(20), (try? await connection.send("0")) != nil,
                !connection.isClosed
            {
                try await Task.sleep(for: .milliseconds(500))
            }
            #expect(connection.isClosed)
            #expect(ContinuousClock.now - start < .seconds(10))
        }
        #expect(answers.value == 0)
    }
}
