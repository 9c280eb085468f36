import SystemPackage

/// The planned contents of a file: new bytes and ranges of other files, so that building a large file needs no memory.
package struct FilePieces: Sendable {
    package enum Piece: Sendable {
        case bytes([UInt8])
        case range(Range<Int>, InputFile)
    }

    package private(set) var pieces: [Piece] = []
    /// In bytes; at most the largest integer, though a file system may have two files that are larger together.
    package private(set) var count = 0
    /// Bytes read at a time.
    private static let step = 1 << 20

    package init() {}

    package init(_ file: InputFile) {
        append(0..<file.size, of: file)
    }

    package mutating func append(_ bytes: [UInt8]) {
        grow(by: bytes.count)
        pieces.append(.bytes(bytes))
    }

    package mutating func append(_ range: Range<Int>, of file: InputFile) {
        grow(by: range.count)
        pieces.append(.range(range, file))
    }

    private mutating func grow(by more: Int) {
        let (sum, isTooLarge) = count.addingReportingOverflow(more)
        count = isTooLarge ? .max : sum
    }

    package mutating func append(_ other: FilePieces) {
        grow(by: other.count)
        pieces += other.pieces
    }

    /// The first `count` bytes, or fewer at the end.
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

    /// Passes all bytes to `body`, in order and in parts.
    ///
    /// - Throws: `ParseError` if a file is shorter than its range; as `InputFile.read`; errors of `body`.
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

    /// All bytes.
    ///
    /// - Throws: `Errno.fileTooLarge` for more than `limit` bytes; as `forEach`.
    package func contents(limit: Int) throws -> [UInt8] {
        guard count <= limit else { throw Errno.fileTooLarge }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        try forEach { bytes += $0 }
        return bytes
    }

    /// - Throws: as `forEach`; `Errno` of copy_file_range(2) and write(2), `.noSpace` before anything is written if the disk
    ///   is too full; `FileChanged` if another program has changed a file.
    package func write(to output: OutputFile) throws {
        try checkSpace(for: output)
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try output.write(bytes)
            case .range(let range, let file): try output.write(range, of: file)
            }
        }
        for case .range(_, let file) in pieces { try file.checkUnchanged() }
    }

    private func checkSpace(for output: OutputFile) throws {
        guard let free = output.freeSpace, count > free else { return }
        for case .range(let range, let file) in pieces where try output.sharesBlocks(range, of: file) { return }
        throw Errno.noSpace
    }

    /// Whether a file has exactly these contents. If the sizes differ, nothing is read.
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
