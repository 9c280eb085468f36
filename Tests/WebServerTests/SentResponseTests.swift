import NIOHTTP1
import Testing
import WebServer

/// What a response looks like on the wire.
struct SentResponseTests {
    private func sent(_ fields: [(String, String)] = [], isHead: Bool = false) -> SentResponse {
        var response = Response(type: "image/jpeg", ResponseBody(Array(0..<100)))
        response.entityTag = "abc"
        response.fileName = "Blüte \"1\"/2.jpg"
        let request = Request(isHead ? .head : .get, path: "x", client: "::1", fields: HTTPHeaders(fields))
        return SentResponse(response, to: request)
    }

    private struct Case {
        var fields: [(String, String)] = []
        var status: UInt = 200
        var count = 100
        var offset = 0
        var range: String?
    }

    private static let cases: [Case] = [
        Case(),
        Case(fields: [("Range", "bytes=10-19")], status: 206, count: 10, offset: 10, range: "bytes 10-19/100"),
        Case(fields: [("Range", "bytes=-10")], status: 206, count: 10, offset: 90, range: "bytes 90-99/100"),
        Case(fields: [("Range", "bytes=100-")], status: 416, count: 0, range: "bytes */100"),
        Case(
            fields: [("Range", "bytes=90-"), ("If-Range", "\"abc\"")], status: 206, count: 10, offset: 90,
            range: "bytes 90-99/100"),
        Case(fields: [("Range", "bytes=90-"), ("If-Range", "\"old\"")]),
        Case(fields: [("Range", "bytes=90-"), ("If-Range", "Fri, 27 Nov 2026 00:00:00 GMT")]),
        Case(fields: [("If-None-Match", "\"abc\"")], status: 304, count: 0),
        Case(fields: [("If-None-Match", "W/\"abc\", \"x\"")], status: 304, count: 0),
        Case(fields: [("If-None-Match", "*")], status: 304, count: 0),
        Case(fields: [("If-None-Match", "\"x\"")]),
    ]

    @Test func `ranges and conditions are answered as HTTP has it`() {
        for item in Self.cases {
            let sent = sent(item.fields)
            #expect(sent.head.status.code == item.status, "\(item)")
            #expect(sent.body.count == item.count && sent.offset == item.offset, "\(item)")
            #expect(sent.head.headers.first(name: "Content-Range") == item.range, "\(item)")
        }
    }

    @Test func `a HEAD request gets the header alone, with the length`() {
        let sent = sent(isHead: true)
        #expect(sent.body.count == 0)
        #expect(sent.head.headers["Content-Length"] == ["100"])
    }

    @Test func `every response forbids what pages of strangers could do`() {
        for sent in [sent(), SentResponse(Response(404, "No."), to: nil)] {
            for (name, value) in [
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Cache-Control", "no-store"),
                ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ] { #expect(sent.head.headers[name] == [value]) }
        }
    }

    @Test func `a file name cannot end its field`() {
        #expect(
            sent().head.headers["Content-Disposition"] == [
                "attachment; filename=\"Bl_te _1__2.jpg\"; filename*=UTF-8''Bl%C3%BCte%20%221%22%2F2.jpg"
            ])
    }

    @Test func `a part of a body has just its bytes`() {
        var body = ResponseBody([0, 1, 2])
        body.append(count: 4) { [3, 4, 5, 6] }
        body.append([7, 8])
        #expect(body.count == 9)
        for start in 0...9 {
            for end in start...9 { #expect(body.part(start..<end).count == end - start) }
        }
    }
}
