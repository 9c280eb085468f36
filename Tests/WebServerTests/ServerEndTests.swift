import Synchronization
import TestSupport
import Testing
import WebServer

/// The end of a server with clients that do not leave.
struct ServerEndTests {
    /// What clients still have open.
    private final class Clients: Sendable {
        let connections = Mutex<[RawConnection]>([])

        func open(_ port: Int) throws -> RawConnection {
            let connection = try RawConnection(port: port)
            connections.withLock { $0.append(connection) }
            return connection
        }
    }

    @Test(arguments: sampled(Array(0..<20), every: 4))
    func `a server ends at once, whatever its clients do`(run: Int) async throws {
        let site = Site { request in
            if request.path == "slow" { try await Task.sleep(for: .seconds(60)) }
            return Response(200, request.path)
        }
        let clients = Clients()
        let end = Mutex(ContinuousClock.now)
        let flood = Mutex<Task<Void, Never>?>(nil)
        try await RunningServer.run(site) { server async throws in
            let requests = [
                "", "GET /", "GET / HTTP/1.1\r\n\(server.fields)\r\n", "GET /slow HTTP/1.1\r\n\(server.fields)\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "hello\r\n\r\n",
                "POST / HTTP/1.1\r\n\(server.fields)Content-Length: 10\r\n\r\n01234",
                "POST / HTTP/1.1\r\n\(server.fields)Content-Length: 10000000\r\n\r\n01234",
            ]
            for request in requests {
                try await clients.open(server.port).send(request)
            }
            let port = server.port
            let more = Task {
                for _ in 0..<100 where (try? clients.open(port)) != nil { await Task.yield() }
            }
            flood.withLock { $0 = more }
            try await Task.sleep(for: .milliseconds(run))
            end.withLock { $0 = .now }
        }
        let time = ContinuousClock.now - end.withLock { $0 }
        #expect(time < .seconds(3), "\(time)")
        await flood.withLock { $0 }?.value
    }
}
