package import Bytes

/// Changes the metadata of a photo file of any supported kind without changing its picture.
package struct PhotoEditor: Sendable {
    private enum Photo {
        case jpeg(JPEG)
        case heif(HEIFEditor)
    }

    private let photo: Photo

    /// Size limit in bytes, as a photo's file is held in memory.
    package static let fileSizeLimit = 1 << 30

    /// - Parameter bytes: the complete file.
    /// - Throws: `ParseError` for a file that is damaged or no photo of a supported kind.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        switch PhotoMetadata.Format(of: bytes) {
        case .jpeg: photo = .jpeg(try JPEG(bytes))
        case .heic, .avif: photo = .heif(try HEIFEditor(bytes))
        case nil: throw PhotoMetadata.unsupported
        }
    }

    /// The photo's Exif data, beginning with the TIFF header; nil when it has none.
    package func tiff() throws(ParseError) -> [UInt8]? {
        var reader =
            switch photo {
            case .jpeg(let jpeg): jpeg.exif
            case .heif(let editor): try editor.tiff()
            }
        return reader?.rest()
    }

    /// What XMP and IPTC may state that is not true after the update, or is to be removed.
    ///
    /// - Throws: `ParseError` for damaged Exif data.
    package func outdated(by update: ExifUpdate) throws(ParseError) -> KeptMetadata.Statements {
        guard case .set = update.captureDate else { return update.outdated(nil, nil) }
        let exif = try tiff().map { tiff throws(ParseError) in
            try Exif(from: ByteReader(tiff, structure: "Exif TIFF"))
        }
        let xmp: XMP? =
            switch photo {
            case .jpeg(let jpeg): try? jpeg.xmp()
            case .heif(let editor): (try? editor.xmp()).flatMap { try? XMP($0) }
            }
        return update.outdated(exif, xmp)
    }

    /// The file with the changes. A location that is removed, and a date that is removed or replaced, go from XMP, IPTC and
    /// Samsung's trailer, too. The location also goes from the file's further pictures.
    ///
    /// - Parameter keepingMetadata: whether existing metadata stay, except for the changes, or are removed: all that is not needed to
    ///   show the picture.
    /// - Throws: `ParseError` for damaged Exif data, or a file in which the change would damage something else;
    ///   `ExifTooLarge` for more than a JPEG can hold.
    package func applying(_ update: ExifUpdate, keepingMetadata: Bool = true) throws -> [UInt8] {
        let tiff = keepingMetadata ? try tiff() : nil
        let outdated = keepingMetadata ? try outdated(by: update) : []
        let kept: KeptMetadata = keepingMetadata ? outdated.isEmpty ? .all : .allBut(outdated) : .nothing
        switch photo {
        case .jpeg(let jpeg):
            let new = try update.applied(to: tiff, of: EncodedPicture(jpeg))
            let edited = try jpeg.replacingExif(with: new, keeping: kept)
            let alone = kept.removesLocation ? try JPEG(edited).removingFurtherMetadata(keeping: kept) : edited
            return SamsungTrailer.erasing(in: alone, keeping: kept)
        case .heif(let old):
            // Where the trailer is in no box, new data go behind it.
            let editor = try HEIFEditor(SamsungTrailer.erasing(in: old.bytes, keeping: kept))
            let edited = try editor.replacingExif(with: try update.applied(to: tiff), keeping: kept)
            let places = try [editor.heif, HEIF(edited)].compactMap(\.movieOffset)
            let distance = places.count == 2 ? places[1] - places[0] : 0
            return SamsungTrailer.following(movieMovedBy: distance, in: edited)
        }
    }
}
