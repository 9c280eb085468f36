import Testing
import WebServer

/// A server for a window, as browsers and other programs on the machine find it.
struct WindowServerTests {
    private static let site = Site { request in
        Response(200, "\(request.method.rawValue) \(request.path) \(request.query)")
    }

    @Test func `an address works once, then says so, and leads a window that has the cookie on`() async throws {
        try await RunningServer.run(Self.site, isLaunched: false) { server async throws in
            let first = try await server.launch(server.server.address)
            #expect(first?.status == 303)
            #expect(first?.fields["Location"] == "/")
            let cookie = try #require(first?.fields["Set-Cookie"]?.split(separator: ";").first)
            let second = try await server.launch(server.server.address)
            #expect(second?.status == 403)
            #expect(second?.body.contains("was opened already") == true)
            #expect(second?.body.contains("start command again") == true)
            let third = try await server.launch(server.server.address, "Cookie: \(cookie)\r\n")
            #expect(third?.status == 303)
            #expect(third?.fields["Set-Cookie"] == nil)
            #expect(try await server.launch(server.origin + "/", "Cookie: \(cookie)\r\n")?.body == "GET  [:]\n")
        }
    }

    @Test func `a log shows no address that works`() async throws {
        try await RunningServer.run(Self.site, isLaunched: false) { server async throws in
            _ = try await server.launch(server.server.address + "x")
            #expect(server.records.map(\.path) == ["/…/x"])
        }
    }

    @Test func `every response forbids frames and other windows`() async throws {
        try await RunningServer.run(Self.site) { server async throws in
            for (path, status) in [("/", 200), ("/?%", 400)] {
                let response = try await server.response("GET", path)
                #expect(response?.status == status)
                #expect(response?.fields["X-Frame-Options"] == "DENY")
                #expect(response?.fields["Cross-Origin-Opener-Policy"] == "same-origin")
            }
            #expect(try await server.launch(server.origin + "/")?.fields["X-Frame-Options"] == "DENY")
        }
    }

    @Test func `a site gets the method, the path and the query`() async throws {
        try await RunningServer.run(Self.site) { server async throws in
            #expect(try await server.response("GET", "/a/b%20c?d=e%20f")?.body == "GET a/b%20c [\"d\": \"e f\"]\n")
            #expect(try await server.response("DELETE", "/a")?.body == "DELETE a [:]\n")
            #expect(try await server.response("POST", "/a", "Content-Length: 0\r\n\r\n")?.body == "POST a [:]\n")
            #expect(try await server.response("PATCH", "/a")?.status == 405)
        }
    }

    @Test func `an answer is cancelled when its client leaves`() async throws {
        let (begun, cancelled) = (Count(), Count())
        let site = Site { _ in
            begun.add()
            do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.add() }
            return Response(200, "late")
        }
        try await RunningServer.run(site) { server async throws in
            for leave in [{ $0.end() }, { $0.reset() }] as [@Sendable (RawConnection) -> Void] {
                let connection = try RawConnection(port: server.port)
                try await connection.send("GET / HTTP/1.1\r\n\(server.fields)\r\n")
                let count = cancelled.value
                #expect(try await begun.reaches(count + 1))
                leave(connection)
                #expect(try await cancelled.reaches(count + 1))
            }
        }
    }

    @Test func `many connections keep no window out and are not all kept`() async throws {
        try await RunningServer.run(Self.site) { server async throws in
            var connections: [RawConnection] = []
            for _ in 0..<200 { connections.append(try RawConnection(port: server.port)) }
            #expect(try await server.response("GET", "/")?.status == 200)
            // Some wait until they are accepted.
            let end = ContinuousClock.now + .seconds(5)
            while ContinuousClock.now < end, connections.filter({ !$0.isClosed }).count > ServerLimits.local.connections
            {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(connections.filter { !$0.isClosed }.count <= ServerLimits.local.connections)
            #expect(try await server.response("GET", "/")?.status == 200)
        }
    }

    @Test func `a connection ends with a request to upgrade it`() async throws {
        try await RunningServer.run(Self.site) { server async throws in
            let response = try await server.response("GET", "/", "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
            #expect(response?.status == 200)
            #expect(response?.fields["Connection"] == "close")
        }
    }

    @Test func `a shared list takes no data, whatever the query`() async throws {
        let site = Site(["": { _ in Response(200, "first") }])
        try await RunningServer.run(site, access: .shared) { server async throws in
            #expect(try await server.response("GET", "/?%zz")?.body == "first\n")
            #expect(try await server.response("POST", "/")?.status == 405)
            #expect(try await server.response("GET", "/", "Content-Length: 1\r\n\r\nx")?.status == 413)
            #expect(try await server.response("GET", "/")?.fields["X-Frame-Options"] == nil)
        }
    }
}
