import Bytes

/// `iref`: which item refers to which (ISO/IEC 14496-12, 8.11.12).
struct ItemReferenceBox: Sendable {
    struct Reference: Hashable, Sendable {
        var type: FourCC
        var from: UInt32
        var to: [UInt32]
    }

    let references: [Reference]
    private let header: UInt32
    /// The references as they stand.
    private let entries: [UInt8]
    private var isWide: Bool { header >> 24 > 0 }

    /// One without references.
    ///
    /// - Parameter isWide: whether items have numbers of 32 bits.
    init(isWide: Bool) {
        references = []
        header = isWide ? 1 << 24 : 0
        entries = []
    }

    init(from reader: ByteReader) throws(ParseError) {
        var reader = reader
        let (version, flags) = try reader.fullBoxHeader()
        header = UInt32(version) << 24 | flags
        var references: [Reference] = []
        for box in try Box.all(in: reader) {
            var content = box.content
            let from = try content.itemID(isWide: version > 0)
            let count = Int(try content.integer(UInt16.self))
            let to = try content.table(count: count, entrySize: version > 0 ? 4 : 2) { reader throws(ParseError) in
                try reader.itemID(isWide: version > 0)
            }
            references.append(Reference(type: box.span.type, from: from, to: to))
        }
        self.references = references
        entries = reader.rest()
    }

    /// Writes the box with one reference more.
    ///
    /// - Throws: when the items' numbers are too large for it.
    func write(to writer: inout ByteWriter, adding type: FourCC, from: UInt32, to: UInt32) throws(ParseError) {
        guard isWide || max(from, to) <= UInt16.max else {
            throw ParseError(.unsupported, in: "iref box", at: 0, expected: "items of numbers up to 65535")
        }
        writer.box("iref") { writer in
            writer.integer(header)
            writer.append(entries)
            writer.box(type) { writer in
                writer.itemID(from, isWide: isWide)
                writer.integer(UInt16(1))
                writer.itemID(to, isWide: isWide)
            }
        }
    }
}
