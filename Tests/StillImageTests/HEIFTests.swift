import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct HEIFTests {
    @Test(arguments: SampleHEIF.layouts)
    func `size and content identifier are read from a HEIC, however its items are placed`(sample: SampleHEIF) throws {
        let photo = try PhotoMetadata(sample.bytes)
        #expect(photo.format == .heic)
        #expect(photo.size == PixelSize(width: 64, height: 48))
        #expect(photo.contentIdentifier == .success(FileText(identifier)))
    }

    @Test(
        arguments: [
            ([], .upright, 64, 48),
            ([box("irot", [3])], .rotated90Clockwise, 48, 64),
            ([box("irot", [2])], .rotated180, 64, 48),
            ([box("irot", [1])], .rotated90Counterclockwise, 48, 64),
            ([box("imir", [0])], .flipped, 64, 48), ([box("imir", [1])], .mirrored, 64, 48),
            ([box("irot", [1]), box("imir", [1])], .antitransposed, 48, 64),
            ([box("imir", [1]), box("irot", [1])], .transposed, 48, 64),
            ([box("clap", hex("00000028 00000001 0000003d 00000002")), box("irot", [3])], .rotated90Clockwise, 30, 40),
            ([box("irot", [3]), box("clap", hex("0000001e 00000001 00000028 00000001"))], .rotated90Clockwise, 30, 40),
            ([box("clap", hex("00000028 00000000 0000003d 00000002"))], .upright, 64, 48),
            ([box("colr", Array("nclx".utf8) + hex("0001000100018000"))], .upright, 64, 48),
        ] as [([[UInt8]], Orientation, Int, Int)])
    func `a HEIC is turned as its properties say, whatever Exif says`(
        properties: [[UInt8]], orientation: Orientation, width: Int, height: Int
    ) throws {
        let tiff = try #require(try ExifUpdate(orientation: .rotated180).applied(to: minimalTIFF))
        let photo = try PhotoMetadata(SampleHEIF(name: "turned", tiff: tiff, properties: properties).bytes)
        #expect(photo.exif?.orientation == .rotated180)
        #expect(photo.orientation == orientation)
        #expect(photo.displaySize == PixelSize(width: width, height: height))
    }

    @Test(arguments: [
        ("heic", "", PhotoMetadata.Format.heic), ("mif1", "heix", .heic), ("mif1", "", .heic), ("msf1", "hevc", .heic),
        ("avif", "mif1", .avif), ("mif1", "avif", .avif), ("qt  ", "", nil), ("isom", "mp42", nil),
    ])
    func `brands tell the kind of photo`(main: String, further: String, format: PhotoMetadata.Format?) {
        let bytes = box("ftyp", Array(main.utf8) + hex("00000000") + Array(further.utf8))
        #expect(PhotoMetadata.Format(of: bytes) == format)
    }
}
