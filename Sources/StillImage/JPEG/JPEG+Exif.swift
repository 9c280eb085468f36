package import Bytes

/// Exif data in a JPEG: a segment APP1 that begins with `Exif\0\0`, then a TIFF (CIPA DC-008 4.7.2).
extension JPEG {
    static let exifSignature = Array("Exif\0\0".utf8)
    private static let jfifSignatures = ["JFIF\0", "JFXX\0"].map { Array($0.utf8) }

    /// The largest TIFF that an Exif segment can hold, in bytes.
    package static let exifLimit = contentLimit - exifSignature.count

    /// The TIFF of the first Exif segment; nil when there is none.
    package var exif: ByteReader? {
        guard let segment = segments.first(where: isExif) else { return nil }
        let range = segment.content.dropFirst(Self.exifSignature.count)
        return ByteReader(Array(bytes[range]), structure: "Exif TIFF", fileOffset: range.lowerBound)
    }

    /// The file with these Exif data in place of existing ones; everything else stays byte for byte.
    ///
    /// They go right after the start of the image, as Exif requires, but after a JFIF header, which requires the same
    /// place and comes first in many cameras' files. So they precede the list of further pictures (`MPF`), whose
    /// offsets count from its own position.
    ///
    /// - Parameters:
    ///   - tiff: the data, beginning with the TIFF header; nil for none.
    ///   - keeping: what stays of other metadata: XMP, Photoshop's data in APP13, such as IPTC, and comments.
    package func replacingExif(
        with tiff: [UInt8]?, keeping: KeptMetadata = .all
    ) throws(ExifTooLarge) -> [UInt8] {
        let header = segments.prefix(while: isJFIF)
        var new = Array(bytes[..<end(of: header)])
        if let tiff {
            guard tiff.count <= Self.exifLimit else { throw ExifTooLarge(size: tiff.count) }
            new += Self.segment(.app1, Self.exifSignature + tiff)
        }
        let changed = replacements(keeping: keeping)
        var kept = segments.indices.dropFirst(header.count).map { (segment: segments[$0], new: changed[$0]) }
        kept.removeAll { isExif($0.segment) || $0.new?.isEmpty == true }
        // Readers recognize a JPEG by its first marker, so no stray bytes may come before that.
        if new.count == Self.startSize, let first = kept.first?.segment, let stray = strayBytes(before: first) {
            kept[0].segment.range = stray.upperBound..<first.range.upperBound
        }
        let length = kept.reduce(0) { $0 + ($1.new?.count ?? $1.segment.range.count) }
        let growth = new.count + length - headEnd
        var passed = 0
        for (segment, replacement) in kept {
            passed += replacement?.count ?? segment.range.count
            // The number of bytes removed after this segment.
            let removed = headEnd - segment.range.upperBound - (length - passed)
            new +=
                replacement ?? multiPictureSegment(segment, closerBy: removed, growth: growth)
                ?? Array(bytes[segment.range])
        }
        new += bytes[headEnd...]
        return new
    }

    private static let startSize = 2

    /// The bytes before a segment's marker and fill bytes; nil if there are none.
    private func strayBytes(before segment: Segment) -> Range<Int>? {
        let header = 4
        var start = segment.content.lowerBound - header
        while start > segment.range.lowerBound, bytes[start - 1] == 0xFF { start -= 1 }
        return start > segment.range.lowerBound ? segment.range.lowerBound..<start : nil
    }

    func isExif(_ segment: Segment) -> Bool { isSegment(segment, .app1, Self.exifSignature) }

    func isJFIF(_ segment: Segment) -> Bool {
        Self.jfifSignatures.contains { isSegment(segment, .app0, $0) }
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
