/// Reads values from a range of bytes, in order and never past its end.
///
/// `offset` is relative to the start of the file even if the reader covers only a part of it, so that errors name the
/// position in the file.
///
/// `@inlinable` lets other modules specialize the generic functions, which otherwise take more than half of the time of
/// reading a file.
@usableFromInline
package struct ByteReader: Sendable {
    @usableFromInline
    package enum Endianness: Sendable {
        case big, little
    }

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// The offset in the file minus the index in `bytes`.
    private let fileOffset: Int
    /// The name of the structure being read, for errors.
    package let structure: String

    /// - Parameter fileOffset: The offset of the first of `bytes` in the file.
    package init(_ bytes: [UInt8], structure: String, fileOffset: Int = 0) {
        self.init(bytes[...], structure: structure, fileOffset: fileOffset)
    }

    private init(_ bytes: ArraySlice<UInt8>, structure: String, fileOffset: Int) {
        self.bytes = bytes
        self.position = bytes.startIndex
        self.fileOffset = fileOffset - bytes.startIndex
        self.structure = structure
    }

    /// The offset of the next byte in the file.
    package var offset: Int { position + fileOffset }
    package var remaining: Int { bytes.endIndex - position }
    package var isAtEnd: Bool { remaining == 0 }

    package func error(_ code: ParseError.Code, expected: String) -> ParseError {
        ParseError(code, in: structure, at: offset, expected: expected)
    }

    /// Reads an integer of at most 64 bits.
    @inlinable
    package mutating func integer<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self, _ endianness: Endianness = .big
    ) throws(ParseError) -> Value {
        let value = Value(truncatingIfNeeded: try bigEndian(width: Value.bitWidth / 8))
        return endianness == .big ? value : value.byteSwapped
    }

    /// Reads a big-endian number of at most 8 bytes.
    @usableFromInline
    package mutating func bigEndian(width: Int) throws(ParseError) -> UInt64 {
        guard remaining >= width else {
            throw error(.truncated, expected: "\(width) bytes, found \(remaining)")
        }
        var value: UInt64 = 0
        for index in position..<position + width {
            value = value << 8 | UInt64(bytes[index])
        }
        position += width
        return value
    }

    package mutating func fourCC() throws(ParseError) -> FourCC {
        FourCC(rawValue: try integer(UInt32.self))
    }

    package mutating func bytes(_ count: Int) throws(ParseError) -> [UInt8] {
        Array(try slice(count))
    }

    /// Reads all remaining bytes.
    package mutating func rest() -> [UInt8] {
        defer { position = bytes.endIndex }
        return Array(bytes[position...])
    }

    package mutating func skip(_ count: Int) throws(ParseError) {
        _ = try slice(count)
    }

    /// Skips `count` bytes and returns a reader over them.
    package mutating func reader(_ count: Int, structure: String) throws(ParseError) -> ByteReader {
        let start = offset
        return ByteReader(try slice(count), structure: structure, fileOffset: start)
    }

    /// Reads a table of `count` entries. The count is checked against the remaining bytes before anything is allocated.
    @inlinable
    package mutating func table<Entry>(
        count: Int, entrySize: Int, _ read: (inout ByteReader) throws(ParseError) -> Entry
    ) throws(ParseError) -> [Entry] {
        try checkTable(count: count, entrySize: entrySize)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            entries.append(try read(&self))
        }
        return entries
    }

    @usableFromInline
    func checkTable(count: Int, entrySize: Int) throws(ParseError) {
        guard count >= 0, entrySize > 0, count <= remaining / entrySize else {
            throw error(.truncated, expected: "\(count) entries of \(entrySize) bytes, found \(remaining) bytes")
        }
    }

    /// Throws unless everything has been read.
    package func finish() throws(ParseError) {
        guard isAtEnd else { throw error(.leftOver, expected: "the end, found \(remaining) more bytes") }
    }

    private mutating func slice(_ count: Int) throws(ParseError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else {
            throw error(.truncated, expected: "\(count) bytes, found \(remaining)")
        }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
