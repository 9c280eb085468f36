package import Bytes
import ISOBMFF
package import MediaModel

/// The metadata of a photo file, read without decoding its picture.
package struct PhotoMetadata: Sendable {
    /// The kinds of photo that can be read.
    package enum Format: String, Sendable {
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
    /// Nil if the photo has no Exif data, or they cannot be read; `contentIdentifier` then distinguishes the two.
    package let exif: Exif?
    /// The content identifier, spelled as in the file, or why there is none.
    package let contentIdentifier: Result<FileText, MissingContentIdentifier>
    /// Bytes between the segments of a JPEG that belong to none.
    package let strayByteCount: Int

    /// - Parameter bytes: the file; of a JPEG, its beginning up to the picture's data is enough.
    /// - Throws: `ParseError` of code `unsupported` if it is no photo of a supported kind, `truncated` if more bytes
    ///   could help.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        guard let format = Format(of: bytes) else { throw Self.unsupported }
        switch format {
        case .jpeg: try self.init(JPEG(bytes))
        case .heic, .avif:
            let photo = try HEIFEditor(bytes)
            self.init(photo.heif, format, tiff: Result(catching: photo.tiff))
        }
    }

    package init(_ jpeg: JPEG) {
        (format, size, strayByteCount) = (.jpeg, jpeg.size, jpeg.strayByteCount)
        (exif, contentIdentifier) = Self.read(.success(jpeg.exif))
        orientation = exif?.orientation ?? .upright
        displaySize = orientation.swapsAxes ? size.transposed : size
    }

    private init(_ heif: HEIF, _ format: Format, tiff: Result<ByteReader?, ParseError>) {
        (self.format, size, orientation, displaySize) = (format, heif.size, heif.orientation, heif.displaySize)
        strayByteCount = 0
        (exif, contentIdentifier) = Self.read(tiff)
    }

    private static func read(
        _ tiff: Result<ByteReader?, ParseError>
    ) -> (Exif?, contentIdentifier: Result<FileText, MissingContentIdentifier>) {
        do throws(ParseError) {
            guard let reader = try tiff.get() else { return (nil, .failure(.noExif)) }
            let tiff = try TIFF(from: reader)
            return (Exif(from: tiff), tiff.contentIdentifier())
        } catch {
            return (nil, .failure(.unreadable(error)))
        }
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
            do {
                self.init(heif, photo.format, tiff: .success(try photo.tiff()))
            } catch let error as ParseError {
                self.init(heif, photo.format, tiff: .failure(error))
            }
        }
    }
}
