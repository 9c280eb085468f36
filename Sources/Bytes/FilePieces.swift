import SystemPackage

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

    /// All of a file.
    package init(_ file: InputFile) {
        append(0..<file.size, of: file)
    }

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

    /// The first bytes, `count` of them or fewer.
    ///
    /// - Throws: `Errno` of pread(2).
    package func head(_ count: Int) throws -> [UInt8] {
        var head: [UInt8] = []
        for piece in pieces where head.count < count {
            switch piece {
            case .bytes(let bytes): head += bytes.prefix(count - head.count)
            case .range(let range, let file):
                head += try file.bytes(at: range.lowerBound, count: min(range.count, count - head.count))
            }
        }
        return head
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

    /// All bytes, at most `limit` of them.
    ///
    /// - Throws: `Errno.fileTooLarge` for more; as `forEach`.
    package func contents(limit: Int) throws -> [UInt8] {
        guard count <= limit else { throw Errno.fileTooLarge }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        try forEach { bytes += $0 }
        return bytes
    }

    /// - Throws: as `forEach`; `Errno` of copy_file_range(2) and write(2).
    package func write(to output: OutputFile) throws {
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try output.write(bytes)
            case .range(let range, let file): try output.write(range, of: file)
            }
        }
    }

    /// Whether a file holds these bytes and no others. Where the sizes differ nothing is read.
    ///
    /// - Throws: as `forEach`.
    package func areContent(of file: InputFile) throws -> Bool {
        guard file.size == count else { return false }
        var place = 0
        do {
            try forEach { bytes in
                guard try file.bytes(at: place, count: bytes.count) == bytes else { throw Difference() }
                place += bytes.count
            }
            return true
        } catch is Difference {
            return false
        }
    }

    private struct Difference: Error {}
}
