package import Bytes
package import MediaModel

/// The Exif 2.32 fields of a key photo (CIPA DC-008-2019). Unknown values are left out.
package struct Exif: Hashable, Sendable {
    /// How the stored picture has to be rotated and mirrored.
    package var orientation: Orientation
    /// Size of the stored picture, before rotation.
    package var size: PixelSize?
    /// Links the photo to its movie; stored in Apple's MakerNote.
    package var contentIdentifier: ContentIdentifier?
    package var captureDate: CaptureDate?
    /// Whether a date is stated in an unknown form, so that `captureDate` is nil.
    package private(set) var hasUnreadableDate = false
    package var make: String?
    package var model: String?
    package var software: String?
    package var location: GeographicLocation?

    package init(
        orientation: Orientation = .upright, size: PixelSize? = nil, contentIdentifier: ContentIdentifier? = nil,
        captureDate: CaptureDate? = nil, make: String? = nil, model: String? = nil, software: String? = nil,
        location: GeographicLocation? = nil
    ) {
        self.orientation = orientation
        self.size = size
        self.contentIdentifier = contentIdentifier
        self.captureDate = captureDate
        self.make = make
        self.model = model
        self.software = software
        self.location = location
    }

    /// Reads the fields from a photo's TIFF; a field that is missing, damaged or invalid is nil.
    package init(from tiff: TIFF) {
        let (image, exif) = (tiff.image, tiff.exif ?? IFD())
        orientation = image[.orientation]?.unsigned.flatMap { Orientation(rawValue: Int($0)) } ?? .upright
        if let width = exif[.pixelXDimension]?.unsigned, let height = exif[.pixelYDimension]?.unsigned {
            size = PixelSize(width: Int(width), height: Int(height))
        }
        contentIdentifier = (try? tiff.contentIdentifier().get()).flatMap { ContentIdentifier($0) }
        switch exif.statedDate {
        case .date(let date): captureDate = date
        case .unreadable: hasUnreadableDate = true
        case nil: break
        }
        make = image[.make]?.text?.string()
        model = image[.model]?.text?.string()
        software = image[.software]?.text?.string()
        location = tiff.gps.flatMap { GeographicLocation(from: $0) }
    }

    /// The same as a TIFF, with the fields that Exif requires in every JPEG.
    package var tiff: TIFF {
        TIFF(image: image, exif: exif, gps: location?.gps)
    }

    private var image: IFD {
        var image = IFD([
            .short(.orientation, UInt16(orientation.rawValue)),
            .rational(.xResolution, TIFFRational(72, 1)),
            .rational(.yResolution, TIFFRational(72, 1)),
            .short(.resolutionUnit, 2),  // inch
            .short(.yCbCrPositioning, 1),  // centred: where JFIF has its chroma samples
        ])
        image[.make] = make.map { .ascii(.make, $0) }
        image[.model] = model.map { .ascii(.model, $0) }
        image[.software] = software.map { .ascii(.software, $0) }
        image[.dateTime] = captureDate.map { .ascii(.dateTime, $0.exif) }
        return image
    }

    private var exif: IFD {
        var exif = IFD([
            .undefined(.exifVersion, Array("0232".utf8)),
            .undefined(.componentsConfiguration, [1, 2, 3, 0]),  // Y, Cb, Cr
            .undefined(.flashpixVersion, Array("0100".utf8)),
            .short(.colorSpace, 1),  // sRGB
        ])
        if let size, let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height) {
            exif[.pixelXDimension] = .long(.pixelXDimension, width)
            exif[.pixelYDimension] = .long(.pixelYDimension, height)
        }
        for tag in [TIFFTag.dateTimeOriginal, .dateTimeDigitized] {
            exif[tag] = captureDate.map { .ascii(tag, $0.exif) }
        }
        for tag in [TIFFTag.offsetTime, .offsetTimeOriginal, .offsetTimeDigitized] {
            exif[tag] = captureDate?.exifOffset.map { .ascii(tag, $0) }
        }
        if let contentIdentifier {
            exif[.makerNote] = .undefined(.makerNote, AppleMakerNote(contentIdentifier: contentIdentifier).bytes)
        }
        return exif
    }

    package init(from reader: ByteReader) throws(ParseError) {
        self.init(from: try TIFF(from: reader))
    }
}
