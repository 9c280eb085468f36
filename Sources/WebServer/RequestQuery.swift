/// The part of a request's target after the question mark, as forms and `URLSearchParams` write it.
package enum RequestQuery {
    /// More names are refused. The size is bounded by that of the request's line.
    private static let mostNames = 64

    /// Names and values; of a name that occurs several times, the first value.
    ///
    /// - Parameter target: What the request asks for, such as `/items?from=1.5&to=2`.
    /// - Returns: Nil for what is not encoded as it must be, is no UTF-8, or has too many names.
    package static func values(in target: String) -> [String: String]? {
        let target = target.prefix { $0 != "#" }
        guard let mark = target.firstIndex(of: "?") else { return [:] }
        let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: true)
        guard pairs.count <= mostNames else { return nil }
        var result: [String: String] = [:]
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : "") else { return nil }
            if result[name] == nil { result[name] = value }
        }
        return result
    }

    /// Text without percent encoding; a plus sign is a space. Nil if it is malformed.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    }
}
