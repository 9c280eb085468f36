import Bytes
import StillImage
import TestSupport
import Testing

@Suite struct ContainerExifTests {
    @Test func `Exif data of other kinds of file are found`() throws {
        let signature = hex("89504e470d0a1a0a")
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(content.count)] + Array(type.utf8) + content + hex("00000000")
        }
        let header = chunk("IHDR", Array(repeating: 0, count: 13))
        #expect(try ContainerExif.tiff(in: signature + header + chunk("eXIf", minimalTIFF)) == minimalTIFF)
        #expect(try ContainerExif.tiff(in: signature + header + chunk("IEND", [])) == nil)
        #expect(throws: ParseError.self) { _ = try ContainerExif.tiff(in: signature + header.dropLast()) }

        let webP = Array("RIFF".utf8) + hex("00000000") + Array("WEBPVP8X".utf8) + hex("03000000 00000000")
        let exif = Array("EXIF".utf8)
        #expect(try ContainerExif.tiff(in: webP) == nil)
        #expect(try ContainerExif.tiff(in: webP + exif + hex("7e000000") + minimalTIFF) == minimalTIFF)
        #expect(
            try ContainerExif.tiff(in: webP + exif + hex("84000000") + Array("Exif\0\0".utf8) + minimalTIFF)
                == minimalTIFF)
        #expect(try ContainerExif.tiff(in: sampleJPEG(exifSegment(minimalTIFF))) == minimalTIFF)
        #expect(try ContainerExif.tiff(in: SampleHEIF(name: "HEIC").bytes) == minimalTIFF)
        #expect(try ContainerExif.tiff(in: Array("GIF89a".utf8)) == nil)
    }

    @Test func `of a TIFF file only what describes the photo is taken`() throws {
        let bytes = try #require(try ContainerExif.tiff(in: littleEndianTIFF))
        let tiff = try TIFF(from: reader(bytes))
        #expect(tiff.image.fields.map(\.tag) == [.make, .orientation])
        #expect(tiff.exif?[.pixelXDimension]?.unsigned == 1920)
        let other = try #require(try ContainerExif.tiff(in: minimalTIFF))
        #expect(try TIFF(from: reader(other)).exif?[.makerNote] == nil)
    }
}
