package import NIOHTTP1

/// A request that has been let in: its token, host and origin are right.
package struct Request: Sendable {
    /// Below the root and without the token: `all.pvt.zip`, or nothing for the first page.
    package let path: String
    /// The client's IP address.
    package let client: String
    /// Whether only the header is wanted.
    package let isHead: Bool
    private let fields: HTTPHeaders

    package init(path: String, client: String, isHead: Bool, fields: HTTPHeaders) {
        (self.path, self.client, self.isHead, self.fields) = (path, client, isHead, fields)
    }

    /// The value of a header field; several are joined by commas. Untrusted text.
    package func field(_ name: String) -> String? {
        let values = fields[name]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
