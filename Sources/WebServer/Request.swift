package import NIOHTTP1

/// A request that has been let in: its secret, host and origin are right.
package struct Request: Sendable {
    /// What a request asks a site to do.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"

        /// Whether it brings data, be it nothing. Data with other methods is refused.
        var hasBody: Bool { self == .post || self == .put }
        /// Whether it changes nothing.
        var isSafe: Bool { self == .get || self == .head }

        init?(_ method: HTTPMethod) { self.init(rawValue: method.rawValue) }
    }

    package let method: Method
    /// Below the root and without the token, as the client wrote it: `all.pvt.zip`, or nothing for the first page.
    package let path: String
    /// What follows the question mark, decoded: names and their first values. Untrusted text.
    package let query: [String: String]
    /// The client's IP address.
    package let client: String
    /// Complete whenever an answer sees it.
    package internal(set) var body = RequestBody.none
    private let fields: HTTPHeaders

    package init(
        _ method: Method = .get, path: String, query: [String: String] = [:], client: String, fields: HTTPHeaders = [:]
    ) {
        (self.method, self.path, self.query, self.client, self.fields) = (method, path, query, client, fields)
    }

    /// Whether only the header is wanted.
    package var isHead: Bool { method == .head }

    /// The value of a header field; several are joined by commas. Untrusted text.
    package func field(_ name: String) -> String? {
        let values = fields[name]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
