import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// What a newly encoded photo takes from the file whose picture it was made of.
@Suite struct CarriedMetadataTests {
    private static let landscape = PixelSize(width: 80, height: 40)

    /// A picture that is turned by 90° clockwise.
    private static let turned = PictureChange(
        from: .init(size: landscape, orientation: .upright),
        to: .init(size: landscape.transposed, orientation: .upright), map: UnitMap(.rotated90Clockwise))
    /// The left half.
    private static let cropped = PictureChange(
        from: .init(size: landscape, orientation: .upright),
        to: .init(size: PixelSize(width: 40, height: 40), orientation: .upright),
        map: UnitMap(from: UnitBox(left: 0, top: 0, right: 0.5, bottom: 1), to: UnitBox()))
    private static let kept = PictureChange(
        from: .init(size: landscape, orientation: .upright), to: .init(size: landscape, orientation: .upright),
        map: UnitMap())
    private static let replaced = PictureChange(
        from: .init(size: landscape, orientation: .upright), to: .init(size: landscape, orientation: .upright), map: nil
    )

    /// - Parameter areas: attributes or elements that hold the places of regions.
    private static func xmp(_ areas: String..., attributes: String = "", elements: String = "") -> [UInt8] {
        let items = areas.map { "<rdf:li rdf:parseType='Resource'>\($0)<r:Name>Ada</r:Name></rdf:li>" }.joined()
        let regions = """
            <r:Regions rdf:parseType='Resource'><r:AppliedToDimensions d:w='80' d:h='40' d:unit='pixel'/>
            <r:RegionList><rdf:Bag>\(items)</rdf:Bag></r:RegionList></r:Regions>
            """
        return Array(
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'
                xmlns:r='http://www.metadataworkinggroup.com/schemas/regions/'
                xmlns:a='http://ns.adobe.com/xmp/sType/Area#' xmlns:d='http://ns.adobe.com/xap/1.0/sType/Dimensions#'
                xmlns:tiff='http://ns.adobe.com/tiff/1.0/' xmlns:exif='http://ns.adobe.com/exif/1.0/'
                xmlns:ps='http://ns.adobe.com/photoshop/1.0/' xmlns:crs='http://ns.adobe.com/camera-raw-settings/1.0/'
                xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:GCamera='http://ns.google.com/photos/1.0/camera/'
                xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' xmlns:note='http://ns.adobe.com/xmp/note/'
                xmlns:p='http://ns.microsoft.com/photo/1.2/' xmlns:pr='http://ns.microsoft.com/photo/1.2/t/Region#'
                dc:source='Shore' \(attributes)>\(areas.isEmpty ? "" : regions)\(elements)</rdf:Description>
            </rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    private static func area(_ numbers: String) -> String { "<r:Area \(numbers) a:unit='normalized'/>" }

    private static func text(_ metadata: CarriedMetadata) throws -> String {
        let packet = try #require(metadata.xmp)
        #expect(try XMP(packet)["http://purl.org/dc/elements/1.1/", "source"]?.text == "Shore")
        return String(decoding: packet, as: UTF8.self)
    }

    @Test(arguments: [
        (turned, "a:x='0.25' a:y='0.5' a:w='0.1' a:h='0.2'", "a:x='0.5' a:y='0.25' a:w='0.2' a:h='0.1'"),
        (turned, "a:x='0.25' a:y='0.25' a:d='0.2'", "a:x='0.75' a:y='0.25' a:d='0.2'"),
        (turned, "a:x='0.2' a:y='0.1'", "a:x='0.9' a:y='0.2'"),
        (cropped, "a:x='0.25' a:y='0.5' a:w='0.1' a:h='0.2'", "a:x='0.5' a:y='0.5' a:w='0.2' a:h='0.2'"),
        (cropped, "a:x='0.5' a:y='0.5' a:w='0.2' a:h='0.2'", "a:x='0.9' a:y='0.5' a:w='0.2' a:h='0.2'"),
        (cropped, "a:x='0.75' a:y='0.5' a:w='0.2' a:h='0.2'", nil), (cropped, "a:x='0.75' a:y='0.5'", nil),
        (cropped, "a:x='wide' a:y='0.5'", nil), (replaced, "a:x='0.2' a:y='0.1'", nil),
        (kept, "a:x='0.2' a:y='0.1' a:w='0.1234567' a:h='0.1'", "a:x='0.2' a:y='0.1' a:w='0.1234567' a:h='0.1'"),
    ])
    func `regions are moved to where they are, or left out and named`(
        change: PictureChange, old: String, new: String?
    ) throws {
        for area in [Self.area(old), "<r:Area rdf:parseType='Resource'>\(Self.elements(old))</r:Area>"] {
            let file = sampleJPEG(xmpSegment(Self.xmp(area)))
            let metadata = CarriedMetadata(file, change)
            let text = try Self.text(metadata)
            let expected = area.contains("parseType") ? new.map(Self.elements) : new
            #expect(expected.map(text.contains) ?? !text.contains("Ada"), "\(text)")
            #expect(metadata.leftOut == (new == nil ? ["1 region of people or things"] : []))
            let size = change.new.size
            #expect(new == nil || text.contains("d:w='\(size.width)' d:h='\(size.height)'"))
        }
    }

    /// Attributes as elements.
    private static func elements(_ attributes: String) -> String {
        attributes.split(separator: " ").map { attribute in
            let parts = attribute.split(separator: "=")
            return "<\(parts[0])>\(parts[1].dropFirst().dropLast())</\(parts[0])>"
        }.joined()
    }

    @Test func `of several regions, those that the picture shows stay`() throws {
        let file = sampleJPEG(
            xmpSegment(Self.xmp(Self.area("a:x='0.25' a:y='0.5'"), Self.area("a:x='0.75' a:y='0.5'"))))
        let metadata = CarriedMetadata(file, Self.cropped)
        #expect(try Self.text(metadata).split(separator: "Ada").count == 2)
        #expect(metadata.leftOut == ["1 region of people or things"])
    }

    @Test func `regions for the upright size of a turned picture are those of the upright picture`() throws {
        // Stored as 40×80, displayed as 80×40.
        let change = PictureChange(
            from: .init(size: Self.landscape.transposed, orientation: .rotated90Clockwise),
            to: .init(size: Self.landscape, orientation: .upright), map: UnitMap())
        let place = "a:x='0.2' a:y='0.1'"
        #expect(
            try Self.text(CarriedMetadata(sampleJPEG(xmpSegment(Self.xmp(Self.area(place)))), change)).contains(place))
        let stored = String(decoding: Self.xmp(Self.area(place)), as: UTF8.self)
            .replacing("d:w='80' d:h='40'", with: "d:w='40' d:h='80'")
        let text = try Self.text(CarriedMetadata(sampleJPEG(xmpSegment(Array(stored.utf8))), change))
        #expect(text.contains("a:x='0.9' a:y='0.2'") && text.contains("d:w='80' d:h='40'"))
    }

    @Test(arguments: [
        ("tiff:Orientation='6'", "tiff:Orientation='1'"), ("tiff:ImageWidth='80'", "tiff:ImageWidth='40'"),
        ("exif:PixelYDimension='40'", "exif:PixelYDimension='80'"), ("exif:SubjectArea='1'", nil),
        ("crs:CropLeft='0.1'", nil), ("crs:Contrast2012='7'", "crs:Contrast2012='7'"), ("xmp:Thumbnails='x'", nil),
        ("GCamera:MicroVideo='1'", nil), ("GCamera:BurstID='1'", "GCamera:BurstID='1'"), ("hdrgm:Version='1.0'", nil),
        ("ps:City='Kyoto'", "ps:City='Kyoto'"), ("note:HasExtendedXMP='0123'", nil),
    ])
    func `properties are kept, changed or removed by what they state`(old: String, new: String?) throws {
        let text = try Self.text(CarriedMetadata(sampleJPEG(xmpSegment(Self.xmp(attributes: old))), Self.turned))
        #expect(text.contains(new ?? "dc:source"), "\(text)")
        #expect(new != nil || !text.contains(old.prefix { $0 != "=" }), "\(text)")
    }

    @Test func `Microsoft's regions are moved too`() throws {
        let region = """
            <p:RegionInfo rdf:parseType='Resource'><x:Regions xmlns:x='urn:x'><rdf:Bag><rdf:li
            pr:Rectangle='0.1, 0.2, 0.3,0.4'/></rdf:Bag></x:Regions></p:RegionInfo>
            """
        let metadata = CarriedMetadata(sampleJPEG(xmpSegment(Self.xmp(elements: region))), Self.turned)
        #expect(try Self.text(metadata).contains("pr:Rectangle='0.4, 0.1, 0.4, 0.3'"))
    }

    private static let iptc =
        iptcField(25, "sea") + iptcField(90, "Kyoto") + iptcField(131, "L") + iptcField(202, "preview")
    private static let digest = photoshopResource(0x0425, Array("0123456789abcdef".utf8))
    private static let photoshop = photoshopResource(0x0404, iptc) + photoshopResource(0x040C, [1, 2, 3]) + digest

    private static func jpeg(_ metadata: CarriedMetadata) throws -> [UInt8] {
        try metadata.added(to: JPEG(sampleJPEG(jfif))).bytes
    }

    @Test(arguments: [
        (turned, true, ["sea", "Kyoto"]), (turned, false, ["sea"]),
        (kept, true, ["sea", "Kyoto", "L"]),
    ])
    func `IPTC and comments stay without what is untrue or unwanted, and the digest goes`(
        change: PictureChange, keepsLocation: Bool, texts: [String]
    ) throws {
        let data = segment(0xED, Array("Photoshop 3.0\0".utf8) + Self.photoshop)
        let file = sampleJPEG(data, comment, segment(0xFE, Array("Lavc61".utf8)))
        let metadata = CarriedMetadata(file, change, without: keepsLocation ? [] : .location)
        let kept = zip([25, 90, 131] as [UInt8], ["sea", "Kyoto", "L"]).filter { texts.contains($0.1) }
        let iptc = photoshopResource(0x0404, kept.flatMap { iptcField($0.0, $0.1) })
        let expected = segment(0xED, Array("Photoshop 3.0\0".utf8) + iptc) + comment
        let jpeg = try Self.jpeg(metadata)
        #expect(jpeg.count(of: expected) == 1 && !jpeg.contains(Array("Lavc".utf8)))
        #expect(metadata.leftOut.isEmpty)
        let heic = CarriedMetadata(file, change, becomesHEIC: true)
        #expect(heic.leftOut == ["IPTC, which a HEIC cannot hold", "the comment of a JPEG"])
    }

    @Test func `IPTC that stays as it is keeps its digest, in as many segments as it needs`() throws {
        let big =
            iptcField(25, "sea") + [0x1C, 2, 120, 0x80, 4, 0, 1, 0x40, 0] + [UInt8](repeating: 65, count: 0x14000)
        var resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 1, 0x40, UInt8(big.count - 0x14000)] + big
        resource += big.count % 2 == 1 ? [0] : []
        let whole = resource + Self.digest
        let signature = Array("Photoshop 3.0\0".utf8)
        let file = sampleJPEG(
            segment(0xED, signature + whole[..<60_000]), segment(0xED, signature + whole[60_000...]))
        let jpeg = try JPEG(Self.jpeg(CarriedMetadata(file, Self.turned)))
        let parts = jpeg.segments.filter { $0.marker == .app13 }.map {
            jpeg.bytes[$0.content].dropFirst(signature.count)
        }
        #expect(parts.count == 2 && Array(parts.joined()) == whole)
    }

    @Test func `XMP that goes on in other segments is merged, or named where it is too large`() throws {
        let guid = Array("0123456789ABCDEF0123456789ABCDEF".utf8)
        for (count, isMerged) in [(10, true), (70_000, false)] {
            let value = String(repeating: "9", count: count)
            let further = Array(
                "<q:RDF xmlns:q='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='urn:e'><q:Description e:b='\(value)'/></q:RDF>"
                    .utf8)
            let parts = stride(from: 0, to: further.count, by: 60_000).map { start in
                let numbers = [further.count, start].flatMap { number in
                    [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
                }
                return segment(
                    0xE1,
                    Array("http://ns.adobe.com/xmp/extension/\0".utf8) + guid + numbers
                        + further[start..<min(start + 60_000, further.count)])
            }
            let main = Self.xmp(attributes: "note:HasExtendedXMP='0123456789ABCDEF0123456789ABCDEF'")
            let metadata = CarriedMetadata(sampleJPEG(xmpSegment(main), Array(parts.joined())), Self.turned)
            let xmp = try #require(try JPEG(Self.jpeg(metadata)).xmp())
            #expect((xmp["urn:e", "b"]?.text == FileText(value)) == isMerged && xmp.unreadableExtension == nil)
            #expect(metadata.leftOut == (isMerged ? [] : ["XMP that exceeds 64 kB"]))
            #expect(
                CarriedMetadata(sampleJPEG(xmpSegment(main), Array(parts.joined())), Self.turned, becomesHEIC: true)
                    .leftOut.isEmpty)
        }
        let alone = CarriedMetadata(
            sampleJPEG(xmpSegment(Self.xmp(attributes: "note:HasExtendedXMP='0'"))), Self.turned)
        #expect(try Self.text(alone).isEmpty == false && alone.leftOut == ["XMP that cannot be read"])
    }

    @Test(arguments: [
        "ps:City='Kyoto'", "ps:Country='Japan'", "exif:GPSLatitude='35,30N'",
    ])
    func `without the location, only the properties that state it go`(property: String) throws {
        let file = sampleJPEG(xmpSegment(Self.xmp(Self.area("a:x='0.2' a:y='0.1'"), attributes: property)))
        #expect(try Self.text(CarriedMetadata(file, Self.kept)).contains(property))
        let text = try Self.text(CarriedMetadata(file, Self.kept, without: .location))
        #expect(!text.contains(property) && text.contains("Ada"))
    }

    @Test func `metadata that cannot be read are named`() {
        let file = sampleJPEG(
            xmpSegment(Array("<a".utf8)), segment(0xED, Array("Photoshop 3.0\0".utf8) + Self.photoshop.prefix(30)))
        #expect(CarriedMetadata(file, Self.kept).leftOut == ["XMP that cannot be read", "IPTC that cannot be read"])
        #expect(CarriedMetadata(sampleJPEG(), Self.kept).leftOut.isEmpty)
    }

    @Test(.seeded) func `damaged metadata are carried, named or left out`() throws {
        var random = SeededGenerator()
        let file = sampleJPEG(
            xmpSegment(
                Self.xmp(Self.area("a:x='0.2' a:y='0.1' a:w='0.1' a:h='0.1'"), attributes: "tiff:Orientation='6'")),
            segment(0xED, Array("Photoshop 3.0\0".utf8) + Self.photoshop))
        for _ in 0..<500 {
            var damaged = file
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                damaged[Int.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            for change in [Self.turned, Self.cropped, Self.replaced] {
                #expect(throws: Never.self) { try Self.jpeg(CarriedMetadata(damaged, change)) }
            }
        }
    }
}
