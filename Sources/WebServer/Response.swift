package import Bytes
import MediaModel
package import NIOHTTP1

/// An answer to a request. Ranges, conditions and the fields that every response has are added when it is sent.
package struct Response: Sendable {
    package var status: Int
    /// The media type.
    package var type: String
    package var body: ResponseBody
    /// The name under which browsers save it; nil for what they show.
    package var fileName: String?
    /// Changes with the content; nil if there are no ranges of it.
    package var entityTag: String?
    /// Of pages: what else they may load.
    package var contentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'"
    /// Further header fields.
    package var fields: [(name: String, value: String)] = []
    /// Called with what was sent of the whole, in order, and at last with nil.
    package var didSend: (@Sendable (Range<Int>?) -> Void)?
    /// Called with an error of reading what is to be sent, not with those of the connection.
    package var didFail: (@Sendable (any Error) -> Void)?

    package init(_ status: Int = 200, type: String, _ body: ResponseBody) {
        (self.status, self.type, self.body) = (status, type, body)
    }

    /// A whole file, which stays open until it is sent.
    package init(type: String, file: InputFile) {
        var body = ResponseBody()
        body.append(0..<file.size) { file }
        self.init(type: type, body)
    }

    /// A sentence as plain text.
    package init(_ status: Int, _ sentence: String) {
        self.init(status, type: "text/plain; charset=utf-8", ResponseBody(sentence + "\n"))
    }

    /// - Parameter path: encoded.
    static func redirection(to path: String, cookie: String? = nil) -> Response {
        var response = Response(303, "See \(path)")
        response.fields = [("Location", path)]
        if let cookie { response.fields.append(("Set-Cookie", cookie)) }
        return response
    }
}

/// A response as it is sent to one client.
package struct SentResponse {
    package let head: HTTPResponseHead
    /// Without bytes if the client wants the header alone.
    package let body: ResponseBody
    /// The place of the body's first byte in the whole.
    package let offset: Int

    /// - Parameters:
    ///   - request: The request whose conditions hold; nil if it was not let in.
    ///   - others: Further fields.
    package init(_ response: Response, to request: Request?, _ others: HTTPHeaders = [:]) {
        var status = HTTPResponseStatus(statusCode: response.status)
        var fields = HTTPHeaders(response.fields.map { ($0.name, $0.value) })
        var (body, offset) = (response.body, 0)
        if let tag = response.entityTag.map({ "\"\($0)\"" }), let request {
            fields.add(name: "ETag", value: tag)
            fields.add(name: "Accept-Ranges", value: "bytes")
            if Self.lists(request.field("If-None-Match"), tag) {
                (status, body) = (.notModified, ResponseBody())
            } else if request.field("If-Range").map({ $0 == tag }) ?? true {
                switch ByteRanges.answer(to: request.field("Range"), of: body.count) {
                case .whole: break
                case .part(let range):
                    status = .partialContent
                    fields.add(
                        name: "Content-Range",
                        value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")
                    (body, offset) = (body.part(range), range.lowerBound)
                case .unsatisfiable:
                    status = .rangeNotSatisfiable
                    fields.add(name: "Content-Range", value: "bytes */\(body.count)")
                    body = ResponseBody()
                }
            }
        }
        if status != .notModified {
            fields.add(name: "Content-Type", value: response.type)
            fields.add(name: "Content-Length", value: "\(body.count)")
        }
        if let name = response.fileName { fields.add(name: "Content-Disposition", value: Self.attachment(name)) }
        fields.add(name: "Content-Security-Policy", value: response.contentSecurityPolicy)
        fields.add(contentsOf: Self.fieldsOfAll)
        fields.add(contentsOf: others)
        head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        self.body = request?.isHead ?? false ? ResponseBody() : body
        self.offset = offset
    }

    /// Fields of every response: browsers take nothing for another type, tell no other site the address, keep nothing, and let
    /// no other site use it.
    private static let fieldsOfAll = HTTPHeaders([
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ])

    private static func lists(_ field: String?, _ tag: String) -> Bool {
        guard let field else { return false }
        return field.split(separator: ",").contains { item in
            let item = item.trimmingSpaces
            return item == "*" || item == tag || item == "W/\(tag)"
        }
    }

    /// RFC 6266, with the name in ASCII for old programs.
    private static func attachment(_ name: String) -> String {
        let plain = String(
            name.unicodeScalars.map { scalar -> Character in
                let isPlain =
                    scalar.isASCII && scalar.value >= 0x20 && scalar.value < 0x7F
                    && !"\"\\%/".unicodeScalars.contains(scalar)
                return isPlain ? Character(scalar) : "_"
            })
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(percentEncoded(name.utf8))"
    }
}
