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
        let mark = try header.integer(UInt16.self)
        let endianness: ByteReader.Endianness
        switch mark {
        case 0x4D4D: endianness = .big
        case 0x4949: endianness = .little
        default: throw reader.error(.invalidValue, expected: "the byte order mark of a TIFF, MM or II")
        }
        guard try header.integer(UInt16.self, endianness) == 42 else {
            throw reader.error(.invalidValue, expected: "the number 42 of a TIFF")
        }
        guard let offset = Int(exactly: try header.integer(UInt32.self, endianness)) else {
            throw header.error(.invalidValue, expected: "the first IFD's offset")
        }
        return (endianness, offset)
    }

    package func write(to writer: inout ByteWriter) {
        let start = writer.count
        writer.text("MM")
        writer.integer(UInt16(42))
        writer.integer(UInt32(8))
        var directories: [(pointer: TIFFTag, directory: IFD)] = []
        if let exif { directories.append((.exifIFD, exif)) }
        if let gps { directories.append((.gpsIFD, gps)) }
        image.write(to: &writer, start: start, directories: directories)
        writer.zeros((writer.count - start) % 2)
    }
}
