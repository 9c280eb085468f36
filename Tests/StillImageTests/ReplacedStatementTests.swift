import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// What stays outside of Exif when a photo gets another date or location.
@Suite struct ReplacedStatementTests {
    private static let dates =
        "x:CreateDate='2020-06-01' e:DateTimeOriginal='2020-06-01' e:DateTimeDigitized='2020-06-01' ps:DateCreated='2020-06-01'"
    private static let coordinates = "e:GPSLatitude='35,0N' e:GPSLongitude='135,0E'"
    private static let others = "ps:City='Kyoto' x:ModifyDate='2021-01-01'"

    private static func xmp(_ attributes: String) -> [UInt8] {
        Array(
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description rdf:about='' xmlns:e='http://ns.adobe.com/exif/1.0/' xmlns:x='http://ns.adobe.com/xap/1.0/'
                xmlns:ps='http://ns.adobe.com/photoshop/1.0/' \(attributes)/></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    private static func resource(_ number: UInt16, _ content: [UInt8]) -> [UInt8] {
        Array("8BIM".utf8) + [UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 0, 0, UInt8(content.count)] + content
            + (content.count % 2 == 1 ? [0] : [])
    }

    private static func field(_ number: UInt8, _ text: String) -> [UInt8] {
        [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    /// A segment of Photoshop with these fields of IPTC, a thumbnail and further resources.
    private static func photoshop(_ fields: [UInt8], _ further: [UInt8] = []) -> [UInt8] {
        segment(
            0xED,
            Array("Photoshop 3.0\0".utf8) + resource(0x0404, fields) + resource(0x040C, [1, 2, 3, 4]) + further)
    }

    private static let keyword = field(25, "seas")
    private static let datedFields =
        keyword + field(55, "20200601") + field(60, "100000+0000") + field(62, "20200601") + field(63, "100000+0000")
    private static let oldDate = CaptureDate(year: 2020, month: 6, day: 1, hour: 10, minute: 0, second: 0)
    private static let newDate = CaptureDate(year: 2024, month: 2, day: 3, hour: 4, minute: 5, second: 6)
    private static let oldPlace = GeographicLocation(latitude: 35, longitude: 135)
    private static let newPlace = GeographicLocation(latitude: 48.5, longitude: -2.25)

    private static func tiff(hasStatements: Bool) throws -> [UInt8] {
        guard hasStatements else { return minimalTIFF }
        let update = ExifUpdate(
            captureDate: .set(try #require(oldDate)), location: .set(try #require(oldPlace)))
        return try #require(try update.applied(to: minimalTIFF))
    }

    private static func texts(_ file: [UInt8]) throws -> [FileText] {
        try JPEG(file).xmp()?.properties.compactMap(\.value.text).sorted() ?? []
    }

    @Test func `another date leaves no old one in XMP and IPTC, and everything else`() throws {
        let copies = Self.resource(0x0422, Array("2020".utf8))
        let file = sampleJPEG(
            jfif, exifSegment(try Self.tiff(hasStatements: true)),
            xmpSegment(Self.xmp("\(Self.dates) \(Self.coordinates) \(Self.others)")),
            Self.photoshop(Self.datedFields, copies), comment)
        let update = ExifUpdate(captureDate: .set(try #require(Self.newDate)))
        let new = try PhotoEditor(file).applying(update)
        #expect(try Self.texts(new) == ["135,0E", "2021-01-01", "35,0N", "Kyoto"])
        #expect(new.count(of: Self.photoshop(Self.keyword)) == 1 && new.count(of: comment) == 1)
        #expect(new.count(of: Array("2020".utf8)) == 0)
    }

    @Test func `other coordinates leave no old ones in XMP, and the names of places`() throws {
        let iptc = Self.photoshop(Self.datedFields + Self.field(90, "Kyoto"))
        let file = sampleJPEG(
            exifSegment(try Self.tiff(hasStatements: true)), xmpSegment(Self.xmp("\(Self.coordinates) \(Self.others)")),
            iptc)
        let new = try PhotoEditor(file).applying(ExifUpdate(location: .set(try #require(Self.newPlace))))
        #expect(try Self.texts(new) == ["2021-01-01", "Kyoto"])
        #expect(new.count(of: iptc) == 1)
    }

    @Test(arguments: [
        ("the same date and place", true, oldDate, oldPlace, xmp("\(dates) \(coordinates)")),
        ("a date and a place where Exif had none", false, newDate, newPlace, xmp("\(dates) \(coordinates)")),
        ("XMP that cannot be read", true, newDate, newPlace, Array("<a".utf8)),
    ])
    func `XMP and IPTC stay as they are`(
        name: String, hasStatements: Bool, date: CaptureDate?, place: GeographicLocation?, packet: [UInt8]
    ) throws {
        let iptc = Self.photoshop(Self.keyword)
        let file = sampleJPEG(
            exifSegment(try Self.tiff(hasStatements: hasStatements)), xmpSegment(packet), iptc, comment)
        let update = ExifUpdate(captureDate: .set(try #require(date)), location: .set(try #require(place)))
        let new = try PhotoEditor(file).applying(update)
        #expect(new.count(of: packet) == 1 && new.count(of: iptc) == 1 && new.count(of: comment) == 1, "\(name)")
    }

    @Test func `a HEIC keeps its size when an old date goes from its XMP`() throws {
        var sample = SampleHEIF(name: "XMP")
        sample.tiff = try Self.tiff(hasStatements: true)
        sample.xmp = Self.xmp("\(Self.dates) \(Self.others)")
        let new = try PhotoEditor(sample.bytes).applying(ExifUpdate(captureDate: .set(try #require(Self.newDate))))
        let kept = try itemData(3, in: new)
        #expect(try XMP(kept).properties.compactMap(\.value.text).sorted() == ["2021-01-01", "Kyoto"])
        #expect(try itemData(1, in: new) == SampleHEIF.picture)
    }
}
