package import Bytes
import ISOBMFF
package import MediaModel

/// The metadata of a photo file, read without decoding its picture.
package struct PhotoMetadata: Sendable {
    /// The kinds of photo that can be read.
    package enum Format: Sendable {
        case jpeg, heic, avif

        /// Bytes of a file's beginning that `init(of:)` needs at most.
        package static let signatureSize = 256

        /// The kind by the signature of a file. Its name is ignored: some JPEGs are named `.HEIC`.
        package init?(of bytes: some Collection<UInt8>) {
            let bytes = Array(bytes.prefix(Self.signatureSize))
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
                return
            }
            // The main brand, a version and further brands (ISO/IEC 14496-12, 4.3). The main brand of a HEIC may be
            // mif1.
            var reader = ByteReader(bytes, structure: "ftyp")
            guard let header = try? BoxHeader(from: &reader), header.type == "ftyp",
                let size = header.payloadSize, size >= 8, let main = try? reader.fourCC(), (try? reader.skip(4)) != nil
            else { return nil }
            var brands: Set<FourCC> = [main]
            while reader.offset - header.size < size, let brand = try? reader.fourCC() { brands.insert(brand) }
            if !brands.isDisjoint(with: ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]) {
                self = .heic
            } else if !brands.isDisjoint(with: ["avif", "avis"]) {
                self = .avif
            } else if main == "mif1" || main == "msf1" {
                self = .heic
            } else {
                return nil
            }
        }
    }

    package let format: Format
    /// Size of the stored picture, before rotation.
    package let size: PixelSize
    /// How readers rotate and mirror the stored picture: Exif's Orientation in a JPEG, and `irot` and `imir` in a HEIC
    /// or AVIF, where Exif's Orientation is ignored.
    package let orientation: Orientation
    /// Size of the picture for display.
    package let displaySize: PixelSize
    /// Nil when there are no Exif data, or none that can be read; `contentIdentifier` then distinguishes the two.
    package let exif: Exif?
    /// The content identifier, spelled as in the file, or why there is none.
    package let contentIdentifier: Result<String, MissingContentIdentifier>

    /// - Parameter bytes: the file; of a JPEG, its beginning up to the picture's data is enough.
    /// - Throws: `ParseError` of code `unsupported` if it is no photo of a supported kind, `truncated` if more bytes
    ///   could help.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        guard let format = Format(of: bytes) else { throw Self.unsupported }
        switch format {
        case .jpeg: try self.init(JPEG(bytes))
        case .heic, .avif: self.init(try HEIF(bytes), format) { range in Array(bytes[range]) }
        }
    }

    package init(_ jpeg: JPEG) {
        let exif = ExifReading { () throws(ParseError) in jpeg.exif }
        let orientation = exif.exif?.orientation ?? .upright
        self.init(
            format: .jpeg, size: jpeg.size, orientation: orientation,
            displaySize: orientation.swapsAxes ? jpeg.size.transposed : jpeg.size, exif: exif)
    }

    private init<Failure>(
        _ heif: HEIF, _ format: Format, read: (Range<Int>) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let ranges: Result<[Range<Int>]?, ParseError>
        do throws(ParseError) {
            ranges = .success(
                try heif.exifItem.map { item throws(ParseError) in try heif.ranges(ofMetadata: item) })
        } catch {
            ranges = .failure(error)
        }
        var data: [UInt8] = []
        for range in (try? ranges.get()) ?? [] { data += try read(range) }
        let exif = ExifReading { () throws(ParseError) in
            guard let first = try ranges.get()?.first else { return nil }
            let item = try HEIFExif(data)
            return ByteReader(
                item.tiff, structure: "Exif TIFF", fileOffset: first.lowerBound + item.prefix.count)
        }
        self.init(
            format: format, size: heif.size, orientation: heif.orientation, displaySize: heif.displaySize, exif: exif)
    }

    private init(
        format: Format, size: PixelSize, orientation: Orientation, displaySize: PixelSize, exif: ExifReading
    ) {
        (self.format, self.size, self.orientation, self.displaySize) = (format, size, orientation, displaySize)
        (self.exif, contentIdentifier) = (exif.exif, exif.contentIdentifier)
    }

    static var unsupported: ParseError {
        ParseError(.unsupported, in: "photo", at: 0, expected: "a JPEG, HEIC or AVIF")
    }

    /// Reads no more of the file than it needs.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    package init(_ file: InputFile) throws {
        try self.init(PhotoReader(file))
    }

    /// - Throws: `Errno` of pread(2).
    package init(_ photo: PhotoReader) throws {
        switch photo.container {
        case .jpeg(let jpeg): self.init(jpeg)
        case .heif(let heif):
            try self.init(heif, photo.format) { range in
                try photo.file.bytes(at: range.lowerBound, count: range.count)
            }
        }
    }
}

/// The result of reading a photo's Exif data.
private struct ExifReading {
    var exif: Exif?
    var contentIdentifier: Result<String, MissingContentIdentifier>

    init(_ find: () throws(ParseError) -> ByteReader?) {
        do throws(ParseError) {
            guard let reader = try find() else {
                contentIdentifier = .failure(.noExif)
                return
            }
            let tiff = try TIFF(from: reader)
            exif = Exif(from: tiff)
            contentIdentifier = tiff.contentIdentifier()
        } catch {
            contentIdentifier = .failure(.unreadable(error))
        }
    }
}
