import Bytes
import ISOBMFF
import TestSupport
import Testing

/// A HEIC of 64 by 48 pixels as far as its boxes say; its picture is made up.
struct SampleHEIF: Sendable, CustomTestStringConvertible {
    var name: String
    var tiff: [UInt8]? = minimalTIFF
    var version = 0
    var offsetSize = 4
    var baseSize = 0
    /// In how many pieces the Exif data are listed.
    var pieces = 1
    var isExifInItemData = false
    var isMetaLast = false
    /// Whether the last box says that it ends with the file.
    var endsWithFile = false
    var isMetaLong = false
    /// Properties of the picture after its size.
    var properties: [[UInt8]] = []
    /// The photo's XMP.
    var xmp = SampleHEIF.xmp
    /// The Exif data of another picture, item 4.
    var otherTIFF: [UInt8]?
    /// A box between `meta` and `mdat`.
    var between: [UInt8] = []
    /// What follows the boxes.
    var appended: [UInt8] = []

    var testDescription: String { name }

    static let picture = Array("this is the picture, no byte of which may change".utf8)
    static let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'>somewhere</x:xmpmeta>".utf8)

    static let layouts = [
        SampleHEIF(name: "as phones write it"), SampleHEIF(name: "version 1", version: 1),
        SampleHEIF(name: "version 2, 64 bits", version: 2, offsetSize: 8),
        SampleHEIF(name: "bases", version: 1, baseSize: 8),
        SampleHEIF(name: "bases alone", version: 1, offsetSize: 0, baseSize: 4),
        SampleHEIF(name: "pieces", pieces: 3), SampleHEIF(name: "idat", version: 1, isExifInItemData: true),
        SampleHEIF(name: "meta last", isMetaLast: true),
        SampleHEIF(name: "meta last without size", isMetaLast: true, endsWithFile: true),
        SampleHEIF(name: "mdat without size", endsWithFile: true), SampleHEIF(name: "64-bit meta", isMetaLong: true),
        SampleHEIF(name: "motion photo", appended: box("mpvd", Array("a movie".utf8)) + Array("SEFT".utf8)),
    ]

    var bytes: [UInt8] {
        let start = box("ftyp", Array("heic".utf8) + hex("00000000") + Array("mif1heic".utf8))
        var meta = meta(mediaOffset: 0)
        let exif = isExifInItemData ? [] : exifItem
        var media = box("mdat", Self.picture + exif + xmp + otherExifItem)
        meta = self.meta(mediaOffset: start.count + 8 + (isMetaLast ? 0 : meta.count + between.count))
        if endsWithFile {
            if isMetaLast {
                meta.replaceSubrange(0..<4, with: [0, 0, 0, 0])
            } else {
                media.replaceSubrange(0..<4, with: [0, 0, 0, 0])
            }
        }
        return start + (isMetaLast ? media + meta : meta + between + media) + appended
    }

    private var exifItem: [UInt8] { Self.item(tiff) }
    private var otherExifItem: [UInt8] { Self.item(otherTIFF) }

    private static func item(_ tiff: [UInt8]?) -> [UInt8] { tiff.map { hex("00000006 457869660000") + $0 } ?? [] }

    private func meta(mediaOffset: Int) -> [UInt8] {
        let infos =
            info(1, Array("hvc1".utf8) + [0]) + (tiff == nil ? [] : info(2, Array("Exif".utf8) + [0]))
            + info(3, Array("mime".utf8) + [0] + Array("application/rdf+xml".utf8) + [0])
            + (otherTIFF == nil ? [] : info(4, Array("Exif".utf8) + [0]))
        let count = 2 + (tiff == nil ? 0 : 1) + (otherTIFF == nil ? 0 : 1)
        let properties = [box("ispe", hex("00000000 00000040 00000030"))] + self.properties
        let associations = [UInt8(properties.count)] + (1...UInt8(properties.count)).map { $0 | 0x80 }
        let references = (tiff == nil ? [] : box("cdsc", hex("0002 0001 0001"))) + box("cdsc", hex("0003 0001 0001"))
        let content =
            heifMetaContent(
                locations: location(mediaOffset), infos: (count, infos), references: references,
                properties: Array(properties.joined()), associations: (1, hex("0001") + associations))
            + (isExifInItemData ? box("idat", exifItem) : [])
        guard isMetaLong else { return box("meta", content) }
        var writer = ByteWriter()
        writer.integer(UInt32(1))
        writer.text("meta")
        writer.integer(UInt64(content.count + 16))
        return writer.bytes + content
    }

    private func info(_ id: UInt8, _ rest: [UInt8]) -> [UInt8] {
        box("infe", hex("02000000 00") + [id] + hex("0000") + rest)
    }

    private func location(_ mediaOffset: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt32(version) << 24)
        writer.integer(UInt16(offsetSize << 12 | 4 << 8 | baseSize << 4))
        let exifCount = exifItem.count
        var items: [(id: Int, isInItemData: Bool, offset: Int, lengths: [Int])] = [
            (1, false, mediaOffset, [Self.picture.count]),
            (
                3, false, mediaOffset + Self.picture.count + (isExifInItemData ? 0 : exifCount), [xmp.count]
            ),
        ]
        if tiff != nil {
            let piece = exifCount / pieces
            let lengths = Array(repeating: piece, count: pieces - 1) + [exifCount - piece * (pieces - 1)]
            items.append(
                (2, isExifInItemData, isExifInItemData ? 0 : mediaOffset + Self.picture.count, lengths))
        }
        if otherTIFF != nil {
            let start = mediaOffset + Self.picture.count + (isExifInItemData ? 0 : exifCount) + xmp.count
            items.append((4, false, start, [otherExifItem.count]))
        }
        func number(_ value: Int, _ size: Int) {
            if size == 4 { writer.integer(UInt32(value)) } else if size == 8 { writer.integer(UInt64(value)) }
        }
        number(items.count, version == 2 ? 4 : 0)
        if version < 2 { writer.integer(UInt16(items.count)) }
        for item in items {
            if version < 2 { writer.integer(UInt16(item.id)) } else { writer.integer(UInt32(item.id)) }
            if version > 0 { writer.integer(UInt16(item.isInItemData ? 1 : 0)) }
            writer.integer(UInt16(0))
            let base = baseSize == 0 ? 0 : offsetSize == 0 ? item.offset : item.offset / 2
            number(base, baseSize)
            writer.integer(UInt16(item.lengths.count))
            var offset = item.offset
            for length in item.lengths {
                number(offset - base, offsetSize)
                writer.integer(UInt32(length))
                offset += length
            }
        }
        return box("iloc", writer.bytes)
    }
}

/// The data of an item that stands in the file, read without the code under test.
func itemData(_ id: Int, in file: [UInt8]) throws -> [UInt8] {
    guard let type = (4..<file.count - 4).first(where: { Array(file[$0..<$0 + 4]) == Array("iloc".utf8) }) else {
        return []
    }
    var reader = ByteReader(Array(file[(type + 4)...]), structure: "iloc")
    let version = Int(try reader.integer(UInt32.self)) >> 24
    let sizes = try reader.integer(UInt16.self)
    func number(_ shift: Int) throws -> Int {
        switch sizes >> shift & 0xF {
        case 4: Int(try reader.integer(UInt32.self))
        case 8: Int(try reader.integer(UInt64.self))
        default: 0
        }
    }
    let count = version == 2 ? Int(try reader.integer(UInt32.self)) : Int(try reader.integer(UInt16.self))
    var data: [UInt8] = []
    for _ in 0..<count {
        let item = version == 2 ? Int(try reader.integer(UInt32.self)) : Int(try reader.integer(UInt16.self))
        try reader.skip(version > 0 ? 4 : 2)
        let base = try number(4)
        for _ in 0..<(try reader.integer(UInt16.self)) {
            let offset = base + (try number(12))
            let length = try number(8)
            if item == id { data += file[offset..<offset + length] }
        }
    }
    return data
}

/// The content of the box `meta` of a HEIF whose primary item is 1.
///
/// - Parameters:
///   - locations: the box `iloc`.
///   - infos: the number of boxes `infe`, and the boxes.
///   - references: the boxes in `iref`; none for a file without it.
///   - properties: the boxes in `ipco`.
///   - associations: the number of items in `ipma`, and their entries.
func heifMetaContent(
    locations: [UInt8], infos: (count: Int, boxes: [UInt8]), references: [UInt8], properties: [UInt8],
    associations: (count: Int, entries: [UInt8])
) -> [UInt8] {
    hex("00000000")
        + box("hdlr", hex("00000000 00000000") + Array("pict".utf8) + hex("00000000 00000000 00000000 00"))
        + box("pitm", hex("00000000 0001")) + locations
        + box("iinf", hex("00000000") + big(infos.count, 2) + infos.boxes)
        + (references.isEmpty ? [] : box("iref", hex("00000000") + references))
        + box(
            "iprp",
            box("ipco", properties) + box("ipma", hex("00000000") + big(associations.count) + associations.entries))
}
