import Bytes
import ISOBMFF
import MediaModel

/// `iinf`: the list of items (ISO/IEC 14496-12, 8.11.6).
struct ItemInfoBox: Sendable {
    struct Item: Hashable, Sendable {
        var id: UInt32
        /// Nil in `infe` of versions 0 and 1, which HEIF does not use.
        var type: FourCC?
        /// The MIME type of an item of type `mime`.
        var contentType: FileText?
        /// Whether it is no picture to show.
        var isHidden = true

        static let xmpType: FileText = "application/rdf+xml"

        /// Exif data of a photo (ISO/IEC 23008-12, A.2.1).
        static func exif(_ id: UInt32) -> Self { Self(id: id, type: "Exif") }
        /// XMP of a photo (A.3).
        static func xmp(_ id: UInt32) -> Self { Self(id: id, type: "mime", contentType: xmpType) }
    }

    private(set) var items: [Item] = []
    private let version: UInt8
    private let flags: UInt32
    private let count: Int
    /// The bytes of the entries.
    private let entries: [UInt8]

    init(from reader: ByteReader) throws(ParseError) {
        var reader = reader
        (version, flags) = try reader.fullBoxHeader(latest: .max)
        count = Int(try reader.itemID(isWide: version > 0))
        for box in try reader.boxes(limit: HEIFLimits.boxes) where box.type == "infe" {
            items.append(try Item(from: box.payload))
        }
        entries = reader.rest()
    }

    /// Writes a box with these items, which get no names.
    static func write(_ items: [Item], to writer: inout ByteWriter) {
        let isWide = items.count > UInt16.max
        writer.box("iinf") { writer in
            writer.fullBoxHeader(version: isWide ? 1 : 0)
            writer.itemID(UInt32(clamping: items.count), isWide: isWide)
            for item in items { item.write(to: &writer) }
        }
    }

    /// Writes the box with further entries, which have a type and no name.
    ///
    /// XMP of other pictures comes before the photo's own, because exiv2 0.27 reads the last one that is listed.
    ///
    /// - Throws: if it has no room for them.
    func write(to writer: inout ByteWriter, adding new: [Item], areOfPhoto: Bool) throws(ParseError) {
        let count = count + new.count
        guard version > 0 ? count <= Int(UInt32.max) : count <= Int(UInt16.max) else {
            throw ParseError(.overLimit, in: "iinf", at: 0, expected: "room for another item, found \(self.count)")
        }
        writer.box("iinf") { writer in
            writer.fullBoxHeader(version: version, flags: flags)
            writer.itemID(UInt32(count), isWide: version > 0)
            if areOfPhoto { writer.append(entries) }
            for item in new { item.write(to: &writer) }
            if !areOfPhoto { writer.append(entries) }
        }
    }
}

extension ItemInfoBox.Item {
    fileprivate init(from reader: ByteReader) throws(ParseError) {
        var reader = reader
        let (version, flags) = try reader.fullBoxHeader(latest: .max)
        isHidden = flags & 1 == 1
        id = try reader.itemID(isWide: version >= 3)
        guard version >= 2 else { return }
        try reader.skip(2)  // protection
        type = try reader.fourCC()
        guard type == "mime" else { return }
        var strings = reader.rest().split(separator: 0, omittingEmptySubsequences: false).dropFirst()  // the name
        contentType = strings.popFirst().map { FileText($0) }
    }

    fileprivate func write(to writer: inout ByteWriter) {
        writer.box("infe") { writer in
            let isWide = id > UInt16.max
            writer.fullBoxHeader(version: isWide ? 3 : 2, flags: isHidden ? 1 : 0)
            writer.itemID(id, isWide: isWide)
            writer.integer(UInt16(0))  // not protected
            writer.fourCC(type ?? "mime")
            writer.integer(UInt8(0))  // no name
            if let contentType { writer.append(contentType.bytes + [0]) }
        }
    }
}
