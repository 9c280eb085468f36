import Bytes
import ISOBMFF

/// `iref`: the references between items (ISO/IEC 14496-12, 8.11.12).
struct ItemReferenceBox: Sendable {
    struct Reference: Hashable, Sendable {
        var type: FourCC
        var from: UInt32
        var to: [UInt32]
    }

    private(set) var references: [Reference] = []
    private let version: UInt8
    private var flags: UInt32 = 0
    /// The bytes of the references.
    private var entries: [UInt8] = []
    private var isWide: Bool { version > 0 }

    /// An empty box.
    ///
    /// - Parameter isWide: whether items have numbers of 32 bits.
    init(isWide: Bool) {
        version = isWide ? 1 : 0
    }

    init(from reader: ByteReader) throws(ParseError) {
        var reader = reader
        (version, flags) = try reader.fullBoxHeader(latest: .max)
        for box in try reader.boxes(limit: HEIFLimits.boxes) {
            var content = box.payload
            let from = try content.itemID(isWide: isWide)
            let count = Int(try content.integer(UInt16.self))
            let to = try content.table(count: count, entrySize: isWide ? 4 : 2) { reader throws(ParseError) in
                try reader.itemID(isWide: isWide)
            }
            references.append(Reference(type: box.type, from: from, to: to))
        }
        entries = reader.rest()
    }

    /// Writes a box with these references, each to at most 65535 items; none if there are none.
    static func write(_ references: [Reference], isWide: Bool, to writer: inout ByteWriter) {
        guard !references.isEmpty else { return }
        writer.box("iref") { writer in
            writer.fullBoxHeader(version: isWide ? 1 : 0)
            for reference in references { reference.write(isWide: isWide, to: &writer) }
        }
    }

    /// Writes the box with further references.
    ///
    /// - Throws: if the items' numbers are too large for it, or a reference has too many of them.
    func write(to writer: inout ByteWriter, adding new: [Reference]) throws(ParseError) {
        guard isWide || new.allSatisfy({ max($0.from, $0.to.max() ?? 0) <= UInt16.max }) else {
            throw ParseError(.unsupported, in: "iref", at: 0, expected: "items of numbers up to 65535")
        }
        guard new.allSatisfy({ $0.to.count <= UInt16.max }) else {
            throw ParseError(.overLimit, in: "iref", at: 0, expected: "a reference to at most 65535 items")
        }
        writer.box("iref") { writer in
            writer.fullBoxHeader(version: version, flags: flags)
            writer.append(entries)
            for reference in new { reference.write(isWide: isWide, to: &writer) }
        }
    }
}

extension ItemReferenceBox.Reference {
    fileprivate func write(isWide: Bool, to writer: inout ByteWriter) {
        writer.box(type) { writer in
            writer.itemID(from, isWide: isWide)
            writer.integer(UInt16(truncatingIfNeeded: to.count))
            for item in to { writer.itemID(item, isWide: isWide) }
        }
    }
}
