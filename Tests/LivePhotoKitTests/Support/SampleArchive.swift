import Bytes

/// A ZIP archive made without the code under test.
struct SampleArchive {
    struct Entry {
        var name: String
        /// As it stands in the archive.
        var data: [UInt8]
        var method: UInt16 = 0
        var flags: UInt16 = 0
        /// What it is unpacked.
        var content: [UInt8]

        init(_ name: String, _ content: [UInt8], deflated: [UInt8]? = nil) {
            (self.name, self.content, data) = (name, content, deflated ?? content)
            method = deflated == nil ? 0 : 8
        }
    }

    var entries: [Entry]

    init(_ entries: [Entry]) { self.entries = entries }

    /// With extra fields only in the local headers, as many programs write them.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        var directory = ByteWriter()
        for entry in entries {
            directory.append([0x50, 0x4B, 1, 2, 20, 0])
            directory.append(header(entry, extra: 0))
            directory.zeros(10)
            directory.integer(UInt32(writer.count), .little)
            directory.text(entry.name)
            writer.append([0x50, 0x4B, 3, 4])
            writer.append(header(entry, extra: 5))
            writer.text(entry.name)
            writer.zeros(5)
            writer.append(entry.data)
        }
        let start = writer.count
        writer.append(directory.bytes)
        writer.append([0x50, 0x4B, 5, 6, 0, 0, 0, 0])
        for _ in 0..<2 { writer.integer(UInt16(entries.count), .little) }
        writer.integer(UInt32(directory.count), .little)
        writer.integer(UInt32(start), .little)
        writer.zeros(2)
        return writer.bytes
    }

    private func header(_ entry: Entry, extra: UInt16) -> [UInt8] {
        var writer = ByteWriter()
        for number in [20, entry.flags, entry.method, 0, 0x21] { writer.integer(number, .little) }
        writer.integer(Self.checksum(entry.content), .little)
        writer.integer(UInt32(entry.data.count), .little)
        writer.integer(UInt32(entry.content.count), .little)
        writer.integer(UInt16(entry.name.utf8.count), .little)
        writer.integer(extra, .little)
        return writer.bytes
    }

    /// CRC-32 bit by bit, as ITU-T V.42 8.1.1.6.2 defines it.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var rest = UInt32.max
        for byte in bytes {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
        }
        return ~rest
    }
}
