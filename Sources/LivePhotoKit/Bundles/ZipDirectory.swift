package import Bytes
package import MediaModel

/// The directory at the end of a ZIP archive (PKWARE APPNOTE 6.3, sections 4.3.12 and 4.3.16).
package struct ZipDirectory: Sendable {
    package struct Entry: Sendable, Hashable {
        /// With slashes between folders.
        package let name: FileText
        /// The decompressed size in bytes.
        package let size: Int
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

    package let entries: [Entry]

    /// The size of the end-of-directory record with the longest comment.
    private static let searchedBytes = 22 + 65_535
    private static let directoryLimit = 64 << 20
    /// Bytes of a name that are shown, with its folders.
    static let nameLimit = 1024

    static func isZip(_ head: some Collection<UInt8>) -> Bool { head.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// - Throws: `ParseError` for a file that is no ZIP archive; `Errno` of pread(2).
    package init(_ file: InputFile) throws {
        let start = max(file.size - Self.searchedBytes, 0)
        let tail = try file.bytes(at: start, count: Self.searchedBytes)
        guard let end = Self.endOfDirectory(in: tail) else {
            throw ParseError(.missing, in: "ZIP archive", at: file.size, expected: "a directory at its end")
        }
        var reader = ByteReader(Array(tail[end...]), structure: "ZIP directory's end", fileOffset: start + end)
        try reader.skip(10)
        var count = Int(try reader.integer(UInt16.self, .little))
        var size = Int(try reader.integer(UInt32.self, .little))
        var offset = Int(try reader.integer(UInt32.self, .little))
        if count == Int(UInt16.max) || size == Int(UInt32.max) || offset == Int(UInt32.max) {
            (count, size, offset) = try Self.largeEnd(before: start + end, in: file) ?? (count, size, offset)
        }
        guard size <= Self.directoryLimit, offset <= file.size, size <= file.size - offset else {
            throw ParseError(.unsupported, in: "ZIP archive", at: start + end, expected: "a directory in the file")
        }
        var directory = ByteReader(
            try file.bytes(at: offset, count: size), structure: "ZIP directory", fileOffset: offset)
        var entries: [Entry] = []
        for _ in 0..<count { entries.append(try Self.entry(&directory)) }
        self.entries = entries
    }

    /// The end of the directory in 64 bits, if the record that leads to it is there (4.3.14, 4.3.15).
    private static func largeEnd(before end: Int, in file: InputFile) throws -> (count: Int, size: Int, offset: Int)? {
        let locator = try file.bytes(at: max(end - 20, 0), count: 20)
        guard locator.starts(with: [0x50, 0x4B, 0x06, 0x07]) else { return nil }
        var reader = ByteReader(locator, structure: "ZIP64 locator", fileOffset: end - 20)
        try reader.skip(8)
        let place = try reader.integer(UInt64.self, .little)
        guard let start = Int(exactly: place), start <= file.size - 56 else {
            throw reader.error(.invalidValue, expected: "an offset in the file")
        }
        var record = ByteReader(
            try file.bytes(at: start, count: 56), structure: "ZIP64 directory's end", fileOffset: start)
        guard try record.integer(UInt32.self, .little) == 0x0606_4B50 else {
            throw record.error(.invalidValue, expected: "the signature of this record")
        }
        try record.skip(28)
        let numbers = [
            try record.integer(UInt64.self, .little), try record.integer(UInt64.self, .little),
            try record.integer(UInt64.self, .little),
        ].compactMap { Int(exactly: $0) }
        // An entry has at least 46 bytes.
        guard numbers.count == 3, numbers[0] <= directoryLimit / 46 else {
            throw record.error(.overLimit, expected: "a directory of at most \(directoryLimit) bytes")
        }
        return (numbers[0], numbers[1], numbers[2])
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
        var packedSize = Int(try reader.integer(UInt32.self, .little))
        var size = Int(try reader.integer(UInt32.self, .little))
        let nameLength = Int(try reader.integer(UInt16.self, .little))
        let extraLength = Int(try reader.integer(UInt16.self, .little))
        let commentLength = Int(try reader.integer(UInt16.self, .little))
        try reader.skip(8)
        var offset = Int(try reader.integer(UInt32.self, .little))
        let name = FileText(try reader.bytes(nameLength))
        let extra = try reader.bytes(extraLength)
        try reader.skip(commentLength)
        if [size, packedSize, offset].contains(Int(UInt32.max)) {
            var numbers = try largeNumbers(in: extra, at: reader.offset)
            // In this order, and only those that do not fit above (4.5.3).
            func read(_ number: inout Int) throws(ParseError) {
                guard number == Int(UInt32.max) else { return }
                number = Int(clamping: try numbers.integer(UInt64.self, .little))
            }
            try read(&size)
            try read(&packedSize)
            try read(&offset)
        }
        return Entry(
            name: name, size: size, packedSize: packedSize, method: method, isEncrypted: flags & 1 != 0,
            checksum: checksum, offset: offset)
    }

    /// The field with the numbers of ZIP64, which may be behind others (4.5.1).
    private static func largeNumbers(in extra: [UInt8], at offset: Int) throws(ParseError) -> ByteReader {
        var fields = ByteReader(extra, structure: "ZIP64 field", fileOffset: offset)
        while fields.remaining >= 4 {
            let type = try fields.integer(UInt16.self, .little)
            let field = try fields.reader(Int(try fields.integer(UInt16.self, .little)), structure: "ZIP64 field")
            if type == 1 { return field }
        }
        throw fields.error(.missing, expected: "numbers of 64 bits before this")
    }
}
