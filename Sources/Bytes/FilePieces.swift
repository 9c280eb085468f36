/// A file to be: bytes of its own and ranges of other files, so that putting a large one together costs no memory.
package struct FilePieces: Sendable {
    private enum Piece: Sendable {
        case bytes([UInt8])
        case range(Range<Int>, InputFile)
    }

    private var pieces: [Piece] = []
    /// In bytes.
    package private(set) var count = 0

    /// What is read of a file at a time.
    private static let step = 1 << 20

    package init() {}

    package mutating func append(_ bytes: [UInt8]) {
        count += bytes.count
        pieces.append(.bytes(bytes))
    }

    package mutating func append(_ range: Range<Int>, of file: InputFile) {
        count += range.count
        pieces.append(.range(range, file))
    }

    package mutating func append(_ other: FilePieces) {
        count += other.count
        pieces += other.pieces
    }

    /// Gives all bytes in order, some at a time.
    ///
    /// - Throws: `ParseError` where a file has become shorter than its range; `Errno` of pread(2); what `body` throws.
    package func forEach(_ body: ([UInt8]) throws -> Void) throws {
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try body(bytes)
            case .range(let range, let file):
                var place = range.lowerBound
                while place < range.upperBound {
                    let bytes = try file.bytes(at: place, count: min(Self.step, range.upperBound - place))
                    guard !bytes.isEmpty else {
                        throw ParseError(
                            .truncated, in: "\(file.path)", at: place,
                            expected: "\(range.upperBound - place) more bytes")
                    }
                    try body(bytes)
                    place += bytes.count
                }
            }
        }
    }

    /// - Throws: as `forEach`; `Errno` of write(2).
    package func write(to output: OutputFile) throws {
        try forEach { try output.write($0) }
    }
}
