package import Bytes

/// The container of Exif: a TIFF with an IFD for the picture and, below it, those for Exif and GPS.
///
/// The IFD of a thumbnail and the one for interoperability are not read. Written TIFFs are big-endian.
package struct TIFF: Hashable, Sendable {
    /// The first IFD, without the fields that point to the other two.
    package var image: IFD
    package var exif: IFD?
    package var gps: IFD?

    package init(image: IFD = IFD(), exif: IFD? = nil, gps: IFD? = nil) {
        self.image = image
        self.exif = exif
        self.gps = gps
    }

    /// Reads the TIFF, which is everything left in `reader`.
    ///
    /// Fields and IFDs that cannot be read are recorded in `unreadable` of the IFD that refers to them.
    ///
    /// - Throws: if the header or the first IFD is damaged.
    package init(from reader: ByteReader) throws(ParseError) {
        let (endianness, offset) = try Self.header(of: reader)
        image = try IFD(from: reader, at: offset, endianness)
        exif = image.takeDirectory(.exifIFD, from: reader, endianness)
        gps = image.takeDirectory(.gpsIFD, from: reader, endianness)
        // Its offset means nothing elsewhere.
        exif?[.interoperabilityIFD] = nil
    }

    /// The byte order, and the offset of the first IFD.
    static func header(
        of reader: ByteReader
    ) throws(ParseError) -> (endianness: ByteReader.Endianness, offset: Int) {
        var header = reader
        let endianness = try header.byteOrderMark()
        guard try header.integer(UInt16.self, endianness) == 42 else {
            throw reader.error(.invalidValue, expected: "the number 42 of a TIFF")
        }
        guard let offset = Int(exactly: try header.integer(UInt32.self, endianness)) else {
            throw header.error(.invalidValue, expected: "the first IFD's offset")
        }
        return (endianness, offset)
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.text("MM\0*")
        writer.integer(UInt32(8))
        let directories = [(TIFFTag.exifIFD, exif), (.gpsIFD, gps)].compactMap { pointer, directory in
            directory.map { (pointer, $0) }
        }
        image.write(to: &writer, directories: directories)
        writer.zeros(writer.count % 2)
        return writer.bytes
    }
}

extension ByteReader {
    /// The two bytes that state the byte order of a TIFF or of Apple's MakerNote.
    mutating func byteOrderMark() throws(ParseError) -> Endianness {
        let start = self
        switch try integer(UInt16.self) {
        case 0x4D4D: return .big
        case 0x4949: return .little
        default: throw start.error(.invalidValue, expected: "a byte order mark, MM or II")
        }
    }
}
