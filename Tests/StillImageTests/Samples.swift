import Bytes
import MediaModel
import TestSupport

func reader(_ bytes: [UInt8]) -> ByteReader { ByteReader(bytes, structure: "test") }

let identifier = "CEEE58DF-95FE-4D41-8B9A-F0AF1103A2DC"

/// The smallest note of Apple that pairs a photo.
let minimalNote =
    hex("4170706c6520694f5300 0001 4d4d")  // Apple iOS, version 1, big-endian
    + hex("0001")  // one field:
    + hex("0011 0002 00000025 00000020")  // tag 17, ASCII, 37 bytes at 0x20
    + hex("00000000")  // no next IFD
    + Array(identifier.utf8) + [0]

/// The smallest TIFF with that note.
let minimalTIFF =
    hex("4d4d 002a 00000008")
    + hex("0002")  // two fields:
    + hex("0112 0003 00000001 00010000")  // Orientation, SHORT, 1
    + hex("8769 0004 00000001 00000026")  // Exif IFD at 0x26
    + hex("00000000")
    + hex("0001")  // one field:
    + hex("927c 0007 00000045 00000038")  // MakerNote, UNDEFINED, 69 bytes at 0x38
    + hex("00000000")
    + minimalNote + [0]

/// A little-endian TIFF, as many cameras write them.
let littleEndianTIFF =
    hex("4949 2a00 08000000")
    + hex("0400")
    + hex("0f01 0200 04000000 48656900")  // Make "Hei"
    + hex("1201 0300 01000000 06000000")  // Orientation 6
    + hex("1a01 0500 01000000 3e000000")  // XResolution at 0x3e
    + hex("6987 0400 01000000 46000000")  // Exif IFD at 0x46
    + hex("00000000")
    + hex("48000000 01000000")  // 72/1
    + hex("0300")
    + hex("0190 1000 01000000 70000000")  // a LONG8 at 0x70
    + hex("02a0 0400 01000000 80070000")  // 1920
    + hex("03a0 0300 01000000 38040000")  // 1080
    + hex("00000000")
    + hex("0807060504030201")

/// A JPEG of 16 by 8 pixels as far as its headers say; its scan is made up.
func sampleJPEG(_ segments: [UInt8]...) -> [UInt8] {
    hex("ffd8") + segments.joined()
        + hex("ffc0 000b 08 0008 0010 01 012200")  // 8 bits, 8 lines of 16
        + hex("ffc4 0004 0000")  // a Huffman table, cut short
        + scan
}

/// A scan with a stuffed FF, and the end of the image.
let scan = hex("ffda 0008 01 0100 003f00 1234 ff00 56 ffd9")

func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
}

/// A JPEG whose list of pictures (MPF) names these, which follow it.
func multiPictureJPEG(_ pictures: [[UInt8]], _ segments: [UInt8]...) -> [UInt8] {
    func photo(_ entries: [(size: Int, offset: Int)]) -> [UInt8] {
        let list = entries.flatMap { hex("00000000") + big($0.size) + big($0.offset) + hex("00000000") }
        // One field of the IFD, whose values follow it.
        let tiff = hex("4d4d002a 00000008 0001 b002 0007") + big(list.count) + big(26) + hex("00000000") + list
        return sampleJPEG(jfif, Array(segments.joined()), segment(0xE2, Array("MPF\0".utf8) + tiff))
    }
    let size = photo(Array(repeating: (0, 0), count: pictures.count + 1)).count
    let start = jfif.count + segments.joined().count + 2 + 4 + 4
    var offset = size - start
    var entries = [(size: size, offset: 0)]
    for picture in pictures {
        entries.append((picture.count, offset))
        offset += picture.count
    }
    return photo(entries) + pictures.joined()
}

let jfif = segment(0xE0, Array("JFIF\0".utf8) + hex("0101 00 0001 0001 00 00"))
let comment = segment(0xFE, Array("made by a library".utf8))

func exifSegment(_ tiff: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + tiff) }

func xmpSegment(_ packet: [UInt8]) -> [UInt8] { segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet) }

let xmpGUID = "0123456789ABCDEF0123456789ABCDEF"

/// The one segment that continues XMP whose `HasExtendedXMP` is `xmpGUID`.
func extendedXMPSegment(_ packet: [UInt8]) -> [UInt8] {
    segment(
        0xE1,
        Array("http://ns.adobe.com/xmp/extension/\0\(xmpGUID)".utf8) + little(packet.count).reversed()
            + hex("00000000") + packet)
}

/// A field of IPTC in record 2.
func iptcField(_ number: UInt8, _ text: String) -> [UInt8] {
    [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
}

func photoshopResource(_ number: UInt16, _ content: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 0, 0, UInt8(content.count)] + content
        + (content.count % 2 == 1 ? [0] : [])
}

func photoshopSegment(_ resources: [UInt8]) -> [UInt8] { segment(0xED, Array("Photoshop 3.0\0".utf8) + resources) }

extension CaptureDate {
    static let sample = CaptureDate(year: 2001, month: 2, day: 3, hour: 4, minute: 5, second: 6, utcOffset: 90)
}

extension [UInt8] {
    /// How often it contains these bytes.
    func count(of pattern: [UInt8]) -> Int {
        indices.count { self[$0...].starts(with: pattern) }
    }

    /// How many bytes come before the first of these; all of them where there is none.
    func count(before pattern: [UInt8]) -> Int {
        indices.first { self[$0...].starts(with: pattern) } ?? count
    }
}
