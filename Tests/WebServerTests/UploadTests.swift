import Bytes
import Files
import Foundation
import Synchronization
import SystemPackage
import TestSupport
import Testing
import WebServer

/// Data that is written to a file while it comes.
struct UploadTests {
    /// What happened to the uploads of one site.
    private final class Ends: Sendable {
        let answered = Count()
        let discarded = Count()
        let failure = Mutex<BodyFailure?>(nil)

        /// A site that answers with the size of what was uploaded.
        func site(_ upload: Upload) -> Site {
            let followed = Upload(limit: upload.limit, create: upload.create) { path, failure in
                upload.discard(path, failure)
                self.failure.withLock { $0 = failure }
                self.discarded.add()
            }
            return Site(accept: { _ in .upload(followed) }) { request in
                self.answered.add()
                guard case .file(let path, let count) = request.body else { return Response(500, "no file") }
                return Response(200, "\(count) \(path.lastComponent?.string ?? "")")
            }
        }
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
    }

    private static func chunked(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let chunk = bytes[start..<min(start + size, bytes.count)]
            result += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        return result + Array("0\r\n\r\n".utf8)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 5 << 20], [nil, 1_000, 100_000])
    func `a file gets just the bytes that were sent`(count: Int, chunk: Int?) async throws {
        let (folder, ends, bytes) = (try TemporaryFolder(), Ends(), Self.bytes(count))
        try await RunningServer.run(ends.site(Upload(to: folder.path.appending("new"), limit: count))) {
            server async throws in
            let connection = try RawConnection(port: server.port)
            let length = chunk == nil ? "Content-Length: \(count)" : "Transfer-Encoding: chunked"
            try await connection.send("POST / HTTP/1.1\r\n\(server.fields)\(length)\r\n\r\n")
            try await connection.send(chunk.map { Self.chunked(bytes, $0) } ?? bytes)
            #expect(try await connection.response()?.body == "\(count) new\n")
        }
        #expect(try folder.files == ["new": Data(bytes)])
        #expect(ends.discarded.value == 0 && ends.answered.value == 1)
    }

    @Test(arguments: [false, true])
    func `one byte too many is refused politely and leaves nothing`(isChunked: Bool) async throws {
        let (folder, ends, bytes) = (try TemporaryFolder(), Ends(), Self.bytes(3 << 20))
        try await RunningServer.run(ends.site(Upload(to: folder.path.appending("new"), limit: bytes.count - 1))) {
            server in
            let connection = try RawConnection(port: server.port)
            let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(bytes.count)"
            try await connection.send("POST / HTTP/1.1\r\n\(server.fields)\(length)\r\n\r\n")
            // The client sends everything before it reads the answer, as browsers do.
            try await connection.send(isChunked ? Self.chunked(bytes, 10_000) : bytes)
            #expect(try await connection.rest(isPolite: true).hasPrefix("HTTP/1.1 413 "))
        }
        #expect(try folder.names == [])
        #expect(ends.discarded.value == 1 && ends.answered.value == 0)
    }

    @Test(arguments: [false, true])
    func `a client that leaves in the middle leaves nothing`(isReset: Bool) async throws {
        let (folder, ends) = (try TemporaryFolder(), Ends())
        try await RunningServer.run(ends.site(Upload(to: folder.path.appending("new"), limit: 1 << 30))) {
            server async throws in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST / HTTP/1.1\r\n\(server.fields)Content-Length: 2000000\r\n\r\n")
            try await connection.send(Self.bytes(1_000_000))
            if isReset { connection.reset() } else { connection.end() }
            #expect(try await ends.discarded.reaches(1))
        }
        #expect(try folder.names == [])
        #expect(ends.answered.value == 0)
    }

    @Test func `a server that ends in the middle leaves nothing`() async throws {
        let (folder, ends) = (try TemporaryFolder(), Ends())
        let connections = Mutex<[RawConnection]>([])
        try await RunningServer.run(ends.site(Upload(to: folder.path.appending("new"), limit: 1 << 30))) {
            server async throws in
            let connection = try RawConnection(port: server.port)
            connections.withLock { $0.append(connection) }
            try await connection.send(
                "POST / HTTP/1.1\r\n\(server.fields)Expect: 100-continue\r\nContent-Length: 9\r\n\r\n")
            #expect(try await connection.response()?.status == 100)
            #expect(try folder.names == ["new"])
        }
        #expect(try folder.names == [])
        #expect(ends.discarded.value == 1 && ends.answered.value == 0)
    }

    @Test func `a full disk is reported as such`() async throws {
        let ends = Ends()
        let full = FilePath("/dev/full")
        let upload = Upload(
            limit: 1 << 30, create: { OutputFile(try FileDescriptor.open(full, .readWrite), path: full) },
            discard: { _, _ in })
        try await RunningServer.run(ends.site(upload)) { server async throws in
            for count in [1, 1_000_000] {
                let connection = try RawConnection(port: server.port)
                try await connection.send("POST / HTTP/1.1\r\n\(server.fields)Content-Length: \(count)\r\n\r\n")
                try await connection.send(Self.bytes(count))
                let response = try await connection.response()
                #expect(response?.status == 507)
                #expect(response?.body == "The disk is full; free some space and try again.\n")
            }
        }
        #expect(ends.discarded.value == 2 && ends.answered.value == 0)
    }

    @Test func `a file that exists is not replaced and stays`() async throws {
        let (folder, ends) = (try TemporaryFolder(["new": "old"]), Ends())
        try await RunningServer.run(ends.site(Upload(to: folder.path.appending("new"), limit: 10))) {
            server async throws in
            let response = try await server.response("PUT", "/", "Content-Length: 1\r\n\r\nx")
            #expect(response?.status == 500)
        }
        #expect(try folder.text("new") == "old")
        #expect(ends.discarded.value == 1)
    }

    @Test func `a slow disk is not a slow client`() async throws {
        let (folder, ends) = (try TemporaryFolder(), Ends())
        let path = folder.path.appending("new")
        let upload = Upload(
            limit: 1 << 30,
            create: {
                Thread.sleep(forTimeInterval: 3)
                return try OutputFile(creating: path)
            }, discard: { _, _ in })
        var limits = ServerLimits.local
        limits.pieceTime = .seconds(2)
        try await RunningServer.run(ends.site(upload), limits: limits) { server async throws in
            let response = try await server.response("PUT", "/", "Content-Length: 1\r\n\r\nx")
            #expect(response?.status == 200)
        }
    }

    @Test func `no more is read than a slow disk takes`() async throws {
        let ends = Ends()
        let pipe = try FileDescriptor.pipe()
        let upload = Upload(
            limit: 1 << 30, create: { OutputFile(try pipe.writeEnd.duplicate(), path: "pipe") }, discard: { _, _ in })
        try await RunningServer.run(ends.site(upload)) { server async throws in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST / HTTP/1.1\r\n\(server.fields)Content-Length: 1000000000\r\n\r\n")
            // What the system keeps for both ends, and little more.
            #expect(await connection.sent(ofAtMost: 200_000_000) < 40_000_000)
            connection.reset()
            try pipe.writeEnd.close()
            try await withTaskExecutorPreference(BlockingExecutor.shared) {
                var bytes = [UInt8](repeating: 0, count: 1 << 16)
                while try bytes.withUnsafeMutableBytes({ try pipe.readEnd.read(into: $0) }) > 0 {}
            }
            #expect(try await ends.discarded.reaches(1))
        }
        try pipe.readEnd.close()
    }
}
