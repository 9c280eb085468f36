/// Splits a stream of bytes into lines.
struct LineBuffer {
    /// The start of an incomplete line.
    private var start: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: the bytes of a line that has not ended above which it is passed on in parts.
    init(limit: Int = .max) { self.limit = limit }

    /// Number of bytes of the incomplete line.
    var count: Int { start.count }

    mutating func append(_ bytes: [UInt8], each: (ArraySlice<UInt8>) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            each(start.isEmpty ? rest[..<end] : (start + rest[..<end])[...])
            start.removeAll()
            rest = rest[(end + 1)...]
        }
        start += rest
        if start.count > limit {
            each(start[...])
            start.removeAll()
        }
    }

    /// Passes on a last line without a line end.
    func end(each: (ArraySlice<UInt8>) -> Void) {
        if !start.isEmpty { each(start[...]) }
    }
}
