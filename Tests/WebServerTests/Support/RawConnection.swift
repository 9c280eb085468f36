import Files
import Foundation
import Glibc

/// A connection that sends just the bytes it is given. Its calls wait on threads of their own.
final class RawConnection: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: CInt
    /// What one call waits for an answer at most.
    private static let patience = 20

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var time = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { Glibc.close(socket) }

    /// Ends what is sent, as a client that leaves.
    func end() { shutdown(socket, CInt(SHUT_WR)) }

    /// Leaves without waiting for anything.
    func reset() {
        var setting = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
        shutdown(socket, CInt(SHUT_RDWR))
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            var place = 0
            while place < bytes.count {
                let count = bytes[place...].withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(description: "send: \(errno)") }
                place += count
            }
        }
    }

    /// How many bytes the other side takes of a large number within a second.
    func sent(ofAtMost most: Int) async -> Int {
        await withTaskExecutorPreference(BlockingExecutor.shared) {
            let piece = [UInt8](repeating: 7, count: 1 << 16)
            let end = ContinuousClock.now + .seconds(1)
            var total = 0
            while total < most, ContinuousClock.now < end {
                let count = Glibc.send(
                    socket, piece, piece.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
                if count > 0 { total += count } else { usleep(1_000) }
            }
            return total
        }
    }

    /// All that comes until the other side closes. Being reset is an error if `isPolite`.
    func rest(isPolite: Bool = false) async throws -> String {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            var received: [UInt8] = []
            while let part = try part(isPolite: isPolite) { received += part }
            return String(decoding: received, as: UTF8.self)
        }
    }

    /// One response whose length is known; nil if the other side closes before.
    func response() async throws -> RawResponse? {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            var received: [UInt8] = []
            while true {
                if let response = RawResponse(String(decoding: received, as: UTF8.self)) { return response }
                guard let part = try part(isPolite: false) else { return nil }
                received += part
            }
        }
    }

    /// Whether the other side has closed.
    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, CInt(MSG_DONTWAIT) | CInt(MSG_PEEK))
        return count == 0 || count < 0 && errno != EAGAIN
    }

    private func part(isPolite: Bool) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count >= 0 else {
            if errno == ECONNRESET, !isPolite { return nil }
            throw Failure(description: "recv: \(errno)")
        }
        return count == 0 ? nil : Array(bytes[..<count])
    }
}

/// A response as it came.
struct RawResponse {
    let status: Int
    let fields: [String: String]
    let body: String

    /// Nil while something is missing.
    init?(_ text: String) {
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) }
        guard let status else { return nil }
        let pairs = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        fields = Dictionary(pairs) { $0 + ", " + $1 }
        self.status = status
        let rest = text[end.upperBound...]
        let count = fields["Content-Length"].flatMap { Int($0) } ?? 0
        guard rest.utf8.count >= count else { return nil }
        body = String(decoding: rest.utf8.prefix(count), as: UTF8.self)
    }
}
