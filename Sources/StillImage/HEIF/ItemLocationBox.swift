import Bytes
import ISOBMFF

/// `iloc`: the locations of the data of items (ISO/IEC 14496-12, 8.11.3).
struct ItemLocationBox: Hashable, Sendable {
    struct Extent: Hashable, Sendable {
        var index: UInt64 = 0
        /// Relative to the item's base.
        var offset: UInt64
        /// 0: all of the file, or of `idat`.
        var length: UInt64
    }

    struct Item: Hashable, Sendable {
        var id: UInt32
        /// With its 12 reserved bits: 0 counts from the start of the file, 1 from the start of `idat`.
        var constructionMethod: UInt16 = 0
        /// 0: this file.
        var dataReferenceIndex: UInt16 = 0
        var base: UInt64 = 0
        var extents: [Extent]

        var isInFile: Bool { constructionMethod & 0xF == 0 && dataReferenceIndex == 0 }
        var isInItemData: Bool { constructionMethod & 0xF == 1 && dataReferenceIndex == 0 }

        /// The offsets of the extents; nil if one overflows.
        var offsets: [Int]? {
            var offsets: [Int] = []
            for extent in extents {
                let (sum, overflow) = base.addingReportingOverflow(extent.offset)
                guard !overflow, let offset = Int(exactly: sum) else { return nil }
                offsets.append(offset)
            }
            return offsets
        }
    }

    private var version: UInt8
    private var flags: UInt32
    /// Bytes of each field: 0, 4 or 8.
    private var offsetSize: Int
    private var lengthSize: Int
    private var baseSize: Int
    private var indexSize: Int
    var items: [Item]

    init(from reader: ByteReader) throws(ParseError) {
        var reader = reader
        (version, flags) = try reader.fullBoxHeader(latest: 2)
        let sizes = try reader.integer(UInt16.self)
        (offsetSize, lengthSize, baseSize, indexSize) = (
            Int(sizes >> 12), Int(sizes >> 8 & 0xF), Int(sizes >> 4 & 0xF), version == 0 ? 0 : Int(sizes & 0xF)
        )
        guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy([0, 4, 8].contains) else {
            throw reader.error(.invalidValue, expected: "fields of 0, 4 or 8 bytes")
        }
        let count = Int(try reader.itemID(isWide: version == 2))
        items = []
        for _ in 0..<count { items.append(try item(&reader)) }
    }

    private func item(_ reader: inout ByteReader) throws(ParseError) -> Item {
        var item = Item(id: try reader.itemID(isWide: version == 2), extents: [])
        if version > 0 { item.constructionMethod = try reader.integer(UInt16.self) }
        item.dataReferenceIndex = try reader.integer(UInt16.self)
        item.base = try reader.bigEndian(width: baseSize)
        let count = Int(try reader.integer(UInt16.self))
        let entrySize = indexSize + offsetSize + lengthSize
        guard entrySize > 0 || count <= 1 else {
            throw reader.error(.invalidValue, expected: "one extent where extents have no fields, found \(count)")
        }
        if entrySize == 0 {
            item.extents = Array(repeating: Extent(offset: 0, length: 0), count: count)
            return item
        }
        item.extents = try reader.table(count: count, entrySize: entrySize) { reader throws(ParseError) in
            Extent(
                index: try reader.bigEndian(width: indexSize), offset: try reader.bigEndian(width: offsetSize),
                length: try reader.bigEndian(width: lengthSize))
        }
        return item
    }

    func write(to writer: inout ByteWriter) {
        writer.box("iloc") { writer in
            writer.fullBoxHeader(version: version, flags: flags)
            writer.integer(UInt16(offsetSize << 12 | lengthSize << 8 | baseSize << 4 | indexSize))
            writer.itemID(UInt32(items.count), isWide: version == 2)
            for item in items {
                writer.itemID(item.id, isWide: version == 2)
                if version > 0 { writer.integer(item.constructionMethod) }
                writer.integer(item.dataReferenceIndex)
                writer.number(item.base, baseSize)
                writer.integer(UInt16(item.extents.count))
                for extent in item.extents {
                    writer.number(extent.index, indexSize)
                    writer.number(extent.offset, offsetSize)
                    writer.number(extent.length, lengthSize)
                }
            }
        }
    }

    /// Writes a box with the data of items that follow each other in the file from an offset on. Its size does not depend on
    /// the offset.
    static func write(_ data: [PictureItems.Data], from offset: Int, isWide: Bool, to writer: inout ByteWriter) {
        writer.box("iloc") { writer in
            writer.fullBoxHeader(version: isWide ? 2 : 1)
            writer.integer(UInt16(0x8800))  // offsets and lengths of 8 bytes
            writer.itemID(UInt32(clamping: data.count), isWide: isWide)
            var offset = offset
            for part in data {
                writer.itemID(part.item, isWide: isWide)
                writer.integer(UInt16(0))  // in the file
                writer.integer(UInt16(0))  // in this file
                writer.integer(UInt16(1))
                writer.integer(UInt64(offset))
                writer.integer(UInt64(part.count))
                offset += part.count
            }
        }
    }

    /// Whether items of these numbers can be added.
    func canAdd(_ ids: [UInt32]) -> Bool {
        let count = items.count + ids.count
        return version == 2
            ? count <= Int(UInt32.max) : count <= Int(UInt16.max) && ids.allSatisfy { $0 <= UInt16.max }
    }

    /// Sets the location of an item's data to one range of the file.
    ///
    /// The form stays that of the item, or of the others for a new one: some readers, such as exiv2, take the base as the
    /// offset where there is one.
    mutating func place(_ id: UInt32, at offset: Int, count: Int) {
        let model = items.first { $0.id == id } ?? items.first { $0.isInFile }
        let within = model.flatMap { $0.base > 0 && $0.isInFile ? $0.extents.first?.offset : nil }
        let start = UInt64(offset)
        let item =
            if let within, within <= start {
                Item(id: id, base: start - within, extents: [Extent(offset: within, length: UInt64(count))])
            } else {
                Item(id: id, extents: [Extent(offset: start, length: UInt64(count))])
            }
        if let index = items.firstIndex(where: { $0.id == id }) { items[index] = item } else { items.append(item) }
        widen()
    }

    /// Updates the locations of data that moved to `newOffset`.
    mutating func relocate(_ newOffset: (Int) -> Int) {
        for index in items.indices where items[index].isInFile {
            // An item without content may have any offset.
            guard let old = items[index].offsets, old.allSatisfy({ $0 <= HEIFLimits.fileOffset }) else { continue }
            let new = old.map(newOffset)
            guard new != old else { continue }
            // If all extents moved by the same distance, only the base changes: it may be the only field with room for
            // the offset.
            let (oldBase, moved) = (Int(clamping: items[index].base), zip(old, new).map { $1 - $0 })
            if oldBase > 0, Set(moved).count == 1, let distance = moved.first, oldBase + distance >= 0 {
                items[index].base = UInt64(oldBase + distance)
            } else {
                items[index].base = 0
                for extent in new.indices { items[index].extents[extent].offset = UInt64(new[extent]) }
            }
        }
        widen()
    }

    /// Makes the fields as wide as the values need; never narrower, so that a box whose values fit keeps its length.
    private mutating func widen() {
        func size(_ current: Int, _ value: UInt64?) -> Int {
            max(current, value ?? 0 == 0 ? 0 : value ?? 0 <= UInt32.max ? 4 : 8)
        }
        let extents = items.lazy.flatMap(\.extents)
        offsetSize = size(offsetSize, extents.map(\.offset).max())
        lengthSize = size(lengthSize, extents.map(\.length).max())
        baseSize = size(baseSize, items.lazy.map(\.base).max())
    }
}

extension ByteReader {
    /// An item's number: 16 bits in older versions of a box, 32 in newer.
    mutating func itemID(isWide: Bool) throws(ParseError) -> UInt32 {
        isWide ? try integer(UInt32.self) : UInt32(try integer(UInt16.self))
    }
}

extension ByteWriter {
    mutating func itemID(_ id: UInt32, isWide: Bool) {
        if isWide { integer(id) } else { integer(UInt16(truncatingIfNeeded: id)) }
    }

    fileprivate mutating func number(_ value: UInt64, _ size: Int) {
        switch size {
        case 4: integer(UInt32(truncatingIfNeeded: value))
        case 8: integer(value)
        default: break
        }
    }
}
