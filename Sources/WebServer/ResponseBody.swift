package import Bytes

/// What a response sends: parts whose sizes are known before any of them is read. Files are opened when they are sent.
package struct ResponseBody: Sendable {
    /// Opens a file, or reads or computes bytes; called on a thread that may block.
    package typealias Source<Value> = @Sendable () throws -> Value

    enum Content: Sendable {
        case bytes([UInt8])
        case file(Source<InputFile>)
        /// Bytes that are made when they are sent.
        case made(Source<[UInt8]>)
    }

    struct Part: Sendable {
        let content: Content
        /// The bytes of the content that are sent.
        var range: Range<Int>
    }

    private(set) var parts: [Part] = []
    /// In bytes.
    package private(set) var count = 0

    package init() {}

    package init(_ bytes: [UInt8]) { append(bytes) }

    package init(_ text: String) { self.init(Array(text.utf8)) }

    package mutating func append(_ bytes: [UInt8]) { append(.bytes(bytes), 0..<bytes.count) }

    /// - Parameter open: opens the file when it is sent, and throws if it is not as it was.
    package mutating func append(_ range: Range<Int>, of open: @escaping Source<InputFile>) {
        append(.file(open), range)
    }

    /// - Parameters:
    ///   - count: The number of bytes that `make` returns.
    ///   - make: called when they are sent.
    package mutating func append(count: Int, _ make: @escaping Source<[UInt8]>) { append(.made(make), 0..<count) }

    package mutating func append(_ pieces: FilePieces) {
        for piece in pieces.pieces {
            switch piece {
            case .bytes(let bytes): append(bytes)
            case .range(let range, let file): append(range) { file }
            }
        }
    }

    private mutating func append(_ content: Content, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        parts.append(Part(content: content, range: range))
        count += range.count
    }

    /// The bytes of a range of the whole.
    package func part(_ range: Range<Int>) -> ResponseBody {
        var result = ResponseBody()
        var start = 0
        for part in parts {
            let kept = range.clamped(to: start..<start + part.range.count)
            let offset = part.range.lowerBound - start
            result.append(part.content, kept.lowerBound + offset..<kept.upperBound + offset)
            start += part.range.count
        }
        return result
    }
}
