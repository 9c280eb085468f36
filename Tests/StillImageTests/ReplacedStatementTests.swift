import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// What stays outside of Exif when a photo gets another date or location.
@Suite struct ReplacedStatementTests {
    private static let link = "n:HasExtendedXMP='\(xmpGUID)'"
    private static let dates = ["x:CreateDate", "e:DateTimeOriginal", "e:DateTimeDigitized", "ps:DateCreated"]
        .map { "\($0)='2020-06-01T10:00:00'" }.joined(separator: " ")
    private static let others = "ps:City='Kyoto' x:ModifyDate='2021-01-01' e:GPSLatitude='35,0N'"
    private static let otherTexts: [FileText] = ["2021-01-01", "35,0N", "Kyoto"]

    private static func xmp(_ attributes: String, _ elements: String = "") -> [UInt8] {
        Array(
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description rdf:about='' xmlns:e='http://ns.adobe.com/exif/1.0/' xmlns:x='http://ns.adobe.com/xap/1.0/'
                xmlns:ps='http://ns.adobe.com/photoshop/1.0/' xmlns:n='http://ns.adobe.com/xmp/note/'
                \(attributes)>\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    /// A segment of Photoshop with these fields of IPTC, a thumbnail and further resources.
    private static func photoshop(_ fields: [UInt8], _ further: [UInt8] = []) -> [UInt8] {
        photoshopSegment(photoshopResource(0x0404, fields) + photoshopResource(0x040C, [1, 2, 3, 4]) + further)
    }

    private static let keyword = iptcField(25, "seas")
    private static let datedFields =
        keyword + iptcField(55, "20200601") + iptcField(60, "100000+0000") + iptcField(62, "20200601")
        + iptcField(63, "100000+0000")
    private static let oldDate = CaptureDate(year: 2020, month: 6, day: 1, hour: 10, minute: 0, second: 0)
    private static let newDate = CaptureDate(year: 2024, month: 2, day: 3, hour: 4, minute: 5, second: 6)

    /// Exif data with the old date.
    private static func dated() throws -> [UInt8] {
        let tiff = try update(oldDate).applied(to: minimalTIFF)
        return try #require(tiff)
    }

    private static func update(_ date: CaptureDate?) throws -> ExifUpdate {
        ExifUpdate(captureDate: .set(try #require(date)))
    }

    private static func texts(_ file: [UInt8]) throws -> [FileText] {
        try JPEG(file).xmp()?.properties.compactMap(\.value.text).sorted() ?? []
    }

    @Test func `another date leaves no old one in XMP and IPTC, and everything else`() throws {
        let copies = photoshopResource(0x0422, Array("2020".utf8))
        let file = sampleJPEG(
            jfif, exifSegment(try Self.dated()), xmpSegment(Self.xmp("\(Self.dates) \(Self.others)")),
            Self.photoshop(Self.datedFields, copies), comment)
        let new = try PhotoEditor(file).applying(Self.update(Self.newDate))
        #expect(try Self.texts(new) == Self.otherTexts)
        #expect(new.count(of: Self.photoshop(Self.keyword)) == 1 && new.count(of: comment) == 1)
        #expect(new.count(of: Array("2020".utf8)) == 0)
    }

    @Test func `a date that only XMP stated goes, too`() throws {
        let file = sampleJPEG(exifSegment(minimalTIFF), xmpSegment(Self.xmp("\(Self.dates) \(Self.others)")))
        #expect(try Self.texts(PhotoEditor(file).applying(Self.update(Self.newDate))) == Self.otherTexts)
    }

    @Test(arguments: [
        ("the same date", true, oldDate, xmp(dates), keyword),
        ("a date where neither Exif nor XMP had one", false, newDate, xmp(others), datedFields),
        ("XMP that cannot be read", true, newDate, Array("<a".utf8), keyword),
        (
            "the date of another document", true, newDate,
            xmp("", "<n:Pantry rdf:parseType='Resource'><x:CreateDate>1999-01-01</x:CreateDate></n:Pantry>"), keyword
        ),
    ])
    func `XMP and IPTC stay as they are`(
        name: String, isDated: Bool, date: CaptureDate?, packet: [UInt8], fields: [UInt8]
    ) throws {
        let iptc = Self.photoshop(fields, photoshopResource(0x0425, Array("digest".utf8)))
        let file = sampleJPEG(
            exifSegment(isDated ? try Self.dated() : minimalTIFF), xmpSegment(packet), iptc, comment)
        let new = try PhotoEditor(file).applying(Self.update(date))
        #expect(new.count(of: packet) == 1 && new.count(of: iptc) == 1 && new.count(of: comment) == 1, "\(name)")
    }

    /// - Parameter keptSegments: further segments of XMP that stay.
    @Test(
        arguments: [
            (
                "continuation that is missing", [xmp("\(dates) \(others) \(link)")], [], 0,
                otherTexts + [FileText(xmpGUID)]
            ),
            (
                "continuation without a date", [xmp("\(dates) \(link)")], [xmp("ps:City='Kyoto'")], 1,
                [FileText(xmpGUID), "Kyoto"]
            ),
            ("date in the continuation", [xmp("\(others) \(link)")], [xmp(dates)], 0, otherTexts),
            ("two packets", [xmp("\(dates) \(others)"), xmp("\(dates) ps:City='Rome'")], [], 0, otherTexts),
            (
                "two packets and a continuation", [xmp("\(dates) \(link)"), xmp("\(dates) ps:City='Rome'")],
                [xmp("ps:City='Kyoto'")], 1, [FileText(xmpGUID), "Kyoto"]
            ),
        ] as [(String, [[UInt8]], [[UInt8]], Int, [FileText])])
    func `a date goes from XMP in several segments, and nothing else`(
        name: String, packets: [[UInt8]], further: [[UInt8]], keptSegments: Int, texts: [FileText]
    ) throws {
        let file = sampleJPEG(
            exifSegment(try Self.dated()), packets.flatMap(xmpSegment), further.flatMap(extendedXMPSegment), comment)
        let new = try PhotoEditor(file).applying(Self.update(Self.newDate))
        #expect(try Self.texts(new) == texts.sorted(), "\(name)")
        #expect(new.count(of: Array("/xmp/extension/".utf8)) == keptSegments, "\(name)")
        #expect(new.count(of: Array("Rome".utf8)) == packets.count - 1 && new.count(of: comment) == 1, "\(name)")
        #expect(new.count(of: Array("2020-".utf8)) == 0, "\(name)")
    }

    @Test func `a photo with damaged Exif data can lose all metadata`() throws {
        let file = sampleJPEG(exifSegment(Array("damaged".utf8)), xmpSegment(Self.xmp(Self.dates)), comment)
        let new = try PhotoEditor(file).applying(Self.update(Self.newDate), keepingMetadata: false)
        #expect(new.count(of: Array("2020-".utf8)) == 0 && new.count(of: comment) == 0)
    }

    @Test func `a date and the location go together`() throws {
        let file = sampleJPEG(exifSegment(try Self.dated()), xmpSegment(Self.xmp("\(Self.dates) \(Self.others)")))
        var update = try Self.update(Self.newDate)
        update.location = .remove
        #expect(try Self.texts(PhotoEditor(file).applying(update)) == ["2021-01-01"])
    }

    @Test(arguments: [(others, otherTexts), ("", [])])
    func `a HEIC keeps its size when an old date goes from its XMP`(others: String, texts: [FileText]) throws {
        var sample = SampleHEIF(name: "XMP")
        sample.tiff = try Self.dated()
        sample.xmp = Self.xmp("\(Self.dates) \(others)")
        let new = try PhotoEditor(sample.bytes).applying(Self.update(Self.newDate))
        let kept = try itemData(3, in: new)
        #expect(kept.count == sample.xmp.count && kept.starts(with: Array("<x:xmpmeta".utf8)))
        #expect(try XMP(kept).properties.compactMap(\.value.text).sorted() == texts)
        #expect(try itemData(1, in: new) == SampleHEIF.picture)
    }
}
