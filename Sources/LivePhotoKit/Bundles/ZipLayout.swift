package import Bytes
package import MediaModel

/// Where everything is in a ZIP archive of uncompressed files, which follows from their names and sizes alone. Their checksums
/// are needed only for the bytes of the headers (PKWARE APPNOTE 6.3, 4.3; ZIP64 only where 32 bits are too few).
package struct ZipLayout: Sendable {
    package struct Entry: Sendable {
        /// Including folders; that of a folder ends with a slash.
        package let name: FileText
        /// In bytes.
        package let size: Int

        package init(name: FileText, size: Int) { (self.name, self.size) = (name, size) }
    }

    package let entries: [Entry]
    /// The offset of each local header, and at last of the directory.
    private let offsets: [Int]

    /// Of a file in an archive: sizes have 32 bits.
    static let fileSizeLimit = Int(UInt32.max) - 1
    private static let headerSize = 30
    /// The last offset of the 32-bit form, and the number of entries from which on ZIP64 is needed.
    private static let (largest32, largest16) = (Int(UInt32.max) - 1, Int(UInt16.max) - 1)

    /// - Throws: `ParseError` for a file that is too large.
    package init(_ entries: [Entry]) throws(ParseError) {
        self.entries = entries
        var offsets = [0]
        for entry in entries {
            guard entry.size <= Self.fileSizeLimit else {
                throw ParseError(
                    .overLimit, in: "ZIP archive", at: offsets[offsets.count - 1], expected: "files of at most 4 GB")
            }
            offsets.append(offsets[offsets.count - 1] + Self.headerSize + entry.name.bytes.count + entry.size)
        }
        self.offsets = offsets
    }

    /// The range of a file's bytes.
    package func place(of index: Int) -> Range<Int> {
        offsets[index + 1] - entries[index].size..<offsets[index + 1]
    }

    /// The size of the whole archive without a comment, in bytes.
    package var count: Int { directoryOffset + endSize }

    /// The size of `end` without a comment, in bytes.
    package var endSize: Int { directorySize + (isZIP64 ? 56 + 20 : 0) + 22 }

    private var directoryOffset: Int { offsets[entries.count] }

    private var directorySize: Int {
        entries.indices.reduce(0) { $0 + 46 + entries[$1].name.bytes.count + (hasLargeOffset($1) ? 12 : 0) }
    }

    private func hasLargeOffset(_ index: Int) -> Bool { offsets[index] > Self.largest32 }

    private var isZIP64: Bool {
        entries.count > Self.largest16 || directoryOffset > Self.largest32 || directorySize > Self.largest32
    }

    /// The local header and the name, which come before a file's bytes (4.3.7).
    package func header(of index: Int, checksum: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([0x50, 0x4B, 0x03, 0x04])
        writer.append(fields(of: index, checksum, extra: 0))
        writer.append(entries[index].name.bytes)
        return writer.bytes
    }

    /// What the local header and the directory have in common.
    private func fields(of index: Int, _ checksum: UInt32, extra: Int) -> [UInt8] {
        let (name, size) = (entries[index].name, UInt32(entries[index].size))
        var writer = ByteWriter()
        writer.integer(UInt16(extra > 0 ? 45 : 20), .little)  // the version that reads it: 4.5 for ZIP64, or 2.0
        writer.integer(UInt16(name.bytes.allSatisfy { $0 < 0x80 } ? 0 : 0x800), .little)  // UTF-8
        writer.integer(UInt16(0), .little)  // stored
        writer.integer(UInt32(0x21 << 16), .little)  // the earliest possible date, 1 January 1980
        writer.integer(checksum, .little)
        writer.integer(size, .little)
        writer.integer(size, .little)
        writer.integer(UInt16(name.bytes.count), .little)
        writer.integer(UInt16(extra), .little)
        return writer.bytes
    }

    /// Everything after the files: the directory and its end (4.3.12 to 4.3.16).
    ///
    /// - Parameter checksums: of all entries.
    package func end(checksums: [UInt32], comment: String = "") -> [UInt8] {
        var writer = ByteWriter()
        for (index, checksum) in checksums.enumerated() {
            let isLarge = hasLargeOffset(index)
            writer.append([0x50, 0x4B, 0x01, 0x02, isLarge ? 45 : 20, 0])
            writer.append(fields(of: index, checksum, extra: isLarge ? 12 : 0))
            writer.zeros(10)
            writer.integer(isLarge ? UInt32.max : UInt32(offsets[index]), .little)
            writer.append(entries[index].name.bytes)
            guard isLarge else { continue }
            writer.integer(UInt16(1), .little)
            writer.integer(UInt16(8), .little)
            writer.integer(UInt64(offsets[index]), .little)
        }
        if isZIP64 { writer.append(largeEnd) }
        let count = UInt16(min(entries.count, Int(UInt16.max)))
        writer.append([0x50, 0x4B, 0x05, 0x06, 0, 0, 0, 0])
        writer.integer(count, .little)
        writer.integer(count, .little)
        writer.integer(UInt32(min(directorySize, Int(UInt32.max))), .little)
        writer.integer(UInt32(min(directoryOffset, Int(UInt32.max))), .little)
        writer.integer(UInt16(comment.utf8.count), .little)
        writer.text(comment)
        return writer.bytes
    }

    /// The end of the directory in 64 bits, and the record that leads to it.
    private var largeEnd: [UInt8] {
        var writer = ByteWriter()
        writer.append([0x50, 0x4B, 0x06, 0x06])
        writer.integer(UInt64(44), .little)  // what follows
        writer.append([45, 0, 45, 0])
        writer.zeros(8)
        writer.integer(UInt64(entries.count), .little)
        writer.integer(UInt64(entries.count), .little)
        writer.integer(UInt64(directorySize), .little)
        writer.integer(UInt64(directoryOffset), .little)
        writer.append([0x50, 0x4B, 0x06, 0x07, 0, 0, 0, 0])
        writer.integer(UInt64(directoryOffset + directorySize), .little)
        writer.integer(UInt32(1), .little)
        return writer.bytes
    }
}

extension ZipLayout {
    /// The archive, for which all files are read.
    ///
    /// - Parameter contents: of the entries, in their order.
    /// - Throws: As `FilePieces.forEach`.
    func pieces(_ contents: [FilePieces], comment: String = "") throws -> FilePieces {
        var archive = FilePieces()
        var checksums: [UInt32] = []
        for (index, content) in contents.enumerated() {
            var checksum = CRC32()
            try content.forEach { checksum.update($0) }
            archive.append(header(of: index, checksum: checksum.value))
            archive.append(content)
            checksums.append(checksum.value)
        }
        archive.append(end(checksums: checksums, comment: comment))
        return archive
    }
}
