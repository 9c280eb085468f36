package import Bytes

/// Where a box stands in a file (ISO/IEC 14496-12, 4.2).
package struct BoxSpan: Hashable, Sendable {
    package let type: FourCC
    /// All of it, from its header on.
    package let range: Range<Int>
    package let headerSize: Int
    /// Whether its size field is 0: it ends where the file does.
    package let endsWithFile: Bool

    package var payload: Range<Int> { range.lowerBound + headerSize..<range.upperBound }

    /// Reads the header of a box that ends at `end` at the latest; nil where there is no such box.
    init?(from reader: inout ByteReader, end: Int) {
        let start = reader.offset
        guard let field = try? reader.integer(UInt32.self), let type = try? reader.fourCC(), type.rawValue != 0 else {
            return nil
        }
        var claimed = UInt64(field)
        if field == 1 {
            guard let long = try? reader.integer(UInt64.self) else { return nil }
            claimed = long
        }
        headerSize = reader.offset - start
        endsWithFile = field == 0
        let size = endsWithFile ? end - start : Int(exactly: claimed) ?? .max
        guard size >= headerSize, size <= end - start else { return nil }
        self.type = type
        range = start..<start + size
    }

    /// The boxes of a file, up to its end or to what is no whole box: what a camera appended, or one cut off.
    static func topLevel<Failure>(
        size: Int, read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> [BoxSpan] {
        var boxes: [BoxSpan] = []
        var offset = 0
        while offset < size, boxes.count < HEIFLimits.topLevelBoxes {
            var reader = ByteReader(try read(offset, longestHeader), structure: "HEIF", fileOffset: offset)
            guard let box = BoxSpan(from: &reader, end: size) else { break }
            boxes.append(box)
            offset = box.range.upperBound
        }
        return boxes
    }

    private static let longestHeader = 16
}

/// A box and its content.
struct Box {
    let span: BoxSpan
    /// What follows the header.
    let content: ByteReader

    /// The boxes that fill what `reader` has left.
    static func all(in reader: ByteReader) throws(ParseError) -> [Box] {
        var reader = reader
        var boxes: [Box] = []
        while !reader.isAtEnd {
            let start = reader
            guard boxes.count < HEIFLimits.boxes else {
                throw reader.error(.overLimit, expected: "at most \(HEIFLimits.boxes) boxes")
            }
            guard let span = BoxSpan(from: &reader, end: reader.offset + reader.remaining) else {
                throw start.error(.truncated, expected: "a whole box, found \(start.remaining) bytes")
            }
            // One in another would go on into what an edit puts behind it (ISO/IEC 14496-12, 4.2).
            guard !span.endsWithFile else {
                throw start.error(.invalidValue, expected: "a box with a size, which only the last of a file may lack")
            }
            boxes.append(Box(span: span, content: try reader.reader(span.payload.count, structure: "\(span.type) box")))
        }
        return boxes
    }
}

extension ByteReader {
    /// Version and flags, with which a FullBox begins (ISO/IEC 14496-12, 4.2).
    mutating func fullBoxHeader() throws(ParseError) -> (version: UInt8, flags: UInt32) {
        let word = try integer(UInt32.self)
        return (UInt8(word >> 24), word & 0xFF_FFFF)
    }

    /// An item's number: 16 bits in older versions of a box, 32 in newer.
    mutating func itemID(isWide: Bool) throws(ParseError) -> UInt32 {
        isWide ? try integer(UInt32.self) : UInt32(try integer(UInt16.self))
    }
}

extension ByteWriter {
    mutating func itemID(_ id: UInt32, isWide: Bool) {
        if isWide { integer(id) } else { integer(UInt16(truncatingIfNeeded: id)) }
    }
}

/// What keeps a hostile file from costing more than a photo does.
enum HEIFLimits {
    /// A photo has three or four.
    static let topLevelBoxes = 1024
    /// Boxes in one other; a photo of many tiles has a few hundred items.
    static let boxes = 1 << 16
    /// Bytes of `meta`; a photo of many tiles has some 20 kB.
    static let meta = 1 << 22
    /// Bytes of one item's Exif data or XMP.
    static let metadataItem = 1 << 24
    /// Pieces that one item's Exif data or XMP are in.
    static let extents = 64
    /// XMP items of one photo.
    static let xmpItems = 16
}
