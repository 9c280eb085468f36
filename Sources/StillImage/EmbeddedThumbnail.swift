import Bytes
package import MediaModel

/// The small picture that cameras store in a photo's file, to show the photo without decoding it.
package struct EmbeddedThumbnail: Sendable {
    /// The picture as a file of its own: a JPEG, or a HEIC or AVIF.
    package let file: [UInt8]
    /// How a JPEG is turned for display. Of others it is upright, because the file says how its picture is turned.
    package let orientation: Orientation

    /// The longest edge in pixels below which a picture shows too little.
    private static let leastEdge = 120

    /// Nil if the photo has none that shows the same as the photo, in the same orientation.
    ///
    /// - Parameter photo: the complete file.
    package init?(of photo: [UInt8]) {
        switch PhotoMetadata.Format(of: photo) {
        case .jpeg: self.init(jpeg: photo)
        case .heic, .avif: self.init(heif: photo)
        case nil: return nil
        }
    }

    /// The JPEG in the second IFD of the Exif data (CIPA DC-008 4.5.5 and 4.6.2).
    private init?(jpeg photo: [UInt8]) {
        guard let jpeg = try? JPEG(photo), let exif = jpeg.exif,
            let orientation = try? PhotoMetadata(photo).orientation,
            let (endianness, offset) = try? TIFF.header(of: exif),
            let next = try? RawIFD(from: exif, at: offset, endianness).next
        else { return nil }
        let start = (endianness == .big ? next : next.reversed()).reduce(0) { $0 << 8 | Int($1) }
        guard start > 0, let fields = try? IFD(from: exif, at: start, endianness),
            let place = fields[.jpegOffset]?.unsigned.flatMap({ Int(exactly: $0) }),
            let count = fields[.jpegByteCount]?.unsigned.flatMap({ Int(exactly: $0) })
        else { return nil }
        var reader = exif
        guard (try? reader.skip(place)) != nil, let file = try? reader.bytes(count), let small = try? JPEG(file),
            Self.shows(small.size, jpeg.size)
        else { return nil }
        (self.file, self.orientation) = (file, orientation)
    }

    /// The item that refers to the primary one as its thumbnail (ISO/IEC 23008-12, 6.4.4).
    private init?(heif photo: [UInt8]) {
        guard let heif = try? HEIF(photo) else { return nil }
        let items = heif.references.filter { $0.type == "thmb" && $0.to.contains(heif.primary) }.map(\.from)
        let pictures = items.compactMap { try? heif.withPrimary($0) }.filter {
            $0.orientation == heif.orientation && Self.shows($0.displaySize, heif.displaySize)
        }
        guard let picture = pictures.max(by: { $0.size.longEdge < $1.size.longEdge }),
            let file = try? picture.pictureAlone(of: photo)
        else { return nil }
        (self.file, orientation) = (file, .upright)
    }

    /// Whether a picture of this size is large enough, and of the shape of the photo: some cameras add black bars.
    private static func shows(_ small: PixelSize, _ photo: PixelSize) -> Bool {
        // Sizes are rounded to whole pixels, or to even ones.
        small.longEdge >= leastEdge && small.longEdge <= photo.longEdge
            && abs(small.width * photo.height - small.height * photo.width) <= 2 * photo.longEdge
    }
}
