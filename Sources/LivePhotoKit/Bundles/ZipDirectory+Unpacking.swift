package import Bytes

extension ZipDirectory.Entry {
    /// Passes all bytes of the entry to `body`, decompressed, in order and in parts. The checksum is compared at the end.
    ///
    /// - Throws: `ParseError` for a damaged archive or an unsupported compression method; `Errno` of pread(2); errors of
    ///   `body`.
    package func forEach(in archive: InputFile, _ body: ([UInt8]) throws -> Void) throws {
        let data = try dataRange(in: archive)
        guard isPlausible else {
            throw error(
                .overLimit, at: offset,
                "at most \(Self.mostRatio) times the \(packedSize) bytes in which it is packed, found \(size)")
        }
        var checksum = CRC32()
        var count = 0
        func take(_ bytes: [UInt8]) throws {
            checksum.update(bytes)
            count += bytes.count
            try body(bytes)
        }
        switch method {
        case 0:
            try FilePieces(InputFile(data, of: archive)).forEach(take)
        case 8:
            try Inflater().unpack(data, of: archive, limit: size, take)
        default:
            throw error(.unsupported, at: offset, "an entry that is stored or deflated, found method \(method)")
        }
        guard count == size, checksum.value == self.checksum else {
            throw error(.invalidValue, at: data.lowerBound, "\(size) bytes of the checksum that the directory says")
        }
    }

    /// Photos and movies do not compress well: a large entry with a high ratio is meant to fill the disk. Small ones, perhaps
    /// of a single colour, do no harm.
    private var isPlausible: Bool { size <= Self.harmlessSize || size / Self.mostRatio <= packedSize }

    private static var harmlessSize: Int { 16 << 20 }
    private static var mostRatio: Int { 20 }

    /// The compressed bytes in the archive.
    ///
    /// - Throws: as `forEach`.
    package func dataRange(in archive: InputFile) throws -> Range<Int> {
        guard !isEncrypted else {
            throw error(.unsupported, at: offset, "an entry without a password; unpack the archive first")
        }
        var header = ByteReader(
            try archive.bytes(at: offset, count: 30), structure: "ZIP entry", fileOffset: offset)
        guard try header.integer(UInt32.self, .little) == 0x0403_4B50 else {
            throw error(.invalidValue, at: offset, "the local header that the directory says")
        }
        try header.skip(22)
        // Name and extra field may differ from those in the directory.
        let names = Int(try header.integer(UInt16.self, .little)) + Int(try header.integer(UInt16.self, .little))
        let start = offset + 30 + names
        guard start <= archive.size, packedSize <= archive.size - start else {
            throw error(.truncated, at: offset, "\(packedSize) bytes of data in the file")
        }
        return start..<start + packedSize
    }

    private func error(_ code: ParseError.Code, at offset: Int, _ expected: String) -> ParseError {
        ParseError(code, in: "ZIP entry", at: offset, expected: expected)
    }
}
