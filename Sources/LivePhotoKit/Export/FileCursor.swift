import Bytes

/// Reads a file from its start on, in blocks, so that memory does not grow with the file.
struct FileCursor {
    private let file: InputFile
    private let structure: String
    private(set) var offset = 0
    private var block: [UInt8] = []
    private var blockStart = 0
    private static let blockSize = 1 << 16

    init(_ file: InputFile, structure: String) {
        (self.file, self.structure) = (file, structure)
    }

    /// The next bytes.
    ///
    /// - Throws: `ParseError` at the end of the file; `Errno` of pread(2).
    mutating func bytes(_ count: Int) throws -> [UInt8] {
        if offset + count > blockStart + block.count || offset < blockStart {
            block = try file.bytes(at: offset, count: max(Self.blockSize, count))
            blockStart = offset
        }
        let start = offset - blockStart
        guard block.count - start >= count else {
            throw ParseError(.truncated, in: structure, at: offset, expected: "\(count) more bytes")
        }
        offset += count
        return Array(block[start..<start + count])
    }

    /// An unsigned number of up to four bytes.
    mutating func littleEndian(_ count: Int) throws -> Int {
        try bytes(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Skips bytes, also beyond the end of the file, where the next read fails.
    mutating func skip(_ count: Int) { offset += count }

    func error(_ expected: String) -> ParseError {
        ParseError(.invalidValue, in: structure, at: offset, expected: expected)
    }
}
