package import NIOHTTP1

/// Answers those who read from this server's own address, from no other site, with the token.
package struct Admission: AdmissionPolicy {
    private let token: AccessToken
    private let origin: ServerOrigin

    package init(token: AccessToken, host: String, port: Int, isSecure: Bool) {
        self.token = token
        origin = ServerOrigin(host: host, port: port, isSecure: isSecure)
    }

    let fields = HTTPHeaders()

    var address: String { "\(origin.text)/\(token.text)/" }

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
        if let refusal = origin.refusal(of: head) { return .refused(refusal, isWrongToken: false) }
        let path = ServerOrigin.path(of: head)
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if let first = parts.first, token.matches(first) {
            guard parts.count > 1, !parts[1].isEmpty else {
                return .entered(.redirection(to: "/", cookie: origin.cookie(token.text, sameSite: "Lax")))
            }
            return .admitted(path: String(parts[1]))
        }
        let own = origin.cookies(of: head)
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
}
