import Testing
import WebServer

/// What follows the question mark of an address.
struct RequestQueryTests {
    private static let cases: [(target: String, values: [String: String]?)] = [
        ("/", [:]),
        ("/?", [:]),
        ("/items?from=1.5&to=2", ["from": "1.5", "to": "2"]),
        ("/?name=Bl%C3%BCte%20%26+more.mp4", ["name": "Blüte & more.mp4"]),
        ("/?a=b=c", ["a": "b=c"]),
        ("/?a", ["a": ""]),
        ("/?a=", ["a": ""]),
        ("/?=b", ["": "b"]),
        ("/?&a=b&&", ["a": "b"]),
        ("/?a=1&a=2&%61=3", ["a": "1"]),
        ("/?a=1#b=2", ["a": "1"]),
        ("/#?a=1", [:]),
        ("/?a=1?b=2", ["a": "1?b=2"]),
        ("/?a=%2B%25", ["a": "+%"]),
        ("/?a=%", nil),
        ("/?a=%4", nil),
        ("/?a=%4g", nil),
        ("/?a=%+4", nil),
        ("/?%zz=a", nil),
        ("/?a=%FF", nil),
        ("/?a=%C3", nil),
        ("/?a=%ED%A0%80", nil),
        (
            "/?" + (0..<64).map { "a\($0)=1" }.joined(separator: "&"),
            Dictionary(uniqueKeysWithValues: (0..<64).map { ("a\($0)", "1") })
        ),
        ("/?" + (0..<65).map { "a\($0)=1" }.joined(separator: "&"), nil),
    ]

    @Test func `a query is decoded completely or refused`() {
        for item in Self.cases { #expect(RequestQuery.values(in: item.target) == item.values, "\(item.target)") }
    }
}
