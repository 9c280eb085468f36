import Bytes
import ISOBMFF

/// What is removed from a HEIF besides the photo's own Exif data. Everything keeps its length, so that nothing moves.
extension HEIFEditor {
    /// Throws for more items of metadata than any photo has.
    func limited(_ items: [UInt32]) throws(ParseError) -> [UInt32] {
        guard items.count <= HEIFLimits.metadataItems else {
            throw heif.error(
                .overLimit, in: "meta", "at most \(HEIFLimits.metadataItems) items of metadata, found \(items.count)")
        }
        return items
    }

    /// The splices that overwrite an item of XMP with what stays of it, and spaces.
    func erasing(_ item: UInt32, keeping: KeptMetadata) throws(ParseError) -> [Splice] {
        let old = try heif.ranges(ofMetadata: item).flatMap { bytes[$0] }
        guard !old.isEmpty, let new = XMP.overwritten(old, keeping: keeping) else { return [] }
        return try overwriting(item, with: new)
    }

    /// The name of a box with a manifest of C2PA (Technical Specification 2.2, A.5.1).
    private static let contentCredentials: [UInt8] = [
        0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
    ]

    /// The splices that remove the location, or all metadata, from the file's other pictures, but what a gain map needs; and
    /// statements about where the content comes from (C2PA), which have both and are not true of a changed file.
    func erasingOthers(keeping: KeptMetadata) throws(ParseError) -> [Splice] {
        var splices: [Splice] = []
        for item in try limited(heif.otherExifItems) {
            let data = try heif.ranges(ofMetadata: item).flatMap { bytes[$0] }
            let exif = try? HEIFExif(data, fileOffset: 0)
            var reader = exif?.tiff
            guard keeping != .nothing, let exif, let tiff = reader?.rest(), let new = TIFFEditor.withoutLocation(tiff)
            else {
                splices += try overwriting(item, with: 0)
                continue
            }
            if new != tiff { splices += try overwriting(item, with: exif.prefix + new) }
        }
        for item in try limited(heif.otherXMPItems) {
            let packet = try heif.ranges(ofMetadata: item).flatMap { bytes[$0] }
            splices += try erasing(item, keeping: keeping.ofFurtherXMP(packet))
        }
        for box in heif.boxes where box.type == "uuid" && bytes[box.payload].starts(with: Self.contentCredentials) {
            let type = box.range.lowerBound + 4
            splices.append(Splice(type..<type + 4, Array("free".utf8)))
            splices.append(Splice(box.payload, [UInt8](repeating: 0, count: box.payload.count)))
        }
        return splices
    }
}
