package import Bytes
import MediaModel

/// Reads only the requested parts of a photo file, and never the picture.
package struct PhotoReader: Sendable {
    enum Container: Sendable {
        case jpeg(JPEG)
        case heif(HEIF)
    }

    let file: InputFile
    package let format: PhotoMetadata.Format
    let container: Container

    /// Reads a JPEG up to its first scan, and the box headers and `meta` of other files.
    ///
    /// - Throws: `ParseError`, of code `unsupported` if it is no photo of a supported kind; `Errno` of pread(2).
    package init(_ file: InputFile) throws {
        guard let format = PhotoMetadata.Format(of: try file.bytes(at: 0, count: PhotoMetadata.Format.signatureSize))
        else { throw PhotoMetadata.unsupported }
        self.file = file
        self.format = format
        switch format {
        case .jpeg: container = .jpeg(try JPEG(file))
        case .heic, .avif: container = .heif(try HEIF(file))
        }
    }

    /// Throws if the file ends before its pictures do, such as a copy that was broken off.
    ///
    /// - Throws: `ParseError` of code `truncated`; `Errno` of pread(2).
    package func checkIsWhole() throws {
        switch container {
        case .jpeg(let jpeg):
            // Most files end with the marker EOI, so that their pictures need not be searched for it.
            if try file.bytes(at: max(file.size - 2, 0), count: 2) == [0xFF, 0xD9] { return }
            do {
                _ = try jpeg.pictureEnd(in: file)
            } catch let error as ParseError where error.code == .overLimit {}
        case .heif(let heif):
            for item in heif.locations?.items ?? [] where item.isInFile {
                for (offset, extent) in zip(item.offsets ?? [], item.extents) {
                    guard let length = Int(exactly: extent.length), offset <= file.size, length <= file.size - offset
                    else {
                        throw ParseError(
                            .truncated, in: "HEIF", at: file.size, expected: "item \(item.id) of the photo")
                    }
                }
            }
        }
    }

    /// Whether the file ends before its pictures do. False also for a file of which that cannot be found out.
    package var isCutOff: Bool {
        do {
            try checkIsWhole()
            return false
        } catch {
            return (error as? ParseError)?.code == .truncated
        }
    }

    /// A part of a sentence about a photo that is cut off.
    package static let cutOffReason = "the photo's file ends before its picture does"

    /// The photo's XMP; nil when there is none.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    package func xmp() throws -> XMP? {
        switch container {
        case .jpeg(let jpeg): return try jpeg.xmp()
        case .heif(let heif):
            guard let item = heif.xmpItems.first else { return nil }
            let (data, offset) = try bytes(ofMetadata: item, in: heif)
            return data.isEmpty ? nil : try XMP(data, fileOffset: offset)
        }
    }

    /// The photo's Exif data, beginning with the TIFF header; nil when there are none.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    package func tiff() throws -> ByteReader? {
        switch container {
        case .jpeg(let jpeg): return jpeg.exif
        case .heif(let heif):
            guard let item = heif.exifItem else { return nil }
            let (data, offset) = try bytes(ofMetadata: item, in: heif)
            guard !data.isEmpty else { return nil }
            return try HEIFExif(data, fileOffset: offset).tiff
        }
    }

    /// Whether two files have the same pictures, bit for bit; their metadata may differ.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    package func hasSamePictures(as other: PhotoReader) throws -> Bool {
        guard format == other.format else { return false }
        let (ranges, others) = (try pictures(), try other.pictures())
        guard ranges.map(\.count) == others.map(\.count) else { return false }
        return try zip(ranges, others).allSatisfy { try file.hasSameBytes(at: $0, as: other.file, at: $1.lowerBound) }
    }

    /// The ranges of everything but metadata.
    private func pictures() throws -> [Range<Int>] {
        switch container {
        case .jpeg(let jpeg):
            // What follows the header of the picture is copied as it is.
            return jpeg.segments.filter { !$0.marker.isMetadata }.map(\.range) + [jpeg.headEnd..<file.size]
        case .heif(let heif):
            let metadata = Set(heif.xmpItems + [heif.exifItem].compactMap(\.self))
            let items = heif.locations?.items.filter { !metadata.contains($0.id) } ?? []
            return try items.flatMap { try heif.ranges(of: $0) }
        }
    }

    /// An item's data, and the offset of its first byte.
    func bytes(ofMetadata item: UInt32, in heif: HEIF) throws -> (data: [UInt8], offset: Int) {
        let ranges = try heif.ranges(ofMetadata: item)
        let data = try ranges.flatMap { range in try file.bytes(at: range.lowerBound, count: range.count) }
        return (data, ranges.first?.lowerBound ?? 0)
    }
}
