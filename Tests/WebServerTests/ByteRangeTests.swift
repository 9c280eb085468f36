import Testing
import WebServer

/// The header field Range, as browsers, players and download managers write it.
struct ByteRangeTests {
    private struct Case {
        let field: String?
        var count = 100
        let answer: ByteRanges.Answer
    }

    private static let cases: [Case] = [
        Case(field: nil, answer: .whole),
        Case(field: "bytes=0-", answer: .part(0..<100)),
        Case(field: "bytes=0-1", answer: .part(0..<2)),
        Case(field: "bytes=99-", answer: .part(99..<100)),
        Case(field: "bytes=10-1000", answer: .part(10..<100)),
        Case(field: "Bytes= 10-19 ", answer: .part(10..<20)),
        Case(field: "bytes=-1", answer: .part(99..<100)),
        Case(field: "bytes=-500", answer: .part(0..<100)),
        Case(field: "bytes=100-", answer: .unsatisfiable),
        Case(field: "bytes=100-200", answer: .unsatisfiable),
        Case(field: "bytes=-0", answer: .unsatisfiable),
        Case(field: "bytes=0-", count: 0, answer: .unsatisfiable),
        Case(field: "bytes=-5", count: 0, answer: .unsatisfiable),
        Case(field: "bytes=99999999999999999999-", answer: .unsatisfiable),
        Case(field: "bytes=5-99999999999999999999", answer: .part(5..<100)),
        Case(field: "bytes=-99999999999999999999", answer: .part(0..<100)),
        // What is not understood, several ranges among it, gives the whole.
        Case(field: "bytes=0-1,5-6", answer: .whole),
        Case(field: "bytes=5-4", answer: .whole),
        Case(field: "bytes=", answer: .whole),
        Case(field: "bytes=-", answer: .whole),
        Case(field: "bytes=a-b", answer: .whole),
        Case(field: "bytes=+1-2", answer: .whole),
        Case(field: "items=0-1", answer: .whole),
        Case(field: "0-1", answer: .whole),
    ]

    @Test func `a range gives just the bytes that exist, and nonsense the whole`() {
        for item in Self.cases {
            #expect(ByteRanges.answer(to: item.field, of: item.count) == item.answer, "\(item)")
        }
    }
}
