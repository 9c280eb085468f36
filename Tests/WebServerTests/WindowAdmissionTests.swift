import NIOHTTP1
import Testing
import WebServer

/// Who is let in to a server for windows on this machine.
struct WindowAdmissionTests {
    private static let own = "http://127.0.0.1:8080"
    private let admission = WindowAdmission(host: "127.0.0.1", port: 8080, isSecure: false, command: "command")

    private struct Case {
        var method = HTTPMethod.GET
        var path = "/api/items?a=b"
        var host: [String] = ["127.0.0.1:8080"]
        var origin: [String] = []
        var site: [String] = []
        /// SECRET is the one that the launch has set.
        var cookie: String? = "livephoto-8080=SECRET"
        let verdict: String
    }

    private static let cases: [Case] = [
        Case(verdict: "admitted api/items"),
        Case(path: "/", verdict: "admitted "),
        Case(method: .HEAD, verdict: "admitted api/items"),
        Case(site: ["same-origin"], verdict: "admitted api/items"),
        Case(site: ["none"], verdict: "admitted api/items"),
        Case(origin: [own], site: ["same-origin"], verdict: "admitted api/items"),
        Case(cookie: "a=b; livephoto-8080=wrong; livephoto-8080=SECRET", verdict: "admitted api/items"),
        // Other pages, those of servers at other ports of this machine among them.
        Case(site: ["same-site"], verdict: "refused 403"),
        Case(site: ["cross-site"], verdict: "refused 403"),
        Case(site: ["none", "cross-site"], verdict: "refused 403"),
        Case(site: [""], verdict: "refused 403"),
        Case(path: "/", site: ["cross-site"], verdict: "refused 403"),
        Case(origin: ["http://127.0.0.1:8081"], verdict: "refused 403"),
        Case(origin: ["http://localhost:8080"], verdict: "refused 403"),
        Case(origin: ["https://127.0.0.1:8080"], verdict: "refused 403"),
        Case(origin: ["null"], verdict: "refused 403"),
        Case(origin: [own, "http://evil.example"], verdict: "refused 403"),
        Case(origin: ["\(own)/"], verdict: "refused 403"),
        // What changes something needs the own Origin.
        Case(method: .POST, origin: [own], verdict: "admitted api/items"),
        Case(method: .PUT, origin: [own], site: ["same-origin"], verdict: "admitted api/items"),
        Case(method: .DELETE, origin: [own], verdict: "admitted api/items"),
        Case(method: .POST, verdict: "refused 403"),
        Case(method: .PUT, verdict: "refused 403"),
        Case(method: .DELETE, site: ["same-origin"], verdict: "refused 403"),
        Case(method: .POST, origin: [own, own], verdict: "refused 403"),
        Case(method: .POST, origin: ["null"], verdict: "refused 403"),
        Case(method: .POST, origin: ["http://127.0.0.1:8081"], site: ["same-site"], verdict: "refused 403"),
        Case(method: .POST, origin: [own], site: ["same-site"], verdict: "refused 403"),
        Case(method: .POST, origin: [own], cookie: nil, verdict: "guess 403"),
        Case(method: .PATCH, origin: [own], verdict: "refused 405"),
        Case(method: .OPTIONS, origin: [own], verdict: "refused 405"),
        Case(method: .CONNECT, verdict: "refused 405"),
        // Other names.
        Case(host: [], verdict: "refused 421"),
        Case(host: ["localhost:8080"], verdict: "refused 421"),
        Case(host: ["127.0.0.1"], verdict: "refused 421"),
        Case(host: ["127.0.0.1:8081"], verdict: "refused 421"),
        Case(host: ["evil.example:8080"], verdict: "refused 421"),
        Case(host: ["127.0.0.1:8080", "127.0.0.1:8080"], verdict: "refused 421"),
        Case(path: "\(own)/api/items", verdict: "refused 400"),
        // Without the secret.
        Case(path: "/", cookie: nil, verdict: "refused 403"),
        Case(path: "/favicon.ico", cookie: nil, verdict: "refused 403"),
        Case(cookie: nil, verdict: "guess 403"),
        Case(path: "/", cookie: "livephoto-8080=wrong", verdict: "guess 403"),
        Case(cookie: "livephoto-8080=TOKEN", verdict: "guess 403"),
        Case(cookie: "livephoto-8081=SECRET", verdict: "guess 403"),
        Case(path: "/SECRET/", cookie: nil, verdict: "guess 403"),
        Case(path: "/SECRET/api/items", cookie: nil, verdict: "guess 403"),
        // The address to open admits to nothing else.
        Case(path: "/TOKEN/api/items", cookie: nil, verdict: "guess 403"),
        Case(path: "/TOKEN//", cookie: nil, verdict: "guess 403"),
        Case(path: "//TOKEN/", cookie: nil, verdict: "guess 403"),
        Case(path: "/TOKENx/", cookie: nil, verdict: "guess 403"),
        Case(path: "/?TOKEN", cookie: nil, verdict: "refused 403"),
        Case(method: .HEAD, path: "/TOKEN/", cookie: nil, verdict: "guess 403"),
        Case(method: .POST, path: "/TOKEN/", origin: [own], cookie: nil, verdict: "guess 403"),
        Case(path: "/TOKEN/", host: ["evil.example"], cookie: nil, verdict: "refused 421"),
        Case(path: "/TOKEN/", origin: ["http://evil.example"], cookie: nil, verdict: "refused 403"),
        // It was used to get the secret.
        Case(path: "/TOKEN/", site: ["none"], cookie: nil, verdict: "refused 403"),
        Case(path: "/TOKEN", cookie: nil, verdict: "refused 403"),
        Case(path: "/TOKEN/", cookie: "livephoto-8080=wrong", verdict: "refused 403"),
        Case(path: "/TOKEN/", verdict: "entered 303"),
        Case(path: "/TOKEN/", site: ["cross-site"], verdict: "entered 303"),
    ]

    private func verdict(_ item: Case, token: String, secret: String) -> String {
        func text(_ pattern: String) -> String {
            pattern.replacing("TOKEN", with: token).replacing("SECRET", with: secret)
        }
        var head = HTTPRequestHead(version: .http1_1, method: item.method, uri: text(item.path))
        for host in item.host { head.headers.add(name: "Host", value: host) }
        for origin in item.origin { head.headers.add(name: "Origin", value: origin) }
        for site in item.site { head.headers.add(name: "Sec-Fetch-Site", value: site) }
        if let cookie = item.cookie { head.headers.add(name: "Cookie", value: text(cookie)) }
        switch admission.verdict(on: head) {
        case .admitted(let path): return "admitted \(path)"
        case .entered(let response):
            let hasCookie = response.fields.contains { $0.name == "Set-Cookie" }
            return "entered \(response.status)" + (hasCookie ? " with a cookie" : "")
        case .refused(let response, let isWrongToken): return "\(isWrongToken ? "guess" : "refused") \(response.status)"
        }
    }

    /// The path of the address, without slashes.
    private var token: String {
        String(admission.address.dropFirst(Self.own.count).filter { $0 != "/" })
    }

    /// The fields of the response to whoever opens an address first.
    private func launch(_ token: String, site: String? = nil) -> Response? {
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/\(token)/")
        head.headers.add(name: "Host", value: "127.0.0.1:8080")
        if let site { head.headers.add(name: "Sec-Fetch-Site", value: site) }
        guard case .entered(let response) = admission.verdict(on: head) else { return nil }
        return response
    }

    private func field(setBy response: Response?) -> String? {
        response?.fields.first { $0.name == "Set-Cookie" }?.value
    }

    @Test func `only the window with the secret, from this very page, is let in`() throws {
        let cookie = try #require(field(setBy: launch(token)))
        let secret = try #require(cookie.split(separator: ";").first?.split(separator: "=").last)
        #expect(secret != token)
        for item in Self.cases {
            #expect(verdict(item, token: token, secret: String(secret)) == item.verdict, "\(item)")
        }
    }

    @Test func `the cookie is for this server's pages alone and for no script`() throws {
        let cookie = try #require(field(setBy: launch(token)))
        #expect(cookie.hasPrefix("livephoto-8080="))
        #expect(cookie.dropFirst("livephoto-8080=".count + 22) == "; Path=/; HttpOnly; SameSite=Strict")
    }

    @Test func `an address that a page elsewhere opens leads on by a page, with which a strict cookie is sent`() {
        let response = launch(token, site: "cross-site")
        #expect(response?.status == 200)
        #expect(field(setBy: response) != nil)
    }

    @Test func `an address that the person opens is exchanged at once`() {
        #expect(launch(token, site: "none")?.status == 303)
    }

    @Test func `a log does not show an address that can still be opened`() {
        #expect(admission.withoutToken("/\(token)/x") == "/…/x")
    }
}
