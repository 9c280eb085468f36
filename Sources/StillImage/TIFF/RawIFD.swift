import Bytes

/// An image file directory with its entries as in the file, so that those of unknown types survive an edit.
struct RawIFD: Sendable {
    struct Entry: Hashable, Sendable {
        var tag: TIFFTag
        var type: UInt16
        var count: UInt32
        /// The value or its offset: four bytes as in the file.
        var value: [UInt8]
        /// The file offset of `value`; 0 in a new entry.
        var valueOffset = 0
    }

    private(set) var entries: [Entry] = []
    /// The offset of the next directory: four bytes as in the file.
    var next: [UInt8] = [0, 0, 0, 0]
    /// The range of the directory, counted from the TIFF's start; nil if it is not there.
    var range: Range<Int>?

    /// An empty directory.
    init() {}

    /// Reads the directory at `offset` from the start of `source`.
    init(from source: ByteReader, at offset: Int, _ endianness: ByteReader.Endianness) throws(ParseError) {
        var reader = source
        try reader.skip(offset)
        let count = Int(try reader.integer(UInt16.self, endianness))
        guard count <= IFD.fieldLimit else {
            throw reader.error(.overLimit, expected: "at most \(IFD.fieldLimit) fields, found \(count)")
        }
        entries = try reader.table(count: count, entrySize: 12) { reader throws(ParseError) in
            var entry = Entry(
                tag: TIFFTag(rawValue: try reader.integer(UInt16.self, endianness)),
                type: try reader.integer(UInt16.self, endianness),
                count: try reader.integer(UInt32.self, endianness), value: [], valueOffset: reader.offset)
            entry.value = try reader.bytes(4)
            return entry
        }
        // Some writers omit the last directory's link.
        if let link = try? reader.bytes(4) { next = link }
        range = offset..<reader.offset - source.offset
    }

    /// Of two entries with the same tag, the first is used.
    subscript(tag: TIFFTag) -> Entry? {
        get { entries.first { $0.tag == tag } }
        set {
            guard let newValue else {
                entries.removeAll { $0.tag == tag }
                return
            }
            if let place = entries.firstIndex(where: { $0.tag == tag }) {
                entries[place] = newValue
            } else {
                entries.insert(newValue, at: entries.firstIndex { $0.tag > tag } ?? entries.endIndex)
            }
        }
    }

    /// The ranges of the directory and its values in a TIFF of `count` bytes.
    func usedRanges(in count: Int, _ endianness: ByteReader.Endianness) -> [Range<Int>] {
        entries.compactMap { $0.valueRange(in: count, endianness) } + [range].compactMap(\.self)
    }

    /// Writes the directory over its old version in `bytes` if it fits there, otherwise at their end.
    ///
    /// - Returns: its new offset.
    func write(to bytes: inout [UInt8], _ endianness: ByteReader.Endianness) -> Int {
        var writer = ByteWriter()
        writer.integer(UInt16(entries.count), endianness)
        for entry in entries {
            writer.integer(entry.tag.rawValue, endianness)
            writer.integer(entry.type, endianness)
            writer.integer(entry.count, endianness)
            writer.append(entry.value)
        }
        writer.append(next)
        guard let range, writer.count <= range.count else {
            bytes += repeatElement(0, count: bytes.count % 2)
            bytes += writer.bytes
            return bytes.count - writer.count
        }
        writer.zeros(range.count - writer.count)
        bytes.replaceSubrange(range, with: writer.bytes)
        return range.lowerBound
    }
}

extension RawIFD.Entry {
    /// The range of the value in a TIFF of `count` bytes; nil if it is in the entry or unknown.
    func valueRange(in count: Int, _ endianness: ByteReader.Endianness) -> Range<Int>? {
        guard let type = TIFFType(rawValue: type), let length = Int(exactly: self.count), length <= count / type.size,
            length * type.size > 4
        else { return nil }
        let numbers = endianness == .big ? value : value.reversed()
        let start = numbers.reduce(0) { $0 << 8 | Int($1) }
        let size = length * type.size
        return start <= count - size ? start..<start + size : nil
    }
}
