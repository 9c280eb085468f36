import LivePhotoShare
import QRKit
import Testing

struct DeviceTests {
    @Test(arguments: [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari",
            "iPhone"
        ),
        ("Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15", "iPhone"),
        (
            "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36",
            "Android phone"
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15", "Mac"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "computer"), ("", "computer"),
    ])
    func `the page offers first what the device takes`(userAgent: String, name: String) {
        #expect(Device(userAgent: userAgent).name == name)
    }

    @Test func `a code is square and has the marks of its corners`() throws {
        let rows = try #require(QRCode("http://192.168.1.5:41847/gg9GPdjhfBzjBK2IOscT9m/")).rows
        #expect(rows.allSatisfy { $0.count == rows.count && $0.allSatisfy { "01".contains($0) } })
        #expect(
            rows[0].hasPrefix("11111110") && rows[0].hasSuffix("01111111") && rows[rows.count - 1].hasPrefix("1111111"))
        #expect(QRCode("a\0b") == nil)
        #expect(QRCode(String(repeating: "x", count: 10_000)) == nil)
    }
}
