package import Bytes
package import MediaModel

/// A JPEG file: the segments before its first scan, and the rest (ITU-T T.81 annex B).
package struct JPEG: Sendable {
    package struct Segment: Hashable, Sendable {
        package var marker: JPEGMarker
        /// The range in the file, from its marker or the fill bytes and stray bytes before that.
        package var range: Range<Int>
        /// The range of its content, after the length.
        package var content: Range<Int>
    }

    /// The file, or its beginning up to the first scan at least.
    package let bytes: [UInt8]
    /// In the order of the file, without the header of the scan.
    package let segments: [Segment]
    /// Size of the stored picture, which Exif may rotate.
    package let size: PixelSize

    /// Bytes between segments that belong to none, which some cameras leave there.
    package let strayByteCount: Int

    /// The largest content of a segment in bytes: its 16-bit length includes itself.
    package static let contentLimit = 65_533

    /// The end of the last segment before the first scan.
    var headEnd: Int { end(of: segments[...]) }

    /// - Parameter bytes: the file; for reading alone, its beginning up to the first scan is enough.
    /// - Throws: `ParseError` of code `truncated` where more bytes could help.
    package init(_ bytes: [UInt8]) throws(ParseError) {
        self.bytes = bytes
        var reader = ByteReader(bytes, structure: "JPEG")
        guard try reader.integer(UInt16.self) == 0xFFD8 else {
            throw ParseError(.invalidValue, in: "JPEG", at: 0, expected: "FFD8, with which every JPEG begins")
        }
        var segments: [Segment] = []
        var size: PixelSize?
        var stray = 0
        while true {
            let start = reader.offset
            let marker = try Self.marker(&reader, &stray)
            guard marker != .startOfScan else { break }
            guard marker.beginsSegment else {
                throw reader.error(.invalidValue, expected: "a segment before the first scan, found \(marker)")
            }
            let length = Int(try reader.integer(UInt16.self))
            guard length >= 2 else { throw reader.error(.invalidValue, expected: "a length of 2 at least") }
            var content = try reader.reader(length - 2, structure: marker.description)
            segments.append(
                Segment(marker: marker, range: start..<reader.offset, content: content.offset..<reader.offset))
            if marker.isStartOfFrame { size = try Self.size(&content) }
        }
        guard let size else { throw reader.error(.missing, expected: "a frame header before the first scan") }
        self.segments = segments
        self.size = size
        strayByteCount = stray
    }

    /// Reads the beginning of a file in steps, until that is enough.
    ///
    /// - Throws: `ParseError`; `Errno` of pread(2).
    package init(_ file: InputFile) throws {
        var count = Self.firstStep
        while true {
            do {
                self = try Self(file.bytes(at: 0, count: count))
                return
            } catch let error as ParseError where error.code == .truncated && count < min(file.size, Self.headLimit) {
                count *= 4
            }
        }
    }

    /// Enough for most photos: Exif with a thumbnail, XMP, a colour profile.
    private static let firstStep = 1 << 18
    /// Keeps a large file that consists only of headers from being read into memory.
    private static let headLimit = 1 << 26

    /// A marker, preceded by any number of fill bytes FF (T.81 B.1.1.2), and by bytes that belong to no segment, as decoders
    /// accept them.
    private static func marker(_ reader: inout ByteReader, _ stray: inout Int) throws(ParseError) -> JPEGMarker {
        while true {
            while try reader.integer(UInt8.self) != 0xFF {
                stray += 1
                try check(stray, reader)
            }
            var code: UInt8 = 0xFF
            while code == 0xFF { code = try reader.integer(UInt8.self) }
            if code != 0 { return JPEGMarker(rawValue: code) }
            stray += 2
            try check(stray, reader)
        }
    }

    private static func check(_ stray: Int, _ reader: ByteReader) throws(ParseError) {
        guard stray <= strayLimit else {
            throw reader.error(.invalidValue, expected: "at most \(strayLimit) bytes between segments before this")
        }
    }

    /// Keeps data that are no JPEG from being searched for long.
    private static let strayLimit = 1 << 16

    /// The size in a frame header: precision, lines, samples per line (T.81 B.2.2).
    private static func size(_ frame: inout ByteReader) throws(ParseError) -> PixelSize {
        try frame.skip(1)
        let height = Int(try frame.integer(UInt16.self))
        let width = Int(try frame.integer(UInt16.self))
        guard width > 0 else { throw frame.error(.invalidValue, expected: "a width of 1 at least") }
        guard height > 0 else { throw frame.error(.unsupported, expected: "a height, not one defined after the scan") }
        return PixelSize(width: width, height: height)
    }

    /// The end of the first segments; that of the image's start marker if there are none.
    func end(of segments: ArraySlice<Segment>) -> Int { segments.last?.range.upperBound ?? 2 }

    func isSegment(_ segment: Segment, _ marker: JPEGMarker, _ signature: [UInt8]) -> Bool {
        segment.marker == marker && bytes[segment.content].starts(with: signature)
    }

    /// A new segment, with its marker and length.
    static func segment(_ marker: JPEGMarker, _ content: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(0xFF00 | UInt16(marker.rawValue))
        writer.integer(UInt16(2 + content.count))
        writer.append(content)
        return writer.bytes
    }
}
