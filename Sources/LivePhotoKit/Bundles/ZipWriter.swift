import Bytes

/// Writes a ZIP archive of files as they are (PKWARE APPNOTE 6.3, 4.3).
struct ZipWriter {
    private let output: OutputFile
    private var directory = ByteWriter()
    private var count: UInt16 = 0

    /// Offsets have 32 bits, and the directory has to come behind.
    static let sizeLimit = Int(UInt32.max) - (1 << 20)

    /// - Parameter output: at its beginning.
    init(_ output: OutputFile) {
        self.output = output
    }

    /// - Returns: where in the archive the file's bytes stand.
    /// - Throws: `ParseError` where the archive gets too large; `Errno` of pread(2) and write(2).
    mutating func add(_ name: String, _ file: InputFile) throws -> Range<Int> {
        let offset = output.position
        guard offset + file.size <= Self.sizeLimit else {
            throw ParseError(
                .overLimit, in: "ZIP archive", at: offset, expected: "at most \(Self.sizeLimit) bytes in all")
        }
        try output.write(header(name, file.size, checksum: 0))
        let start = output.position
        var checksum = CRC32()
        var pieces = FilePieces()
        pieces.append(0..<file.size, of: file)
        try pieces.forEach { bytes in
            checksum.update(bytes)
            try output.write(bytes)
        }
        let header = header(name, file.size, checksum: checksum.value)
        try output.overwrite(at: offset, with: header)
        directory.append([0x50, 0x4B, 0x01, 0x02, 20, 0])
        // All of the local header behind its signature, but the name.
        directory.append(header[4..<30])
        directory.zeros(10)
        directory.integer(UInt32(offset), .little)
        directory.text(name)
        count += 1
        return start..<output.position
    }

    private func header(_ name: String, _ size: Int, checksum: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([0x50, 0x4B, 0x03, 0x04])
        writer.integer(UInt16(20), .little)  // made for version 2.0
        writer.integer(UInt16(name.utf8.allSatisfy { $0 < 0x80 } ? 0 : 0x800), .little)  // UTF-8
        writer.integer(UInt16(0), .little)  // stored
        writer.integer(UInt32(0x21 << 16), .little)  // the first day there is, 1 January 1980
        writer.integer(checksum, .little)
        writer.integer(UInt32(size), .little)
        writer.integer(UInt32(size), .little)
        writer.integer(UInt16(name.utf8.count), .little)
        writer.integer(UInt16(0), .little)
        writer.text(name)
        return writer.bytes
    }

    /// Writes the directory. Nothing can be added afterwards.
    func finish(comment: String) throws {
        var end = ByteWriter()
        end.append([0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0])
        end.integer(count, .little)
        end.integer(count, .little)
        end.integer(UInt32(directory.count), .little)
        end.integer(UInt32(output.position), .little)
        end.integer(UInt16(comment.utf8.count), .little)
        end.text(comment)
        try output.write(directory.bytes)
        try output.write(end.bytes)
    }
}
