package import NIOHTTP1

/// Answers windows on this machine that were opened with an address that works once.
///
/// The first use of the address sets a cookie with another secret, so that what stays in a history or in the list of processes is
/// of no use. Other sites are kept out by the fields Host, Origin and Sec-Fetch-Site as well: a server at another port of this
/// machine is the same site for a browser, and gets its cookies.
package struct WindowAdmission: AdmissionPolicy {
    private let origin: ServerOrigin
    private let command: String
    private let secret = AccessToken()
    private let token = LaunchToken()

    /// - Parameter command: What people run to get another address.
    package init(host: String, port: Int, isSecure: Bool, command: String) {
        origin = ServerOrigin(host: host, port: port, isSecure: isSecure)
        self.command = command
    }

    /// No other page gets hold of the window or shows it in a frame.
    let fields: HTTPHeaders = ["Cross-Origin-Opener-Policy": "same-origin", "X-Frame-Options": "DENY"]

    package var address: String { "\(origin.text)/\(token.text)/" }

    package func verdict(on head: HTTPRequestHead) -> Admission.Verdict {
        guard let method = Request.Method(head.method) else {
            var response = Response(405, "This server does not know this method.")
            response.fields = [("Allow", "GET, HEAD, POST, PUT, DELETE")]
            return .refused(response, isWrongToken: false)
        }
        if let refusal = origin.refusal(of: head) { return .refused(refusal, isWrongToken: false) }
        guard method.isSafe || head.headers["Origin"].count == 1 else {
            return .refused(ServerOrigin.refusalOfOtherSites, isWrongToken: false)
        }
        let path = ServerOrigin.path(of: head)
        let own = origin.cookies(of: head)
        let isKnown = own.contains { secret.matches($0) }
        if method == .get, let verdict = launch(path, head, isKnown: isKnown) { return verdict }
        guard Self.isFromHere(head) else { return .refused(ServerOrigin.refusalOfOtherSites, isWrongToken: false) }
        if isKnown { return .admitted(path: String(path)) }
        // Browsers ask for this by themselves, also without the cookie.
        let isGuess = path != "favicon.ico" && !(path.isEmpty && own.isEmpty)
        return .refused(
            Response(
                403,
                "Only the window that \(command) opened can see this. Go on in that window, or start \(command) again."),
            isWrongToken: isGuess)
    }

    /// The verdict on an address that was made to be opened once; nil for all other paths.
    private func launch(_ path: Substring, _ head: HTTPRequestHead, isKnown: Bool) -> Admission.Verdict? {
        let name = path.last == "/" ? path.dropLast() : path
        guard name.utf8.count == AccessToken.length else { return nil }
        switch token.use(name) {
        case .first:
            let cookie = origin.cookie(secret.text, sameSite: "Strict")
            guard Self.isFromHere(head) else {
                // A link on a page elsewhere. If redirected, the browser would send no strict cookie along.
                return .entered(Self.page(leadingTo: "/", cookie: cookie))
            }
            return .entered(.redirection(to: "/", cookie: cookie))
        case .later where isKnown: return .entered(.redirection(to: "/"))
        case .later:
            return .refused(
                Response(
                    403,
                    "This address was opened already. Go on in the window that it opened, or start \(command) again."),
                isWrongToken: false)
        case .wrong: return nil
        }
    }

    /// Whether a browser says that the request comes from a page of this server, or from the person. Old browsers and other
    /// programs say nothing.
    private static func isFromHere(_ head: HTTPRequestHead) -> Bool {
        head.headers["Sec-Fetch-Site"].allSatisfy { ["same-origin", "none"].contains($0.lowercased()) }
    }

    private static func page(leadingTo path: String, cookie: String) -> Response {
        var response = Response(
            type: "text/html; charset=utf-8",
            ResponseBody(
                "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=\(path)\"><a href=\"\(path)\">Go on</a>\n"
            ))
        response.fields = [("Set-Cookie", cookie)]
        return response
    }

    /// A path as it may be shown.
    package func withoutToken(_ path: String) -> String { path.replacing(token.text, with: "…") }
}
