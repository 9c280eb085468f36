/// A text that is an argument of a test and may be long: the runner would print, and quote, all of a `String`, which takes
/// seconds for a mebibyte.
package struct LongText: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(repeating part: String, count: Int) { text = String(repeating: part, count: count) }

    package init(stringLiteral text: String) { self.text = text }

    package var description: String {
        let bytes = text.utf8
        return bytes.count <= 200
            ? text : "\(String(decoding: bytes.prefix(40), as: UTF8.self))… (\(bytes.count) bytes)"
    }
}
