import Bytes
import MediaModel

/// The directory at the end of a ZIP archive (PKWARE APPNOTE 6.3, sections 4.3.12 and 4.3.16).
struct ZipDirectory: Sendable {
    struct Entry: Sendable, Hashable {
        /// With slashes between folders.
        let name: FileText
        /// The decompressed size in bytes.
        let size: Int
        /// In bytes.
        let packedSize: Int
        /// The compression method: 0 is stored, 8 deflated (4.4.5).
        let method: UInt16
        let isEncrypted: Bool
        let checksum: UInt32
        /// The offset of its local header.
        let offset: Int

        /// Whether it is not compressed.
        var isStored: Bool { method == 0 }
    }

    let entries: [Entry]

    /// The size of the end-of-directory record with the longest comment.
    private static let searchedBytes = 22 + 65_535
    private static let directoryLimit = 64 << 20
    /// Bytes of a name that are shown, with its folders.
    static let nameLimit = 1024

    static func isZip(_ head: some Collection<UInt8>) -> Bool { head.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// - Throws: `ParseError` for a file that is no ZIP archive or uses ZIP64; `Errno` of pread(2).
    init(_ file: InputFile) throws {
        let start = max(file.size - Self.searchedBytes, 0)
        let tail = try file.bytes(at: start, count: Self.searchedBytes)
        guard let end = Self.endOfDirectory(in: tail) else {
            throw ParseError(.missing, in: "ZIP archive", at: file.size, expected: "a directory at its end")
        }
        var reader = ByteReader(Array(tail[end...]), structure: "ZIP directory's end", fileOffset: start + end)
        try reader.skip(10)
        let count = Int(try reader.integer(UInt16.self, .little))
        let size = Int(try reader.integer(UInt32.self, .little))
        let offset = Int(try reader.integer(UInt32.self, .little))
        guard size <= Self.directoryLimit, offset <= file.size, size <= file.size - offset else {
            throw ParseError(
                .unsupported, in: "ZIP archive", at: start + end, expected: "a directory of the 32-bit form in the file"
            )
        }
        var directory = ByteReader(
            try file.bytes(at: offset, count: size), structure: "ZIP directory", fileOffset: offset)
        var entries: [Entry] = []
        for _ in 0..<count { entries.append(try Self.entry(&directory)) }
        self.entries = entries
    }

    private static func endOfDirectory(in tail: [UInt8]) -> Int? {
        guard tail.count >= 22 else { return nil }
        return (0...tail.count - 22).last { tail[$0...].starts(with: [0x50, 0x4B, 0x05, 0x06]) }
    }

    private static func entry(_ reader: inout ByteReader) throws(ParseError) -> Entry {
        guard try reader.integer(UInt32.self, .little) == 0x0201_4B50 else {
            throw reader.error(.invalidValue, expected: "the header of an entry before this")
        }
        try reader.skip(4)
        let flags = try reader.integer(UInt16.self, .little)
        let method = try reader.integer(UInt16.self, .little)
        try reader.skip(4)
        let checksum = try reader.integer(UInt32.self, .little)
        let packedSize = Int(try reader.integer(UInt32.self, .little))
        let size = Int(try reader.integer(UInt32.self, .little))
        let nameLength = Int(try reader.integer(UInt16.self, .little))
        let extraLength = Int(try reader.integer(UInt16.self, .little))
        let commentLength = Int(try reader.integer(UInt16.self, .little))
        try reader.skip(8)
        let offset = Int(try reader.integer(UInt32.self, .little))
        let name = FileText(try reader.bytes(nameLength))
        try reader.skip(extraLength + commentLength)
        return Entry(
            name: name, size: size, packedSize: packedSize, method: method, isEncrypted: flags & 1 != 0,
            checksum: checksum, offset: offset)
    }
}
