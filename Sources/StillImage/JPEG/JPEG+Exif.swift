package import Bytes

/// Exif data in a JPEG: a segment APP1 that begins with `Exif\0\0`, then a TIFF (CIPA DC-008 4.7.2).
extension JPEG {
    private static let exifSignature = Array("Exif\0\0".utf8)
    private static let jfifSignatures = ["JFIF\0", "JFXX\0"].map { Array($0.utf8) }

    /// The largest TIFF that an Exif segment can hold, in bytes.
    package static let exifLimit = contentLimit - exifSignature.count

    /// The TIFF of the first Exif segment; nil when there is none.
    package var exif: ByteReader? {
        guard let segment = segments.first(where: isExif) else { return nil }
        let range = segment.content.dropFirst(Self.exifSignature.count)
        return ByteReader(Array(bytes[range]), structure: "Exif TIFF", fileOffset: range.lowerBound)
    }

    /// The file with these Exif data in place of those it has, if any; everything else stays byte for byte.
    ///
    /// They go right after the start of the image, as Exif requires, but after a JFIF header, which requires the same
    /// place and comes first in many cameras' files. So they precede the list of further pictures (`MPF`), whose
    /// offsets count from itself.
    ///
    /// - Parameters:
    ///   - tiff: the data, beginning with the TIFF header; nil for none.
    ///   - keepingComments: whether segments of comments stay.
    ///   - keepingXMP: whether XMP stays, and Photoshop's data in APP13, such as IPTC.
    package func replacingExif(
        with tiff: [UInt8]?, keepingComments: Bool = true, keepingXMP: Bool = true
    ) throws(ExifTooLarge) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt16(0xFFD8))
        let header = segments.prefix(while: isJFIF)
        for segment in header { writer.append(bytes[segment.range]) }
        if let tiff {
            guard tiff.count <= Self.exifLimit else { throw ExifTooLarge(size: tiff.count) }
            writer.integer(UInt16(0xFFE1))
            writer.integer(UInt16(2 + Self.exifSignature.count + tiff.count))
            writer.append(Self.exifSignature)
            writer.append(tiff)
        }
        let others = segments.dropFirst(header.count)
        let kept = others.filter {
            !isExif($0) && (keepingComments || $0.marker != .comment) && (keepingXMP || !isXMP($0))
        }
        let length = kept.reduce(0) { $0 + $1.range.count }
        var passed = 0
        for segment in kept {
            passed += segment.range.count
            // The number of bytes removed after this segment.
            let oldRest = (others.last?.range.upperBound ?? 0) - segment.range.upperBound
            writer.append(
                multiPictureSegment(segment, closerBy: oldRest - (length - passed)) ?? Array(bytes[segment.range]))
        }
        writer.append(bytes[(segments.last?.range.upperBound ?? 2)...])
        return writer.bytes
    }

    func isExif(_ segment: Segment) -> Bool {
        segment.marker == .app1 && bytes[segment.content].starts(with: Self.exifSignature)
    }

    private func isXMP(_ segment: Segment) -> Bool {
        segment.marker == .app13
            || segment.marker == .app1
                && [Self.xmpSignature, Self.xmpExtensionSignature].contains {
                    bytes[segment.content].starts(with: $0)
                }
    }

    func isJFIF(_ segment: Segment) -> Bool {
        segment.marker == .app0 && Self.jfifSignatures.contains { bytes[segment.content].starts(with: $0) }
    }
}

/// Exif data that do not fit in a JPEG's segment.
package struct ExifTooLarge: Error, Hashable, Sendable, CustomStringConvertible {
    /// Size of the TIFF in bytes.
    package var size: Int

    package var description: String {
        "the Exif data are \(size) bytes long, and a JPEG can hold \(JPEG.exifLimit)"
    }
}
