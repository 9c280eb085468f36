import Bytes
import MediaModel

/// Builds a ZIP archive of uncompressed files (PKWARE APPNOTE 6.3, 4.3).
struct ZipWriter {
    private var pieces = FilePieces()
    private var directory = ByteWriter()
    private var count: UInt16 = 0

    /// Offsets have 32 bits; leaves space for the directory.
    static let sizeLimit = Int(UInt32.max) - (1 << 20)

    /// - Parameter name: Including folders; that of a folder ends with a slash.
    /// - Returns: The range of the content's bytes in the archive.
    /// - Throws: `ParseError` if the archive gets too large; `Errno` of pread(2).
    @discardableResult
    mutating func add(_ name: FileText, _ content: FilePieces) throws -> Range<Int> {
        let offset = pieces.count
        guard content.count <= Self.sizeLimit - offset else {
            throw ParseError(
                .overLimit, in: "ZIP archive", at: offset, expected: "at most \(Self.sizeLimit) bytes in all")
        }
        var checksum = CRC32()
        try content.forEach { checksum.update($0) }
        let header = header(name, content.count, checksum: checksum.value)
        pieces.append(header)
        let start = pieces.count
        pieces.append(content)
        directory.append([0x50, 0x4B, 0x01, 0x02, 20, 0])
        // The local header without signature and name.
        directory.append(header[4..<30])
        directory.zeros(10)
        directory.integer(UInt32(offset), .little)
        directory.append(name.bytes)
        count += 1
        return start..<pieces.count
    }

    private func header(_ name: FileText, _ size: Int, checksum: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([0x50, 0x4B, 0x03, 0x04])
        writer.integer(UInt16(20), .little)  // made for version 2.0
        writer.integer(UInt16(name.bytes.allSatisfy { $0 < 0x80 } ? 0 : 0x800), .little)  // UTF-8
        writer.integer(UInt16(0), .little)  // stored
        writer.integer(UInt32(0x21 << 16), .little)  // the earliest possible date, 1 January 1980
        writer.integer(checksum, .little)
        writer.integer(UInt32(size), .little)
        writer.integer(UInt32(size), .little)
        writer.integer(UInt16(name.bytes.count), .little)
        writer.integer(UInt16(0), .little)
        writer.append(name.bytes)
        return writer.bytes
    }

    func archive(comment: String) -> FilePieces {
        var end = ByteWriter()
        end.append([0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0])
        end.integer(count, .little)
        end.integer(count, .little)
        end.integer(UInt32(directory.count), .little)
        end.integer(UInt32(pieces.count), .little)
        end.integer(UInt16(comment.utf8.count), .little)
        end.text(comment)
        var archive = pieces
        archive.append(directory.bytes)
        archive.append(end.bytes)
        return archive
    }
}
