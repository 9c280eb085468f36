package import Bytes
package import MediaModel

/// What a photo file tells without decoding its picture.
package struct PhotoMetadata: Sendable {
    /// The kinds of photo that can be read.
    package enum Format: Sendable {
        case jpeg

        /// The kind whose signature a file begins with. Names do not count: there are JPEGs called `.HEIC`.
        package init?(of bytes: some Collection<UInt8>) {
            guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
            self = .jpeg
        }
    }

    package let format: Format
    /// Size of the stored picture, before `exif` says how to turn it.
    package let size: PixelSize
    /// Nil when there are no Exif data, or none that can be read; `contentIdentifier` then says which.
    package let exif: Exif?
    /// The content identifier as it stands in the file, in whatever spelling, or why there is none.
    package let contentIdentifier: Result<String, MissingContentIdentifier>

    /// - Parameter bytes: the file, or its beginning with all that stands before the picture's data.
    /// - Throws: `ParseError` of code `unsupported` when it is no photo of a kind that can be read, `truncated` where
    ///   more bytes could help.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        switch Format(of: bytes) {
        case .jpeg: try self.init(JPEG(bytes))
        case nil: throw ParseError(.unsupported, in: "photo", at: 0, expected: "a JPEG")
        }
    }

    package init(_ jpeg: JPEG) {
        format = .jpeg
        size = jpeg.size
        guard let reader = jpeg.exif else {
            exif = nil
            contentIdentifier = .failure(.noExif)
            return
        }
        do throws(ParseError) {
            let tiff = try TIFF(from: reader)
            exif = Exif(from: tiff)
            contentIdentifier = tiff.contentIdentifier()
        } catch {
            exif = nil
            contentIdentifier = .failure(.unreadable(error))
        }
    }

    /// Reads no more of the file than the beginning, in steps, until that is enough.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    package init(_ file: InputFile) throws {
        var count = Self.firstStep
        while count < file.size, count < Self.limit {
            let head = try file.bytes(at: 0, count: count)
            if let metadata = try Self.read(head: head) {
                self = metadata
                return
            }
            count *= 4
        }
        try self.init(try file.bytes(at: 0, count: Self.limit))
    }

    /// Nil when more bytes are needed.
    private static func read(head: [UInt8]) throws(ParseError) -> PhotoMetadata? {
        do throws(ParseError) {
            return try PhotoMetadata(head)
        } catch {
            guard error.code == .truncated else { throw error }
            return nil
        }
    }

    /// Enough for most photos: Exif with a thumbnail, XMP, a colour profile.
    private static let firstStep = 1 << 18
    /// Keeps a file that is all headers from being read into memory.
    private static let limit = 1 << 26
}
