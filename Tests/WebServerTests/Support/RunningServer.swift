import Synchronization
import WebServer

/// A server for one test, on a port of its own.
final class RunningServer: Sendable {
    let server: WebServer
    /// The fields that a page of the server sends with every request, each with the end of its line.
    let fields: String
    private let log: Log

    private final class Log: Sendable {
        let records = Mutex<[RequestRecord]>([])
    }

    /// The server's own address without a path, and its port.
    var origin: String { Self.origin(of: server.address) }
    var port: Int { origin.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
    var records: [RequestRecord] { log.records.withLock { $0 } }

    private static func origin(of address: String) -> String {
        address.split(separator: "/").prefix(2).joined(separator: "//")
    }

    private init(_ server: WebServer, _ log: Log, cookie: String?) {
        (self.server, self.log) = (server, log)
        let origin = Self.origin(of: server.address)
        let host = origin.dropFirst("http://".count)
        fields = "Host: \(host)\r\nOrigin: \(origin)\r\n" + (cookie.map { "Cookie: \($0)\r\n" } ?? "")
    }

    /// Runs a server as long as `body` takes.
    ///
    /// - Parameter isLaunched: Whether its address is opened before, so that `fields` has the cookie.
    static func run(
        _ site: Site, access: Access = .window(command: "command"), limits: ServerLimits = .local,
        isLaunched: Bool = true, _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let server = try await WebServer.start(
            at: .loopback, port: 0, usesTLS: false, access: access, limits: limits)
        let log = Log()
        let running = Task { await server.run(site) { record in log.records.withLock { $0.append(record) } } }
        let result: Result<Void, any Error>
        do {
            var cookie: String?
            if isLaunched {
                let response = try await RunningServer(server, log, cookie: nil).launch(server.address)
                cookie = response?.fields["Set-Cookie"]?.split(separator: ";").first.map { String($0) }
            }
            result = .success(try await body(RunningServer(server, log, cookie: cookie)))
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        try result.get()
    }

    /// Opens an address as somebody who types it.
    func launch(_ address: String, _ more: String = "") async throws -> RawResponse? {
        let path = address.dropFirst(origin.count)
        let host = origin.dropFirst("http://".count)
        return try await response("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(more)Connection: close\r\n\r\n")
    }

    /// The response to a request on a connection of its own.
    func response(_ request: String) async throws -> RawResponse? {
        let connection = try RawConnection(port: port)
        try await connection.send(request)
        return try await connection.response()
    }

    /// The response to a request of a page, with further fields and data: `\r\n` and what follows.
    func response(_ method: String, _ path: String, _ rest: String = "\r\n") async throws -> RawResponse? {
        try await response("\(method) \(path) HTTP/1.1\r\n\(fields)\(rest)")
    }
}

/// A number that several tasks count.
final class Count: Sendable {
    private let number = Mutex(0)

    var value: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }

    /// Waits until it has a value, at most ten seconds.
    func reaches(_ value: Int) async throws -> Bool {
        for _ in 0..<1_000 {
            if self.value >= value { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }
}
