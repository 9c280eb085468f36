import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct JPEGTests {
    @Test func `segments, size and Exif are found, whatever fill bytes come before a marker`() throws {
        let bytes = sampleJPEG(jfif, [0xFF, 0xFF] + exifSegment(minimalTIFF), comment)
        let jpeg = try JPEG(bytes)
        #expect(jpeg.segments.map(\.marker.rawValue) == [0xE0, 0xE1, 0xFE, 0xC0, 0xC4])
        #expect(jpeg.size == PixelSize(width: 16, height: 8))
        var exif = try #require(jpeg.exif)
        #expect(exif.offset == 2 + jfif.count + 2 + 10)
        #expect(exif.rest() == minimalTIFF)
        let ends = [2] + jpeg.segments.map(\.range.upperBound)
        #expect(jpeg.segments.map(\.range.lowerBound) == ends.dropLast())
        #expect(Array(bytes[(ends.last ?? 0)...]) == scan)
    }

    @Test(arguments: [
        ([jfif], [jfif]), ([], []), ([comment], []), ([jfif, comment], [jfif]),
        ([exifSegment(littleEndianTIFF)], []), ([jfif, exifSegment(littleEndianTIFF)], [jfif]),
        ([exifSegment(littleEndianTIFF), jfif], []),
        ([jfif, comment, exifSegment(littleEndianTIFF), exifSegment([])], [jfif]),
        ([segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8)), jfif], []),
        ([segment(0xE0, Array("AVI1".utf8))], []),
    ])
    func `new Exif data take the place of the old after JFIF, and all else stays byte for byte`(
        segments: [[UInt8]], header: [[UInt8]]
    ) throws {
        let jpeg = try JPEG(sampleJPEG(Array(segments.joined())))
        let kept = segments.dropFirst(header.count).filter { !$0.dropFirst(4).starts(with: Array("Exif\0\0".utf8)) }
        let expected = sampleJPEG(Array(header.joined()), exifSegment(minimalTIFF), Array(kept.joined()))
        let changed = try jpeg.replacingExif(with: minimalTIFF)
        #expect(changed == expected)
        #expect(try JPEG(changed).replacingExif(with: minimalTIFF) == expected)
    }

    @Test(arguments: [[0], [1, 2, 3], [0xFF, 0], [0, 0xFF, 0, 0xFF, 0xFF]] as [[UInt8]])
    func `bytes between segments that belong to none are passed over`(stray: [UInt8]) throws {
        let jpeg = try JPEG(sampleJPEG(jfif, stray, exifSegment(minimalTIFF)))
        #expect(jpeg.segments.map(\.marker.rawValue) == [0xE0, 0xE1, 0xC0, 0xC4] && jpeg.strayByteCount > 0)
        var exif = try #require(jpeg.exif)
        #expect(exif.rest() == minimalTIFF)
        #expect(try JPEG(sampleJPEG(jfif)).strayByteCount == 0)
    }

    @Test(arguments: [[0x3F, 0x3E], [0xFF, 0, 1], [0, 0xFF, 0, 0xFF, 0xFF]] as [[UInt8]])
    func `a JPEG is recognized after its first segment was removed, whatever followed that`(stray: [UInt8]) throws {
        let xmp = xmpSegment(Array("<a".utf8))
        let changed = try JPEG(sampleJPEG(xmp, stray, comment)).replacingExif(
            with: nil, keeping: .allBut(.location))
        #expect(PhotoMetadata.Format(of: changed) == .jpeg)
        #expect(try JPEG(changed).segments.map(\.marker.rawValue) == [0xFE, 0xC0, 0xC4])
    }

    @Test func `data without a marker are not searched for long`() throws {
        let error = #expect(throws: ParseError.self) {
            _ = try JPEG(sampleJPEG(jfif, [UInt8](repeating: 0, count: 1 << 17)))
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func `Exif data fill a segment to its last byte, and no more`() throws {
        let jpeg = try JPEG(sampleJPEG())
        let largest = try jpeg.replacingExif(with: [UInt8](repeating: 7, count: 65_527))
        #expect(Array(largest[2..<6]) == [0xFF, 0xE1, 0xFF, 0xFF])
        #expect(try JPEG(largest).exif?.remaining == 65_527)
        let error = #expect(throws: ExifTooLarge.self) {
            _ = try jpeg.replacingExif(with: [UInt8](repeating: 7, count: 65_528))
        }
        #expect(error?.size == 65_528)
    }

    @Test func `a JPEG cut off before its scan is an error at any byte`() throws {
        let whole = sampleJPEG(jfif, exifSegment(minimalTIFF), comment)
        let head = whole.count - scan.count + 2
        for count in 0..<head {
            let error = #expect(throws: ParseError.self) { _ = try JPEG(Array(whole.prefix(count))) }
            #expect(error?.code == .truncated, "cut to \(count) bytes")
        }
        #expect(try JPEG(Array(whole.prefix(head))).size == PixelSize(width: 16, height: 8))
    }

    @Test(arguments: [
        ("89504e470d0a1a0a", ParseError.Code.invalidValue),  // PNG
        ("ffd8 00", .truncated), ("ffd8 ffd8", .invalidValue), ("ffd8 ffd9", .invalidValue),
        ("ffd8 ffd0", .invalidValue), ("ffd8 ff01", .invalidValue), ("ffd8 ff00", .truncated),
        ("ffd8 ffe0 0000", .invalidValue), ("ffd8 ffe0 0001", .invalidValue), ("ffd8 ffe0 ffff 00", .truncated),
        ("ffd8 ffda", .missing),  // no frame header
        ("ffd8 ffc0 0004 0800", .truncated),  // a frame header too short for a size
        ("ffd8 ffc0 000b 08 0000 0010 01 012200 ffda", .unsupported),  // a height told after the scan (DNL)
        ("ffd8 ffc0 000b 08 0008 0000 01 012200 ffda", .invalidValue),
        ("ffd8 ffc4 0007 08 0008 0010 ffda", .missing),  // a Huffman table is no frame header
    ])
    func `what is no JPEG is an error of its kind`(bytes: String, code: ParseError.Code) {
        let error = #expect(throws: ParseError.self) { _ = try JPEG(hex(bytes)) }
        #expect(error?.code == code)
    }

    @Test(arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCF] as [UInt8])
    func `the size is in the frame header of every coding process`(marker: UInt8) throws {
        let bytes = hex("ffd8 ff") + [marker] + hex("000b 08 0438 0780 01 012200 ffda")
        #expect(try JPEG(bytes).size == PixelSize(width: 1920, height: 1080))
    }

    /// The Independent JPEG Group's luminance table for quality 50 (ITU-T T.81, table K.1).
    private static let luminance: [Int] = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29,
        51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121,
        120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ]

    @Test(arguments: [25, 50, 75, 85, 92, 96], [false, true])
    func `the quality of a file is found from its quantization`(quality: Int, isWide: Bool) throws {
        let percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
        let table = Self.luminance.reduce(into: [UInt8(isWide ? 0x10 : 0)]) { table, value in
            let step = min(max((value * percent + 50) / 100, 1), isWide ? 65_535 : 255)
            table += isWide ? [UInt8(step >> 8), UInt8(step & 0xFF)] : [UInt8(step)]
        }
        let other: [UInt8] = [1] + [UInt8](repeating: 99, count: 64)
        let found = try #require(try JPEG(sampleJPEG(jfif, segment(0xDB, other + table))).estimatedQuality)
        #expect(abs(found - quality) <= 1, "\(found)")
        #expect(try JPEG(sampleJPEG(jfif)).estimatedQuality == nil)
    }
}
