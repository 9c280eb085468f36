import NIOHTTP1

/// The server's own address as header fields have it.
struct ServerOrigin: Sendable {
    /// With the scheme, as in the field Origin.
    let text: String
    /// With the port, as in the field Host.
    let host: String
    let isSecure: Bool
    /// Cookies do not tell ports apart, so the name does.
    let cookieName: String

    init(host: String, port: Int, isSecure: Bool) {
        let isUsual = port == (isSecure ? 443 : 80)
        self.host = isUsual ? host : "\(host):\(port)"
        text = (isSecure ? "https://" : "http://") + self.host
        self.isSecure = isSecure
        cookieName = "livephoto-\(port)"
    }

    /// The answer to a request to another name, from another site, or for no path; nil for others.
    func refusal(of head: HTTPRequestHead) -> Response? {
        // Another page's script cannot choose the field Host: this keeps out pages of a domain that leads here.
        guard head.headers["Host"].map({ $0.lowercased() }) == [host] else {
            return Response(421, "This server has another name: \(host).")
        }
        guard head.headers["Origin"].allSatisfy({ $0.lowercased() == text }) else { return Self.refusalOfOtherSites }
        guard head.uri.first == "/" else { return Response(400, "Bad request.") }
        return nil
    }

    static var refusalOfOtherSites: Response { Response(403, "Other sites may not ask this server.") }

    /// The path without its first slash.
    static func path(of head: HTTPRequestHead) -> Substring {
        head.uri.prefix { $0 != "?" && $0 != "#" }.dropFirst()
    }

    /// The values of the own cookie.
    func cookies(of head: HTTPRequestHead) -> [Substring] {
        let cookies = head.headers["Cookie"].flatMap { $0.split(separator: ";") }.map(\.trimmingSpaces)
        return cookies.filter { $0.hasPrefix("\(cookieName)=") }.map { $0.dropFirst(cookieName.count + 1) }
    }

    /// The field that sets the own cookie, which no script can read.
    ///
    /// - Parameter sameSite: `Lax` or `Strict`.
    func cookie(_ value: String, sameSite: String) -> String {
        "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=\(sameSite)" + (isSecure ? "; Secure" : "")
    }
}
