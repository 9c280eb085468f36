import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// What stays outside of Exif when a photo's location is removed.
@Suite struct LocationRemovalTests {
    private static let update = ExifUpdate(location: .remove)

    private static func xmp(_ attributes: String, _ elements: String = "") -> [UInt8] {
        Array(
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>
            <rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/'
                xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:ps='http://ns.adobe.com/photoshop/1.0/'
                xmlns:note='http://ns.adobe.com/xmp/note/' \(attributes)>\(elements)</rdf:Description>
            </rdf:RDF></x:xmpmeta>
            """.utf8)
    }

    /// A segment with IPTC: a keyword, and a city if there is one.
    ///
    /// - Parameter other: bytes between the two that belong to no field.
    private static func iptc(city: String? = nil, after other: [UInt8] = []) -> [UInt8] {
        photoshopSegment(
            photoshopResource(0x0404, iptcField(25, "seas") + other + (city.map { iptcField(90, $0) } ?? [])))
    }

    private static let plain = xmp("dc:source='Shore'")
    private static let located = xmp("dc:source='Shore' ps:City='Kyoto' exif:GPSLatitude='35,0N'")

    @Test(
        arguments: [
            ("XMP and IPTC", [located], iptc(city: "Kyoto"), ["Shore"], iptc()),
            ("XMP alone", [located], iptc(), ["Shore"], iptc()),
            ("IPTC alone", [plain], iptc(city: "Kyoto"), ["Shore"], iptc()),
            ("XMP of nothing else", [xmp("ps:City='Kyoto'")], [], [], []),
            ("XMP that cannot be read", [Array("<a".utf8)], iptc(), [], iptc()),
            (
                "IPTC that cannot be read", [plain], segment(0xED, Array("Photoshop 3.0\0".utf8) + hex("3842494d 04")),
                ["Shore"], []
            ),
            ("two packets", [plain, located], [], ["Shore"], []),
            (
                "a structure, and a vendor's spelling",
                [
                    xmp(
                        "dc:source='Shore' ps:GpsLatitude='35,0N'",
                        "<ps:Pantry rdf:parseType='Resource'><exif:GPSLatitude>35,0N</exif:GPSLatitude></ps:Pantry>")
                ], [], ["Shore", nil], []
            ),
            ("a comment", [plain + Array("<!-- Kyoto -->".utf8)], iptc(), [], iptc()),
            ("text after the root", [plain + Array("<a>Kyoto</a>".utf8)], iptc(), [], iptc()),
            ("a field of IPTC after another byte", [plain], iptc(city: "Kyoto", after: [0, 1]), ["Shore"], []),
        ] as [(String, [[UInt8]], [UInt8], [String?], [UInt8])])
    func `the location goes from XMP and IPTC, and nothing else that can be read`(
        name: String, packets: [[UInt8]], iptc: [UInt8], texts: [String?], keptIPTC: [UInt8]
    ) throws {
        let file = sampleJPEG(jfif, exifSegment(minimalTIFF), packets.flatMap(xmpSegment), iptc, comment)
        let new = try PhotoEditor(file).applying(Self.update)
        let properties = try JPEG(new).xmp()?.properties.map(\.value.text) ?? []
        #expect(properties == texts.map { $0.map { FileText($0) } }, "\(name)")
        #expect(new.count(of: Array("Kyoto".utf8)) == 0 && new.count(of: Array("35,0N".utf8)) == 0, "\(name)")
        #expect(new.count(of: Array("Photoshop".utf8)) == (keptIPTC.isEmpty ? 0 : 1), "\(name)")
        #expect(keptIPTC.isEmpty || new.count(of: keptIPTC) == 1, "\(name)")
        #expect(new.count(of: comment) == 1, "\(name)")
    }

    @Test func `a photo that states no location stays as it is`() throws {
        let file = sampleJPEG(jfif, exifSegment(minimalTIFF), xmpSegment(Self.plain), Self.iptc(), comment)
        #expect(try PhotoEditor(file).applying(Self.update) == file)
    }

    @Test func `further XMP that nothing refers to goes`() throws {
        let file = sampleJPEG(xmpSegment(Self.plain), extendedXMPSegment(Self.located), comment)
        #expect(try PhotoEditor(file).applying(Self.update) == sampleJPEG(xmpSegment(Self.plain), comment))
    }

    @Test func `XMP that fills a segment stays without its location`() throws {
        let text = String(repeating: "x", count: 64_000 - Self.located.count)
        let packet = Self.xmp("dc:source='Shore' ps:City='Kyoto'", "<dc:format>\(text)</dc:format>")
        let new = try PhotoEditor(sampleJPEG(xmpSegment(packet))).applying(Self.update)
        #expect(try JPEG(new).xmp()?.properties.map(\.value.text) == ["Shore", FileText(text)])
    }

    @Test(arguments: [true, false])
    func `the location goes from XMP that continues in further segments`(isInExtension: Bool) throws {
        let main = "dc:source='Shore' note:HasExtendedXMP='\(xmpGUID)'" + (isInExtension ? "" : " ps:City='Kyoto'")
        let further = "dc:format='text'" + (isInExtension ? " ps:City='Kyoto'" : "")
        let file = sampleJPEG(jfif, xmpSegment(Self.xmp(main)), extendedXMPSegment(Self.xmp(further)))
        let before = try #require(try JPEG(file).xmp())
        #expect(before.properties.contains { $0.value.text == "Kyoto" } && before.unreadableExtension == nil)
        let new = try PhotoEditor(file).applying(Self.update)
        #expect(try JPEG(new).xmp()?.properties.map(\.value.text) == ["Shore", "text"])
        #expect(new.count(of: Array("Kyoto".utf8)) == 0)
    }

    @Test(
        arguments: [
            ("Exif", [located(maker: "Hei")], "Hei"),
            ("Exif that cannot be read", [exifSegment(hex("4d4d 002a 00000100"))], nil),
            ("XMP", [xmpSegment(located)], "Shore"),
            ("XMP of nothing else", [xmpSegment(xmp("ps:City='Kyoto'"))], nil),
            (
                "XMP in further segments",
                [
                    xmpSegment(xmp("dc:source='Shore' note:HasExtendedXMP='\(xmpGUID)'")),
                    extendedXMPSegment(xmp("ps:City='Kyoto'")),
                ], "Shore"
            ),
            ("IPTC", [iptc(city: "Kyoto")], nil),
        ] as [(String, [[UInt8]], String?)])
    func `the location goes from further pictures of a JPEG, and they keep their sizes and all else`(
        name: String, segments: [[UInt8]], rest: String?
    ) throws {
        let (changed, other) = (Self.picture(segments + [comment]), Self.picture([xmpSegment(Self.plain)]))
        let file = multiPictureJPEG([changed, other], exifSegment(minimalTIFF))
        let new = try PhotoEditor(file).applying(Self.update)
        #expect(new.count == file.count)
        let places = (photo: file.count - changed.count - other.count, other: file.count - other.count)
        #expect(new[..<places.photo] == file[..<places.photo] && new[places.other...] == file[places.other...])
        let found = Array(new[places.photo..<places.other])
        #expect(found != changed && found.count(of: comment) == 1 && found.suffix(scan.count) == scan[...])
        #expect(found.count(of: Array("Kyoto".utf8)) == 0 && found.count(of: hex("00000023 00000001")) == 0)
        if let rest { #expect(found.count(of: Array(rest.utf8)) == 1) }
        #expect(try JPEG(found).size == JPEG(changed).size)
        #expect(try PhotoEditor(new).applying(Self.update) == new)
    }

    @Test func `a further picture without metadata keeps what its gain map needs`() throws {
        let gains = "xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:GainMapMax='2'"
        let map = Self.picture([xmpSegment(Self.xmp("\(gains) ps:City='Kyoto'")), Self.located(maker: "Hei"), comment])
        let file = multiPictureJPEG([map])
        let new = try PhotoEditor(file).applying(ExifUpdate(), keepingMetadata: false)
        let found = Array(new.suffix(map.count))
        for text in ["Kyoto", "Hei", "made by"] { #expect(found.count(of: Array(text.utf8)) == 0, "\(text)") }
        #expect(found.count(of: Array("GainMapMax".utf8)) == 1)
    }

    @Test(arguments: [true, false])
    func `the location goes from other pictures of a HEIC`(keepsMetadata: Bool) throws {
        let sample = SampleHEIF(name: "two pictures", otherTIFF: Self.locatedTIFF(maker: "Hei"))
        let update = ExifUpdate(location: keepsMetadata ? .remove : .keep)
        let new = try PhotoEditor(sample.bytes).applying(update, keepingMetadata: keepsMetadata)
        let other = try itemData(4, in: new)
        #expect(other.count == hex("00000006 457869660000").count + Self.locatedTIFF(maker: "Hei").count)
        #expect(other.count(of: hex("00000023 00000001")) == 0)
        #expect(other.count(of: Array("Hei".utf8)) == (keepsMetadata ? 1 : 0))
        #expect(try itemData(1, in: new) == SampleHEIF.picture)
    }

    @Test(arguments: [true, false])
    func `where the content comes from goes with the location, as it is not true any more`(isHEIC: Bool) throws {
        let name = hex("d8fec3d6 1b0e 483c 9297 5828877ec481")
        let file =
            isHEIC
            ? SampleHEIF(name: "C2PA", between: box("uuid", name + Array("manifest".utf8))).bytes
            : sampleJPEG(segment(0xEB, Array("JP".utf8) + hex("0001 00000001 00000040") + Array("jumbmanifest".utf8)))
        #expect(file.count(of: Array("manifest".utf8)) == 1)
        let kept = try PhotoEditor(file).applying(ExifUpdate())
        #expect(kept.count(of: Array("manifest".utf8)) == 1)
        let new = try PhotoEditor(file).applying(Self.update)
        #expect(new.count(of: Array("manifest".utf8)) == 0)
        if isHEIC { #expect(new.count == file.count && new.count(of: Array("free".utf8)) == 1) }
    }

    @Test(arguments: [
        (ExifUpdate(), true, [1, 1, 1]), (update, true, [1, 0, 1]),
        (ExifUpdate(captureDate: .remove), true, [0, 1, 1]), (ExifUpdate(), false, [0, 0, 1]),
    ])
    func `Samsung's trailer does not state what is removed, and keeps its movie and its form`(
        update: ExifUpdate, keepsMetadata: Bool, counts: [Int]
    ) throws {
        let trailer = samsungTrailer(Array("a movie".utf8))
        for photo in [sampleJPEG(), SampleHEIF(name: "alone").bytes] {
            let new = try PhotoEditor(photo + trailer).applying(update, keepingMetadata: keepsMetadata)
            let found = ["1650697175696", "262", "a movie"].map { new.count(of: Array($0.utf8)) }
            #expect(found == counts)
            #expect(new.suffix(8) == trailer.suffix(8) && new.count(of: Array("MCC_Data".utf8)) == 1)
        }
    }

    @Test func `Samsung's trailer stays at the end of a HEIC without the location`() throws {
        let trailer = box("sefd", samsungTrailer(Array("a movie".utf8)))
        let sample = SampleHEIF(name: "a trailer in a box", tiff: nil, appended: trailer)
        let identifier = ContentIdentifier()
        let update = ExifUpdate(contentIdentifier: .set(identifier), location: .remove)
        let new = try PhotoEditor(sample.bytes).applying(update)
        #expect(new.count > sample.bytes.count && new.count(of: Array("262".utf8)) == 0)
        #expect(new.suffix(8) == trailer.suffix(8) && new.count(of: Array("1650697175696".utf8)) == 1)
        #expect(try PhotoMetadata(new).exif?.contentIdentifier == identifier)
    }

    @Test func `without metadata, a JPEG has only segments that its picture needs`() throws {
        let needed = [
            jfif, segment(0xE2, Array("ICC_PROFILE\0".utf8)),
            segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8)),
            segment(0xEE, Array("Adobe".utf8)),
        ]
        let others = [
            segment(0xE2, Array("FPXR\0".utf8)), segment(0xE5, Array("maker".utf8)), segment(0xEB, Array("JP".utf8)),
            segment(0xEF, Array("signature".utf8)), comment,
        ]
        let file = sampleJPEG(Array(needed.joined()), Array(others.joined()))
        let new = try JPEG(file).replacingExif(with: nil, keeping: .nothing)
        #expect(new == sampleJPEG(Array(needed.joined())))
    }

    private static func located(maker: String) -> [UInt8] { exifSegment(locatedTIFF(maker: maker)) }

    private static func locatedTIFF(maker: String) -> [UInt8] {
        let gps = IFD([
            .ascii(.gpsLatitudeReference, "N"), .rational(.gpsLatitude, .init(35, 1), .init(0, 1), .init(0, 1)),
        ])
        return TIFF(image: IFD([.ascii(.make, maker)]), gps: gps).bytes
    }

    private static func picture(_ segments: [[UInt8]]) -> [UInt8] {
        let plain = sampleJPEG()
        return Array(plain.prefix(2)) + segments.joined() + plain.dropFirst(2)
    }

    @Test(arguments: [(located, true), (xmp("ps:City='Kyoto'"), false), (Array("<a".utf8), false)])
    func `a HEIC keeps its size, and what else its XMP has`(packet: [UInt8], staysInPart: Bool) throws {
        var sample = SampleHEIF(name: "XMP")
        sample.xmp = packet
        let new = try PhotoEditor(sample.bytes).applying(Self.update)
        #expect(new.count == sample.bytes.count)
        let kept = try itemData(3, in: new)
        #expect(kept.count(of: Array("Kyoto".utf8)) == 0)
        #expect(try XMP(kept).properties.map(\.value.text) == (staysInPart ? ["Shore"] : []))
        #expect(try itemData(1, in: new) == SampleHEIF.picture)
    }
}
