import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct TIFFTests {
    @Test func `the smallest TIFF with a content identifier is the 126 bytes of the format's description`() throws {
        let tiff = TIFF(
            image: IFD([.short(.orientation, 1)]), exif: IFD([.undefined(.makerNote, minimalNote)]))
        #expect(tiff.bytes == minimalTIFF)
        #expect(tiff.bytes.count == 126)
        #expect(try TIFF(from: reader(minimalTIFF)) == tiff)
    }

    @Test func `a little-endian TIFF is read and written back big-endian`() throws {
        let tiff = try TIFF(from: reader(littleEndianTIFF))
        #expect(tiff.image[.make]?.text == "Hei")
        #expect(tiff.image[.orientation]?.unsigned == 6)
        #expect(tiff.image[.xResolution]?.rationals == [TIFFRational(72, 1)])
        #expect(tiff.exif?[.pixelXDimension]?.unsigned == 1920)
        #expect(tiff.exif?[.pixelYDimension]?.unsigned == 1080)
        let long8 = try #require(tiff.exif?[TIFFTag(rawValue: 0x9001)])
        #expect(long8.type == .long8 && long8.data == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try TIFF(from: reader(tiff.bytes)) == tiff)
    }

    @Test(arguments: TIFFType.allCases)
    func `a value of each type is read in both byte orders and written back`(type: TIFFType) throws {
        let value = (1...UInt8(2 * type.size)).map { $0 }  // two values
        let swapped = stride(from: 0, to: value.count, by: type.numberSize).flatMap {
            value[$0..<$0 + type.numberSize].reversed()
        }
        let code = UInt8(type.rawValue)
        let isInline = value.count <= 4
        let padding = [UInt8](repeating: 0, count: max(4 - value.count, 0))
        let big =
            hex("4d4d 002a 00000008 0001 0100 00") + [code] + hex("00000002")
            + (isInline ? value + padding + hex("00000000") : hex("0000001a 00000000") + value)
        let little =
            hex("4949 2a00 08000000 0100 0001") + [code] + hex("00 02000000")
            + (isInline ? swapped + padding + hex("00000000") : hex("1a000000 00000000") + swapped)
        let tiff = try TIFF(from: reader(big))
        let field = try #require(tiff.image.fields.first)
        #expect(field.type == type && field.data == value && field.count == 2)
        #expect(try TIFF(from: reader(little)) == tiff)
        #expect(tiff.bytes == big)
    }

    @Test func `fields are written in the order of their tags, each once, with values at even offsets`() throws {
        var ifd = IFD([.ascii(.software, "odd!"), .ascii(.make, "also"), .short(.orientation, 3)])
        ifd[.orientation] = .short(.orientation, 8)
        #expect(
            TIFF(image: ifd).bytes
                == hex("4d4d 002a 00000008 0003")
                + hex("010f 0002 00000005 00000032") + hex("0112 0003 00000001 00080000")
                + hex("0131 0002 00000005 00000038") + hex("00000000")
                + Array("also\0".utf8) + [0] + Array("odd!\0".utf8) + [0])
    }

    @Test(arguments: [minimalTIFF, littleEndianTIFF])
    func `a TIFF cut off anywhere throws, or notes which field it lost`(whole: [UInt8]) throws {
        let complete = try TIFF(from: reader(whole))
        let padding = whole == minimalTIFF ? 1 : 0
        for count in 0..<whole.count - padding {
            do throws(ParseError) {
                let tiff = try TIFF(from: reader(Array(whole.prefix(count))))
                #expect(tiff != complete)
                #expect(!tiff.image.unreadable.isEmpty || tiff.exif?.unreadable.isEmpty == false)
            } catch {
                #expect(error.code == .truncated, "cut to \(count) bytes: \(error)")
            }
        }
    }

    @Test(arguments: [
        ("", ParseError.Code.truncated), ("4d4d", .truncated), ("4d4d002a", .truncated),
        ("4a4d 002a 00000008 0000 00000000", .invalidValue),  // byte order mark
        ("4d4d 002b 00000008 0000 00000000", .invalidValue),  // BigTIFF
        ("4d4d 2a00 00000008 0000 00000000", .invalidValue),  // 42 in the other byte order
        ("4d4d 002a ffffffff", .truncated), ("4d4d 002a 00000008 ffff", .overLimit),
        ("4d4d 002a 00000008 0fff", .truncated),
    ])
    func `a header that leads nowhere is an error`(bytes: String, code: ParseError.Code) {
        let error = #expect(throws: ParseError.self) { _ = try TIFF(from: reader(hex(bytes))) }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ("0002 ffffffff 00000000", ParseError.Code.overLimit),  // a claimed length of 4 GB
        ("000c 20000001 00000000", .overLimit),  // 2^29 + 1 doubles: more than 32 bits of bytes
        ("0002 00000008 ffffffff", .invalidValue), ("0002 00000008 0000001f", .truncated),
        ("0005 00000001 00000020", .truncated),
    ])
    func `a field whose value is outside of the file is noted and the others are read`(
        field: String, code: ParseError.Code
    ) throws {
        let bytes =
            hex("4d4d 002a 00000008 0002 010f") + hex(field) + hex("0112 0003 00000001 00060000 00000000")
        #expect(bytes.count == 0x26)
        let tiff = try TIFF(from: reader(bytes))
        #expect(tiff.image[.make] == nil)
        #expect(tiff.image.unreadable[.make]?.code == code)
        #expect(throws: ParseError.self) { _ = try tiff.image.field(.make) }
        #expect(tiff.image[.orientation]?.unsigned == 6)
    }

    @Test(arguments: ["0000", "000e", "000f", "0013", "0081", "ffff"])
    func `a field of an unknown type is left out`(type: String) throws {
        let bytes =
            hex("4d4d 002a 00000008 0002 010f") + hex(type) + hex("00000001 ffffffff")
            + hex("0112 0003 00000001 00060000 00000000")
        let tiff = try TIFF(from: reader(bytes))
        #expect(tiff == TIFF(image: IFD([.short(.orientation, 6)])))
    }

    @Test(arguments: ["00000008", "00000000", "0000001a", "ffffffff"])
    func `an IFD that leads back or outside ends the reading, not the program`(pointer: String) throws {
        let bytes = hex("4d4d 002a 00000008 0001 8769 0004 00000001") + hex(pointer) + hex("00000008")
        let tiff = try TIFF(from: reader(bytes))
        #expect(tiff.image.fields.isEmpty)
        if pointer == "00000008" {
            #expect(tiff.exif?.fields.map(\.tag) == [.exifIFD])
        } else {
            #expect(tiff.exif == nil)
            #expect(tiff.image.unreadable[.exifIFD] != nil)
        }
    }

    @Test func `values that share their bytes cannot make a small file large`() throws {
        var bytes = hex("4d4d 002a 00000008 0fff")
        for tag in UInt16(1)...0x0FFF {
            bytes += [UInt8(tag >> 8), UInt8(tag & 0xFF)] + hex("0007 00008000 00000000")
        }
        bytes += [UInt8](repeating: 0, count: 4)
        let image = try TIFF(from: reader(bytes)).image
        #expect(image.fields.count == 1)
        #expect(image.unreadable.count == 0x0FFE)
    }
}
