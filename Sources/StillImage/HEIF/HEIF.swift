package import Bytes
import ISOBMFF
package import MediaModel

/// A photo of ISO/IEC 23008-12: items such as tiles, thumbnails and Exif data, which the box `meta` lists and locates.
///
/// Only the headers of the file's boxes and `meta` are read. Both HEIC and AVIF have this form.
package struct HEIF: Sendable {
    /// The top-level boxes.
    let boxes: [BoxLocation]
    /// `meta` and the boxes in it.
    let meta: BoxLocation
    let metaBoxes: [ChildBox]
    let items: [ItemInfoBox.Item]
    let locations: ItemLocationBox?
    let references: [ItemReferenceBox.Reference]
    let properties: ItemPropertiesBox
    /// The numbers of the items of Exif data and XMP.
    private let metadataItems: Set<UInt32>
    private var display: ItemDisplay
    private let fileSize: Int

    /// The number of the item that is the photo.
    private(set) var primary: UInt32
    /// Size of the stored picture.
    package private(set) var size: PixelSize
    /// How the stored picture is rotated and mirrored for display, from `irot` and `imir`. Exif's Orientation is
    /// ignored.
    package var orientation: Orientation { display.orientation }

    /// Whether the transfer function is PQ or HLG.
    package var isHDR: Bool { display.color?.isHDR == true }

    /// Size of the picture for display.
    package var displaySize: PixelSize {
        let size = display.cleanAperture ?? size
        return orientation.swapsAxes ? size.transposed : size
    }

    package init(_ bytes: [UInt8]) throws(ParseError) {
        let boxes = Self.boxes(size: bytes.count) { offset, count in Array(bytes[offset..<offset + count]) }
        let meta = try Self.meta(of: boxes)
        try self.init(boxes, meta: meta, Array(bytes[meta.range]), fileSize: bytes.count)
    }

    /// - Throws: `ParseError`; `Errno` of pread(2).
    package init(_ file: InputFile) throws {
        let boxes = try Self.boxes(size: file.size, read: file.bytes(at:count:))
        let meta = try Self.meta(of: boxes)
        try self.init(
            boxes, meta: meta, file.bytes(at: meta.range.lowerBound, count: meta.range.count), fileSize: file.size)
    }

    /// The boxes of a file, up to its end or the first incomplete or invalid box, such as data that a camera appended.
    private static func boxes<Failure>(
        size: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [BoxLocation] {
        try BoxLocation.all(in: 0..<size, limit: HEIFLimits.topLevelBoxes, read: read).filter { !$0.isCutOff }
    }

    private static func meta(of boxes: [BoxLocation]) throws(ParseError) -> BoxLocation {
        guard let meta = boxes.first(where: { $0.type == "meta" }) else {
            let end = boxes.last?.range.upperBound ?? 0
            throw ParseError(.missing, in: "HEIF", at: end, expected: "a complete meta box")
        }
        guard meta.range.count <= HEIFLimits.meta else {
            throw ParseError(
                .overLimit, in: "meta", at: meta.range.lowerBound,
                expected: "at most \(HEIFLimits.meta) bytes, found \(meta.range.count)")
        }
        return meta
    }

    private init(_ boxes: [BoxLocation], meta: BoxLocation, _ bytes: [UInt8], fileSize: Int) throws(ParseError) {
        var reader = ByteReader(bytes, structure: "meta", fileOffset: meta.range.lowerBound)
        try reader.skip(meta.header.size)
        _ = try reader.fullBoxHeader(latest: .max)
        let parts = try reader.boxes(limit: HEIFLimits.boxes)
        func part(_ type: FourCC) -> ByteReader? { parts.first { $0.type == type }?.payload }

        guard var handler = part("hdlr") else { throw reader.missing("hdlr") }
        try handler.skip(8)
        guard try handler.fourCC() == "pict" else {
            throw handler.error(.unsupported, expected: "the handler type pict of a photo before this")
        }
        guard var primaryItem = part("pitm") else { throw reader.missing("pitm") }
        let version = try primaryItem.fullBoxHeader(latest: .max).version
        let primary = try primaryItem.itemID(isWide: version > 0)
        items = try part("iinf").map(ItemInfoBox.init(from:))?.items ?? []
        metadataItems = Set(items.lazy.filter { ["Exif", "mime"].contains($0.type) }.map(\.id))
        locations = try part("iloc").map(ItemLocationBox.init(from:))
        references = try part("iref").map(ItemReferenceBox.init(from:))?.references ?? []
        let properties = try part("iprp").map(ItemPropertiesBox.init(from:))
        guard let properties, case let display = try properties.display(of: primary),
            let size = display.size, size.width > 0, size.height > 0
        else {
            throw reader.error(.missing, expected: "the size (ispe) of the primary item")
        }
        guard size.longEdge <= HEIFLimits.edge else {
            throw reader.error(
                .overLimit, expected: "a picture of at most \(HEIFLimits.edge) pixels a side, found \(size)")
        }
        (self.primary, self.properties, self.display, self.size) = (primary, properties, display, size)
        (self.boxes, self.meta, metaBoxes, self.fileSize) = (boxes, meta, parts, fileSize)
    }

    /// This file with another item as its primary one.
    ///
    /// - Throws: `ParseError` for an item without a size.
    func withPrimary(_ item: UInt32) throws(ParseError) -> HEIF {
        var copy = self
        let display = try properties.display(of: item)
        guard let size = display.size, size.width > 0, size.height > 0, size.longEdge <= HEIFLimits.edge else {
            throw error(.missing, in: "iprp", "the size (ispe) of item \(item)")
        }
        (copy.primary, copy.display, copy.size) = (item, display, size)
        return copy
    }

    /// The item with the photo's Exif data.
    var exifItem: UInt32? {
        let exif = items.filter { $0.type == "Exif" }.map(\.id)
        return exif.first(where: descriptions.contains) ?? exif.first
    }

    /// The items with the photo's XMP. The XMP of a gain map, which readers of the gain map need, is not among them.
    var xmpItems: [UInt32] {
        let descriptions = descriptions
        return items.filter {
            $0.type == "mime" && $0.contentType == ItemInfoBox.Item.xmpType && descriptions.contains($0.id)
        }.map(\.id)
    }

    /// The items with XMP of other pictures, such as a gain map.
    var otherXMPItems: [UInt32] {
        let descriptions = descriptions
        return items.filter {
            $0.type == "mime" && $0.contentType == ItemInfoBox.Item.xmpType && !descriptions.contains($0.id)
        }.map(\.id)
    }

    /// The items that describe the photo.
    private var descriptions: Set<UInt32> {
        Set(references.lazy.filter { $0.type == "cdsc" && $0.to.contains(primary) }.map(\.from))
    }

    /// The items with Exif data of other pictures, as files of several photos have them.
    var otherExifItems: [UInt32] {
        let own = exifItem
        return items.filter { $0.type == "Exif" && $0.id != own }.map(\.id)
    }

    /// Whether it is metadata without content: exiftool removes metadata by a length of 0, which is otherwise all up to the
    /// file's end.
    func isEmptyMetadata(_ item: ItemLocationBox.Item) -> Bool {
        item.extents.allSatisfy { $0.length == 0 } && metadataItems.contains(item.id)
    }

    /// The ranges in the file of an item of Exif data or XMP; none if it has no content.
    func ranges(ofMetadata id: UInt32) throws(ParseError) -> [Range<Int>] {
        guard let item = locations?.items.first(where: { $0.id == id }) else {
            throw error(.missing, in: "iloc", "the location of item \(id)")
        }
        guard item.extents.count <= HEIFLimits.extents else {
            throw error(
                .overLimit, in: "iloc",
                "item \(id) in at most \(HEIFLimits.extents) extents, found \(item.extents.count)")
        }
        let ranges = try ranges(of: item)
        guard ranges.allSatisfy({ $0.count <= HEIFLimits.metadataItem }),
            ranges.reduce(0, { $0 + $1.count }) <= HEIFLimits.metadataItem
        else {
            throw ParseError(
                .overLimit, in: "HEIF item \(id)", at: ranges.first?.lowerBound ?? 0,
                expected: "at most \(HEIFLimits.metadataItem) bytes")
        }
        return ranges
    }

    /// The ranges in the file of an item's data.
    func ranges(of item: ItemLocationBox.Item) throws(ParseError) -> [Range<Int>] {
        if isEmptyMetadata(item) { return [] }
        let source: Range<Int>
        if item.isInFile {
            source = 0..<fileSize
        } else if item.isInItemData, let data = metaBoxes.first(where: { $0.type == "idat" }) {
            source = data.payloadRange
        } else {
            throw error(.unsupported, in: "iloc", "item \(item.id) in this file or its idat box")
        }
        let offsets = item.offsets ?? [.max]
        return try zip(offsets, item.extents).map { offset, extent throws(ParseError) in
            let available = max(source.count - offset, 0)
            let count = extent.length == 0 ? available : Int(clamping: extent.length)
            guard offset <= source.count, count <= available else {
                throw ParseError(
                    .truncated, in: "HEIF item \(item.id)", at: source.upperBound - available,
                    expected: "\(count) bytes, found \(available)")
            }
            return source.lowerBound + offset..<source.lowerBound + offset + count
        }
    }

    /// The offset of the box with a motion photo's movie; nil if there is none.
    var movieOffset: Int? { boxes.first { $0.type == "mpvd" }?.offset }

    /// An error in `meta`.
    func error(_ code: ParseError.Code, in structure: String, _ expected: String) -> ParseError {
        ParseError(code, in: structure, at: meta.range.lowerBound, expected: expected)
    }
}

/// Exif data in a HEIF: a 32-bit number, that many bytes, and a TIFF (ISO/IEC 23008-12, A.2.1).
struct HEIFExif {
    /// The bytes before the TIFF.
    let prefix: [UInt8]
    let tiff: ByteReader

    /// The prefix that cameras write: 6 and the six bytes that begin a JPEG's Exif segment.
    static let usualPrefix = [0, 0, 0, 6] + JPEG.exifSignature

    init(_ data: [UInt8], fileOffset: Int) throws(ParseError) {
        var reader = ByteReader(data, structure: "HEIF Exif item", fileOffset: fileOffset)
        let offset = try reader.integer(UInt32.self)
        try reader.skip(Int(clamping: offset))
        prefix = Array(data.prefix(data.count - reader.remaining))
        tiff = try reader.reader(reader.remaining, structure: "Exif TIFF")
    }
}

/// Limits that keep a hostile file from costing more than a photo.
enum HEIFLimits {
    /// A photo has three or four.
    static let topLevelBoxes = 1024
    /// Boxes in one container; a photo of many tiles has a few hundred items.
    static let boxes = 1 << 16
    /// Bytes of `meta`; a photo of many tiles has about 20 kB.
    static let meta = 1 << 22
    /// Bytes of one item's Exif data or XMP.
    static let metadataItem = 1 << 24
    /// Pixels of a picture's longer side; decoders allow fewer.
    static let edge = 1 << 20
    /// Items of the primary picture; one of 200 megapixels has 800 tiles.
    static let pictureItems = 4096
    /// File offsets: the lengths of new boxes can be added to smaller ones without overflow.
    static let fileOffset = 1 << 62
    /// Extents of one item of Exif data or XMP.
    static let extents = 64
    /// Items of a gain map; one of a photo of 48 megapixels has 48 tiles.
    static let gainMapParts = 1024
    /// Items of XMP, or of Exif data, in one file.
    static let metadataItems = 64
}
