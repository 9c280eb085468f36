import Bytes
import Files
import NIOCore
import NIOHTTP1
import SystemPackage

/// A request that is not given to the site, and its answer.
struct RefusedRequest: Error {
    let response: Response
}

/// Receives the data of one request as its site wants it.
struct BodyReceiver {
    let site: Site
    let head: HTTPRequestHead
    let reader: RequestReader
    let sender: ResponseSender

    /// The size that the header announces.
    private enum Length: Equatable {
        /// In bytes.
        case known(Int)
        /// It is sent in chunks.
        case unknown
    }

    /// - Parameter request: without its body.
    func body(of request: Request) async throws(RefusedRequest) -> RequestBody {
        guard let length else { throw refusal(400, "The length of the data is not clear.") }
        guard head.headers["Expect"].allSatisfy({ $0.lowercased() == "100-continue" }) else {
            throw refusal(417, "This server does not know this expectation.")
        }
        let accepted: AcceptedBody
        do {
            accepted = try await site.accept(request)
        } catch {
            throw refusal(500, "This cannot be received now.")
        }
        let body: Result<RequestBody, BodyFailure>
        switch accepted {
        case .bytes(let limit): body = await bytes(length, limit)
        case .upload(let upload): body = await file(length, upload)
        case .refused(let response): throw RefusedRequest(response: response)
        }
        do throws(BodyFailure) {
            return try body.get()
        } catch {
            throw refusal(of: error)
        }
    }

    /// Nil for what two programs could understand in two ways (RFC 9112, 6.3).
    private var length: Length? {
        let (lengths, encodings) = (head.headers["Content-Length"], head.headers["Transfer-Encoding"])
        if encodings.isEmpty {
            guard let text = lengths.first else { return .known(0) }
            guard lengths.count == 1, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
                return nil
            }
            return Int(text).map { .known($0) }
        }
        let isChunked = encodings.map { $0.lowercased() } == ["chunked"]
        return isChunked && lengths.isEmpty && head.version != .http1_0 ? .unknown : nil
    }

    private func bytes(_ length: Length, _ limit: Int) async -> Result<RequestBody, BodyFailure> {
        do throws(BodyFailure) {
            try check(length, limit)
            try await begin(length)
            var bytes: [UInt8] = []
            while let data = try await reader.data() {
                guard data.readableBytes <= limit - bytes.count else { throw .tooLarge(limit: limit) }
                bytes.append(contentsOf: data.readableBytesView)
            }
            return .success(.bytes(bytes))
        } catch {
            return .failure(error)
        }
    }

    private func file(_ length: Length, _ upload: Upload) async -> Result<RequestBody, BodyFailure> {
        await withTaskExecutorPreference(BlockingExecutor.shared) {
            var path: FilePath?
            do throws(BodyFailure) {
                try check(length, upload.limit)
                let file = try Self.writing { try upload.create() }
                path = file.path
                try await begin(length)
                var count = 0
                while let data = try await reader.data() {
                    guard data.readableBytes <= upload.limit - count else { throw .tooLarge(limit: upload.limit) }
                    try Self.writing { try file.write(data.readableBytesView) }
                    count += data.readableBytes
                }
                try Self.writing { try file.close() }
                return .success(.file(file.path, count: count))
            } catch {
                upload.discard(path, error)
                return .failure(error)
            }
        }
    }

    private func check(_ length: Length, _ limit: Int) throws(BodyFailure) {
        if case .known(let count) = length, count > limit { throw .tooLarge(limit: limit) }
    }

    /// Lets a client send that waits for it (RFC 9110, 10.1.1).
    private func begin(_ length: Length) async throws(BodyFailure) {
        guard head.headers.contains(name: "Expect"), head.version != .http1_0, length != .known(0) else { return }
        do {
            try await sender.sendContinue()
        } catch {
            throw .incomplete
        }
    }

    private static func writing<Value>(_ body: () throws -> Value) throws(BodyFailure) -> Value {
        do {
            return try body()
        } catch {
            throw .notWritten(error)
        }
    }

    private func refusal(_ status: Int, _ sentence: String) -> RefusedRequest {
        RefusedRequest(response: site.refusal(status, sentence))
    }

    private func refusal(of failure: BodyFailure) -> RefusedRequest {
        switch failure {
        case .tooLarge(let limit): refusal(413, "This is too large; at most \(limit) bytes are accepted.")
        case .incomplete: refusal(400, "The data is not complete.")
        case .notWritten where failure.isFullDisk: refusal(507, "The disk is full; free some space and try again.")
        case .notWritten: refusal(500, "The data cannot be written.")
        }
    }
}
