import NIOHTTP1
import Testing
import WebServer

/// Who is let in.
struct AdmissionTests {
    private let token = AccessToken()
    private let admission: Admission

    init() { admission = Admission(token: token, host: "192.168.1.5", port: 8080, isSecure: false) }

    private struct Case {
        var method = HTTPMethod.GET
        var path = "/TOKEN/all.zip"
        var host: [String] = ["192.168.1.5:8080"]
        var fields: [(String, String)] = []
        let verdict: String
    }

    private static let cases: [Case] = [
        Case(verdict: "admitted all.zip"),
        Case(method: .HEAD, verdict: "admitted all.zip"),
        Case(path: "/TOKEN/0/photo?x=1#y", verdict: "admitted 0/photo"),
        Case(path: "/TOKEN", verdict: "entered"),
        Case(path: "/TOKEN/", verdict: "entered"),
        Case(path: "/TOKEN/../../etc/passwd", verdict: "admitted ../../etc/passwd"),
        Case(path: "/all.zip", fields: [("Cookie", "livephoto-8080=TOKEN")], verdict: "admitted all.zip"),
        Case(path: "/", fields: [("Cookie", "a=b; livephoto-8080=TOKEN; c=d")], verdict: "admitted "),
        Case(
            path: "/", fields: [("Cookie", "livephoto-8080=wrong"), ("Cookie", "livephoto-8080=TOKEN")],
            verdict: "admitted "),
        Case(fields: [("Origin", "http://192.168.1.5:8080")], verdict: "admitted all.zip"),
        Case(method: .POST, verdict: "refused 405"),
        Case(method: .RAW(value: "PROPFIND"), verdict: "refused 405"),
        Case(host: [], verdict: "refused 421"),
        Case(host: ["evil.example"], verdict: "refused 421"),
        Case(host: ["192.168.1.5"], verdict: "refused 421"),
        Case(host: ["192.168.1.5:8081"], verdict: "refused 421"),
        Case(host: ["192.168.1.5:8080", "evil.example"], verdict: "refused 421"),
        Case(fields: [("Origin", "http://evil.example")], verdict: "refused 403"),
        Case(fields: [("Origin", "null")], verdict: "refused 403"),
        Case(fields: [("Origin", "https://192.168.1.5:8080")], verdict: "refused 403"),
        Case(path: "/", verdict: "refused 403"),
        Case(path: "/favicon.ico", verdict: "refused 403"),
        Case(path: "/all.zip", verdict: "guess 403"),
        Case(path: "/TOKENx/all.zip", verdict: "guess 403"),
        Case(path: "/token/all.zip", verdict: "guess 403"),
        Case(path: "//TOKEN/all.zip", verdict: "guess 403"),
        Case(path: "/x?TOKEN", verdict: "guess 403"),
        Case(path: "/", fields: [("Cookie", "livephoto-8080=wrong")], verdict: "guess 403"),
        Case(path: "/", fields: [("Cookie", "livephoto-8081=TOKEN")], verdict: "refused 403"),
        Case(path: "http://192.168.1.5:8080/TOKEN/all.zip", verdict: "refused 400"),
        Case(method: .OPTIONS, path: "*", verdict: "refused 405"),
    ]

    private func verdict(_ item: Case) -> String {
        func text(_ pattern: String) -> String { pattern.replacing("TOKEN", with: token.text) }
        var head = HTTPRequestHead(version: .http1_1, method: item.method, uri: text(item.path))
        for host in item.host { head.headers.add(name: "Host", value: host) }
        for (name, value) in item.fields { head.headers.add(name: name, value: text(value)) }
        switch admission.verdict(on: head) {
        case .admitted(let path): return "admitted \(path)"
        case .entered: return "entered"
        case .refused(let response, let isWrongToken): return "\(isWrongToken ? "guess" : "refused") \(response.status)"
        }
    }

    @Test func `only requests with the token, the host and no other origin are let in`() {
        for item in Self.cases { #expect(verdict(item) == item.verdict, "\(item)") }
    }

    @Test func `a log does not show the token`() {
        #expect(admission.withoutToken("/\(token.text)/0/photo") == "/…/0/photo")
    }

    @Test func `each run has another token`() {
        let tokens = Set((0..<100).map { _ in AccessToken().text })
        #expect(tokens.count == 100)
        #expect(
            tokens.allSatisfy { $0.utf8.count == 22 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) } })
    }
}
