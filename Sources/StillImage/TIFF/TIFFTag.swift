import MediaModel

/// The number of a TIFF field. Its meaning depends on its IFD.
package struct TIFFTag: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }
}

extension TIFFTag: Comparable {
    package static func < (left: TIFFTag, right: TIFFTag) -> Bool { left.rawValue < right.rawValue }
}

extension TIFFTag: CustomStringConvertible {
    /// `TIFF tag 0x927C`
    package var description: String { "TIFF tag 0x" + padded(rawValue, 4, radix: 16, uppercase: true) }
}

/// The first IFD (TIFF 6.0 section 8; CIPA DC-008 table 4).
extension TIFFTag {
    package static let imageWidth = TIFFTag(rawValue: 0x0100)
    package static let imageLength = TIFFTag(rawValue: 0x0101)
    package static let compression = TIFFTag(rawValue: 0x0103)
    package static let imageDescription = TIFFTag(rawValue: 0x010E)
    package static let make = TIFFTag(rawValue: 0x010F)
    package static let model = TIFFTag(rawValue: 0x0110)
    package static let orientation = TIFFTag(rawValue: 0x0112)
    /// The data of an uncompressed thumbnail.
    package static let stripOffsets = TIFFTag(rawValue: 0x0111)
    package static let stripByteCounts = TIFFTag(rawValue: 0x0117)
    package static let xResolution = TIFFTag(rawValue: 0x011A)
    package static let yResolution = TIFFTag(rawValue: 0x011B)
    package static let resolutionUnit = TIFFTag(rawValue: 0x0128)
    package static let software = TIFFTag(rawValue: 0x0131)
    package static let dateTime = TIFFTag(rawValue: 0x0132)
    package static let artist = TIFFTag(rawValue: 0x013B)
    package static let tileWidth = TIFFTag(rawValue: 0x0142)
    package static let tileLength = TIFFTag(rawValue: 0x0143)
    /// The data of a JPEG thumbnail.
    package static let jpegOffset = TIFFTag(rawValue: 0x0201)
    package static let jpegByteCount = TIFFTag(rawValue: 0x0202)
    package static let yCbCrPositioning = TIFFTag(rawValue: 0x0213)
    package static let copyright = TIFFTag(rawValue: 0x8298)
    /// The offset of the Exif IFD.
    package static let exifIFD = TIFFTag(rawValue: 0x8769)
    /// The offset of the GPS IFD.
    package static let gpsIFD = TIFFTag(rawValue: 0x8825)
}

/// The Exif IFD (CIPA DC-008 tables 7 and 8).
extension TIFFTag {
    package static let exifVersion = TIFFTag(rawValue: 0x9000)
    package static let dateTimeOriginal = TIFFTag(rawValue: 0x9003)
    package static let dateTimeDigitized = TIFFTag(rawValue: 0x9004)
    package static let offsetTime = TIFFTag(rawValue: 0x9010)
    package static let offsetTimeOriginal = TIFFTag(rawValue: 0x9011)
    package static let offsetTimeDigitized = TIFFTag(rawValue: 0x9012)
    package static let subSecTimeOriginal = TIFFTag(rawValue: 0x9291)
    package static let subSecTimeDigitized = TIFFTag(rawValue: 0x9292)
    package static let componentsConfiguration = TIFFTag(rawValue: 0x9101)
    package static let makerNote = TIFFTag(rawValue: 0x927C)
    package static let userComment = TIFFTag(rawValue: 0x9286)
    package static let subjectArea = TIFFTag(rawValue: 0x9214)
    package static let subjectLocation = TIFFTag(rawValue: 0xA214)
    package static let flashpixVersion = TIFFTag(rawValue: 0xA000)
    package static let colorSpace = TIFFTag(rawValue: 0xA001)
    package static let pixelXDimension = TIFFTag(rawValue: 0xA002)
    package static let pixelYDimension = TIFFTag(rawValue: 0xA003)
    /// The offset of the interoperability IFD.
    package static let interoperabilityIFD = TIFFTag(rawValue: 0xA005)
}

/// The GPS IFD (CIPA DC-008 table 15).
extension TIFFTag {
    package static let gpsVersion = TIFFTag(rawValue: 0x0000)
    package static let gpsLatitudeReference = TIFFTag(rawValue: 0x0001)
    package static let gpsLatitude = TIFFTag(rawValue: 0x0002)
    package static let gpsLongitudeReference = TIFFTag(rawValue: 0x0003)
    package static let gpsLongitude = TIFFTag(rawValue: 0x0004)
    package static let gpsAltitudeReference = TIFFTag(rawValue: 0x0005)
    package static let gpsAltitude = TIFFTag(rawValue: 0x0006)
}

/// Apple's MakerNote, whose tags Apple has not published.
extension TIFFTag {
    package static let appleContentIdentifier = TIFFTag(rawValue: 0x0011)
    package static let appleHDRHeadroom = TIFFTag(rawValue: 0x0021)
    package static let appleHDRGain = TIFFTag(rawValue: 0x0030)
}
