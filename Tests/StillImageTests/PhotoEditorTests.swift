import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

@Suite struct PhotoEditorTests {
    private static let xmp = segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    private static let extended = segment(0xE1, Array("http://ns.adobe.com/xmp/extension/\0more".utf8))
    private static let photoshop = segment(0xED, Array("Photoshop 3.0\0".utf8))
    private static let profile = segment(0xE2, Array("ICC_PROFILE\0".utf8))
    private static let set = ExifUpdate(contentIdentifier: .set(ContentIdentifier()))

    /// A list of two pictures, with the second one's offset from the list's TIFF.
    ///
    /// - Parameter growth: of the first picture, whose size is 0x1000.
    private static func pictures(at offset: String, growth: Int = 0) -> [UInt8] {
        segment(
            0xE2,
            Array("MPF\0".utf8) + hex("4949 2a00 08000000 0100 02b0 0700 20000000 1a000000 00000000")
                + hex("00000320") + little(0x1000 + growth) + hex("00000000 00000000 00000000 50000000") + hex(offset)
                + hex("00000000"))
    }

    @Test func `Exif data of a JPEG change and all else stays`() throws {
        func others(growth: Int) -> [UInt8] {
            Self.xmp + Self.pictures(at: "00010000", growth: growth) + Self.profile + Self.photoshop
        }
        let photo = sampleJPEG(jfif, exifSegment(littleEndianTIFF), others(growth: 0))
        let new = try PhotoEditor(photo).applying(Self.set)
        let tiff = try #require(try Self.set.applied(to: littleEndianTIFF))
        #expect(new == sampleJPEG(jfif, exifSegment(tiff), others(growth: tiff.count - littleEndianTIFF.count)))
    }

    @Test func `a photo without Exif data gets them in front`() throws {
        let new = try PhotoEditor(sampleJPEG(Self.pictures(at: "00010000"))).applying(Self.set)
        let tiff = try #require(try Self.set.applied(to: nil, of: EncodedPicture(JPEG(sampleJPEG()))))
        let growth = exifSegment(tiff).count
        #expect(new == sampleJPEG(exifSegment(tiff), Self.pictures(at: "00010000", growth: growth)))
        #expect(try PhotoEditor(sampleJPEG(jfif)).applying(ExifUpdate(location: .remove)) == sampleJPEG(jfif))
    }

    @Test(
        arguments: [
            (nil, true), ("", false), ("sRGB IEC61966-2.1", true), ("\0s\0R\0G\0B", true), ("Display P3", false),
            ("Display P3 Gamut with sRGB Transfer", false),
        ] as [(String?, Bool)]) func `new Exif data of a JPEG have the fields that Exif requires`(
            profile: String?, isSRGB: Bool
        ) throws
    {
        let segments = profile.map { segment(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}\($0)".utf8)) } ?? []
        let new = try PhotoEditor(sampleJPEG(jfif, segments)).applying(Self.set)
        let tiff = try TIFF(from: try #require(try PhotoReader(inputFile(new)).tiff()))
        let exif = try #require(tiff.exif)
        for tag in [TIFFTag.xResolution, .yResolution, .resolutionUnit, .yCbCrPositioning] {
            #expect(tiff.image[tag] != nil, "\(tag)")
        }
        for tag in [TIFFTag.exifVersion, .componentsConfiguration, .flashpixVersion] {
            #expect(exif[tag] != nil, "\(tag)")
        }
        #expect(exif[.pixelXDimension]?.unsigned == 16 && exif[.pixelYDimension]?.unsigned == 8)
        #expect(exif[.colorSpace]?.unsigned == (isSRGB ? 1 : 0xFFFF))
        #expect((try? PhotoMetadata(new).contentIdentifier.get()) != nil)
    }

    @Test func `Exif data of a photo that becomes a JPEG get what a JPEG needs`() throws {
        var gps = try #require(Exif(location: GeographicLocation(latitude: 1, longitude: 2)).tiff.gps)
        gps[.gpsVersion] = nil
        // The size of a picture that is not turned yet, and other components.
        let exif = IFD([
            .long(.pixelXDimension, 8), .long(.pixelYDimension, 16),
            .undefined(.componentsConfiguration, [4, 5, 6, 0]),
        ])
        let old = TIFF(image: IFD([.ascii(.make, "A")]), exif: exif, gps: gps).bytes
        let picture = PictureChange.Picture(size: PixelSize(width: 16, height: 8), orientation: .upright)
        let new = try #require(
            try ExifUpdate(orientation: .upright).applied(
                to: old, of: EncodedPicture(JPEG(sampleJPEG())),
                from: PictureChange(from: picture, to: picture, map: UnitMap())))
        let tiff = try TIFF(from: ByteReader(new, structure: "Exif"))
        #expect(tiff.gps?[.gpsVersion] != nil && tiff.gps?[.gpsLatitude] != nil && tiff.exif?[.exifVersion] != nil)
        #expect(tiff.image[.make]?.text == "A")
        #expect(tiff.exif?[.pixelXDimension]?.unsigned == 16 && tiff.exif?[.pixelYDimension]?.unsigned == 8)
        #expect(tiff.exif?[.componentsConfiguration]?.data == [1, 2, 3, 0])
    }

    @Test(
        arguments: [
            ([10, 4], [12, 10], 0), ([10, 4, 2], [12, 10, 2], 32), ([10, 4, 4, 2], [12, 10, 2, 4], 32),
            ([40, 4, 4, 2], nil, 32), ([1], nil, 32),
            // The size before another program halved the picture, and one of another shape.
            ([20, 8, 8, 4], [12, 10, 2, 4], 64), ([10, 4], [12, 10], 128),
        ] as [([UInt16], [UInt16]?, UInt16)])
    func `the subject of a photo that is encoded moves with its picture, and the thumbnail goes`(
        old: [UInt16], expected: [UInt16]?, statedWidth: UInt16
    ) throws {
        var fields = [TIFFField.shorts(.subjectArea, old)]
        if statedWidth > 0 {
            fields += [.short(.pixelXDimension, statedWidth), .short(.pixelYDimension, min(statedWidth / 2, 32))]
        }
        let exif = IFD(fields)
        var tiff = TIFF(image: IFD([.ascii(.make, "A")]), exif: exif, gps: nil).bytes
        // The link to a directory with a thumbnail of ten bytes after it.
        let (link, start) = (8 + 2 + 2 * 12, UInt32(tiff.count))
        let directory = IFD([.long(.jpegOffset, start + 30), .long(.jpegByteCount, 10)])
        tiff += TIFF(image: directory).bytes.dropFirst(8) + Array("thumb-nail".utf8)
        for index in 0..<4 { tiff[link + index] = UInt8(start >> (24 - 8 * UInt32(index)) & 0xFF) }
        let change = PictureChange(
            from: .init(size: PixelSize(width: 32, height: 16), orientation: .upright),
            to: .init(size: PixelSize(width: 16, height: 32), orientation: .upright), map: UnitMap(.rotated90Clockwise))
        let picture = EncodedPicture(size: change.new.size, isSRGB: true)
        #expect(tiff.count(of: Array("thumb".utf8)) == 1)
        let new = try #require(try ExifUpdate().applied(to: tiff, of: picture, from: change))
        #expect(new.count(of: Array("thumb".utf8)) == 0)
        #expect(try TIFF(from: ByteReader(new, structure: "Exif")).exif?[.subjectArea]?.shorts == expected)
        #expect(
            try #require(try ExifUpdate(orientation: .upright).applied(to: tiff)).count(of: Array("thumb".utf8)) == 1)
    }

    @Test func `XMP and IPTC go when they are to, and the list of pictures follows`() throws {
        let bytes = sampleJPEG(
            exifSegment(minimalTIFF), Self.xmp, Self.pictures(at: "00010000"), Self.extended, Self.profile,
            Self.photoshop)
        let new = try JPEG(bytes).replacingExif(with: minimalTIFF, keeping: .nothing)
        let removed = Self.extended.count + Self.photoshop.count
        #expect(removed == 43 + 18)
        let pictures = Self.pictures(at: "c3000000", growth: -removed - Self.xmp.count)
        #expect(new == sampleJPEG(exifSegment(minimalTIFF), pictures, Self.profile))
    }

    @Test func `the list of pictures follows when the location goes from XMP before it and from IPTC after it`() throws
    {
        func xmp(_ place: String) -> [UInt8] {
            xmpSegment(
                Array(
                    """
                    <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
                    <rdf:Description xmlns:a='urn:a' a:b='c'\(place)/></rdf:RDF>
                    """.utf8))
        }
        let (old, new) = (xmp(" a:City='Kyoto'"), xmp(""))
        let removed = old.count - new.count + Self.photoshop.count
        #expect(removed == 15 + 18)
        let file = sampleJPEG(exifSegment(minimalTIFF), old, Self.pictures(at: "00010000"), Self.photoshop)
        #expect(
            try PhotoEditor(file).applying(ExifUpdate(location: .remove))
                == sampleJPEG(exifSegment(minimalTIFF), new, Self.pictures(at: "ee000000", growth: -removed)))
    }

    @Test func `the list of pictures follows Exif data that stood behind it`() throws {
        let bytes = sampleJPEG(Self.pictures(at: "00010000"), exifSegment(minimalTIFF))
        let new = try PhotoEditor(bytes).applying(ExifUpdate())
        #expect(exifSegment(minimalTIFF).count == 0x88)
        #expect(new == sampleJPEG(exifSegment(minimalTIFF), Self.pictures(at: "78000000")))
    }

    @Test func `a location that is filled in leaves what else is known of the place`() throws {
        let dateStamp = TIFFTag(rawValue: 0x1D)
        let tiff = TIFF(image: IFD([.ascii(.make, "A")]), gps: IFD([.ascii(dateStamp, "2025:01:01")])).bytes
        let place = try #require(GeographicLocation(latitude: 35, longitude: 135))
        let new = try #require(try ExifUpdate(location: .fillIn(place)).applied(to: tiff))
        let gps = try #require(try TIFF(from: ByteReader(new, structure: "Exif")).gps)
        #expect(gps[dateStamp]?.text == "2025:01:01")
        #expect(try Exif(from: ByteReader(new, structure: "Exif")).location == place)
    }

    @Test func `Exif data too large for a JPEG are an error`() throws {
        let tiff = minimalTIFF + [UInt8](repeating: 1, count: JPEG.exifLimit - minimalTIFF.count)
        let photo = try PhotoEditor(sampleJPEG(exifSegment(tiff)))
        #expect(try photo.applying(Self.set).count == sampleJPEG(exifSegment(tiff)).count)
        #expect(throws: ExifTooLarge.self) {
            _ = try photo.applying(ExifUpdate(captureDate: .set(try #require(.sample))))
        }
    }

    @Test func `a JPEG is shown as Exif turns it`() throws {
        let tiff = try #require(try ExifUpdate(orientation: .rotated90Clockwise).applied(to: nil))
        let photo = try PhotoMetadata(sampleJPEG(exifSegment(tiff)))
        #expect(photo.size == PixelSize(width: 16, height: 8))
        #expect(photo.orientation == .rotated90Clockwise)
        #expect(photo.displaySize == PixelSize(width: 8, height: 16))
    }
}
