package import Bytes

/// Exif data in other kinds of file, whose photos are re-encoded rather than edited.
package enum ContainerExif {
    /// The photo's Exif data, beginning with the TIFF header.
    ///
    /// For a TIFF file, whose fields mostly describe how its picture is stored, this is a new TIFF with only those that
    /// describe the photo, without MakerNote.
    ///
    /// - Parameter bytes: the complete file.
    /// - Returns: nil for an unknown kind, or a file without Exif data.
    /// - Throws: `ParseError` for a file that is damaged before its Exif data.
    package static func tiff(in bytes: [UInt8]) throws(ParseError) -> [UInt8]? {
        if PhotoMetadata.Format(of: bytes) != nil { return try PhotoEditor(bytes).tiff() }
        if bytes.starts(with: pngSignature) { return try pngChunk(bytes) }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return try webPChunk(bytes)
        }
        guard bytes.starts(with: "MM\0*".utf8) || bytes.starts(with: "II*\0".utf8) else { return nil }
        return try descriptiveFields(bytes)
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// The chunk `eXIf`: length, type, content, checksum (PNG 5.3 and 11.3.3.7).
    private static func pngChunk(_ bytes: [UInt8]) throws(ParseError) -> [UInt8]? {
        var reader = ByteReader(bytes, structure: "PNG")
        try reader.skip(pngSignature.count)
        while !reader.isAtEnd {
            let length = Int(try reader.integer(UInt32.self))
            switch try reader.fourCC() {
            case "eXIf": return withoutSignature(try reader.bytes(length))
            case "IEND": return nil
            default: try reader.skip(length)
            }
            try reader.skip(4)
        }
        return nil
    }

    /// The chunk `EXIF`: type, length, content, a padding byte after an odd length (RFC 9649, 2.3 and 2.7.1.5).
    private static func webPChunk(_ bytes: [UInt8]) throws(ParseError) -> [UInt8]? {
        var reader = ByteReader(bytes, structure: "WebP")
        try reader.skip(12)
        while reader.remaining >= 8 {
            let type = try reader.fourCC()
            let length = Int(try reader.integer(UInt32.self, .little))
            if type == "EXIF" { return withoutSignature(try reader.bytes(length)) }
            try reader.skip(length)
            if !length.isMultiple(of: 2), !reader.isAtEnd { try reader.skip(1) }
        }
        return nil
    }

    /// Some writers store a JPEG segment there, including its signature.
    private static func withoutSignature(_ content: [UInt8]) -> [UInt8] {
        let signature = JPEG.exifSignature
        return content.starts(with: signature) ? Array(content.dropFirst(signature.count)) : content
    }

    private static let descriptive: [TIFFTag] = [
        .imageDescription, .make, .model, .orientation, .software, .dateTime, .artist, .copyright,
    ]

    private static func descriptiveFields(_ bytes: [UInt8]) throws(ParseError) -> [UInt8]? {
        var tiff = try TIFF(from: ByteReader(bytes, structure: "TIFF"))
        tiff.image = IFD(descriptive.compactMap { tiff.image[$0] })
        tiff.exif?[.makerNote] = nil
        guard !tiff.image.fields.isEmpty || tiff.exif != nil || tiff.gps != nil else { return nil }
        return tiff.bytes
    }
}
