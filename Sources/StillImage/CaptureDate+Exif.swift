package import Bytes
package import MediaModel

/// Dates as Exif has them (CIPA DC-008 4.6.6 and 4.6.5, DateTimeOriginal and OffsetTimeOriginal).
extension CaptureDate {
    /// `2025:01:31 11:06:47`
    var exif: String {
        let date = [padded(year, 4), padded(month, 2), padded(day, 2)].joined(separator: ":")
        return date + " " + [hour, minute, second].map { padded($0, 2) }.joined(separator: ":")
    }

    /// `+09:00`; nil when the offset is unknown.
    var exifOffset: String? {
        guard let utcOffset else { return nil }
        let (hours, minutes) = utcOffset.magnitude.quotientAndRemainder(dividingBy: 60)
        return (utcOffset < 0 ? "-" : "+") + padded(Int(hours), 2) + ":" + padded(Int(minutes), 2)
    }
}

extension IFD {
    /// When the photo was taken or, if that is not stated, digitized. DateTime is when the file was changed.
    var statedDate: StatedDate? {
        let fields: [(date: TIFFTag, offset: TIFFTag)] = [
            (.dateTimeOriginal, .offsetTimeOriginal), (.dateTimeDigitized, .offsetTimeDigitized),
        ]
        let stated = fields.compactMap { tags in
            self[tags.date].flatMap { field in
                StatedDate(field.text ?? FileText(field.data), offset: self[tags.offset]?.text)
            }
        }
        return stated.first { $0.date != nil } ?? stated.first
    }
}

extension XMP {
    /// The properties that programs write for when the photo was taken, the most certain first (XMP Specification Part 2, and the
    /// guidelines of the Metadata Working Group, which map them to Exif's).
    static let dateNames = [
        XMLName(XMLNamespace.exif, "DateTimeOriginal"), XMLName(XMLNamespace.photoshop, "DateCreated"),
        XMLName(XMLNamespace.xmp, "CreateDate"), XMLName(XMLNamespace.exif, "DateTimeDigitized"),
    ]

    /// When the photo was taken.
    var statedDate: StatedDate? {
        let stated = Self.dateNames.compactMap { self[$0.namespace, $0.local]?.text.flatMap { StatedDate($0) } }
        return stated.first { $0.date != nil } ?? stated.first
    }
}

extension PhotoReader {
    /// The capture date in Exif or, if that has none, in XMP. Damaged data state none.
    package var statedDate: StatedDate? {
        let reader = try? tiff()
        let exif = reader.flatMap { try? TIFF(from: $0) }?.exif?.statedDate
        return exif ?? (try? xmp())?.statedDate
    }
}

extension CaptureDate {
    /// The bytes that may hold the metadata at the beginning of a raw picture.
    private static let rawHead = 1 << 22

    /// The capture date of a TIFF, such as a DNG and most other raw pictures; nil for anything else.
    package init?(ofTIFF file: InputFile) {
        guard let head = try? file.bytes(at: 0, count: Self.rawHead),
            let tiff = try? TIFF(from: ByteReader(head, structure: "TIFF")), let date = tiff.exif?.statedDate?.date
        else { return nil }
        self = date
    }
}
