package import NIOHTTP1

/// Decides which requests are answered: those to this server's own address, from no other site, with the token.
package struct Admission: Sendable {
    private let token: AccessToken
    /// The address with its scheme, as in the field Origin.
    private let origin: String
    /// The address with its port, as in the field Host.
    private let host: String
    /// Cookies do not tell ports apart, so the name does.
    private let cookieName: String
    private let isSecure: Bool

    package init(token: AccessToken, host: String, port: Int, isSecure: Bool) {
        self.token = token
        self.isSecure = isSecure
        let isUsual = port == (isSecure ? 443 : 80)
        self.host = isUsual ? host : "\(host):\(port)"
        origin = (isSecure ? "https://" : "http://") + self.host
        cookieName = "livephoto-\(port)"
    }

    /// The address that gives access, which ends with a slash.
    var address: String { "\(origin)/\(token.text)/" }

    package enum Verdict {
        /// The path below the root.
        case admitted(path: String)
        /// The token is right and moves to a cookie, so that it does not stay in the address.
        case entered(Response)
        case refused(Response, isWrongToken: Bool)
    }

    package func verdict(on head: HTTPRequestHead) -> Verdict {
        guard [.GET, .HEAD].contains(head.method) else {
            var response = Response(405, "This server only reads.")
            response.fields = [("Allow", "GET, HEAD")]
            return .refused(response, isWrongToken: false)
        }
        // Another page's script cannot choose the field Host: this keeps out pages of a domain that leads here.
        guard head.headers["Host"].map({ $0.lowercased() }) == [host] else {
            return .refused(Response(421, "This server has another name: \(host)."), isWrongToken: false)
        }
        guard head.headers["Origin"].allSatisfy({ $0.lowercased() == origin }) else {
            return .refused(Response(403, "Other sites may not ask this server."), isWrongToken: false)
        }
        guard head.uri.first == "/" else { return .refused(Response(400, "Bad request."), isWrongToken: false) }
        let path = head.uri.prefix { $0 != "?" && $0 != "#" }.dropFirst()
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if let first = parts.first, token.matches(first) {
            guard parts.count > 1, !parts[1].isEmpty else { return .entered(.redirection(to: "/", cookie: cookie)) }
            return .admitted(path: String(parts[1]))
        }
        let cookies = head.headers["Cookie"].flatMap { $0.split(separator: ";") }.map(\.trimmingSpaces)
        let own = cookies.filter { $0.hasPrefix("\(cookieName)=") }.map { $0.dropFirst(cookieName.count + 1) }
        if own.contains(where: { token.matches($0) }) { return .admitted(path: String(path)) }
        // Browsers ask for this by themselves, also without the cookie.
        let isGuess = path != "favicon.ico" && !(path.isEmpty && own.isEmpty)
        return .refused(
            Response(
                403,
                "This address is not complete or no longer valid, or the browser keeps no cookies. Scan the code again, or "
                    + "open the whole address."
            ),
            isWrongToken: isGuess)
    }

    /// A path as it may be shown.
    package func withoutToken(_ path: String) -> String { path.replacing(token.text, with: "…") }

    private var cookie: String {
        "\(cookieName)=\(token.text); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
