import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

/// XMP that readers of motion photos would not understand, before a movie is added.
@Suite struct PlainXMPTests {
    private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

    private static let packets = [
        (
            "two descriptions",
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='\(rdf)'>
            <rdf:Description rdf:about='' xmlns:a='urn:a' a:One='1'/>
            <rdf:Description rdf:about='' xmlns:b='urn:b' b:Two='2'><b:Three>3</b:Three></rdf:Description>
            </rdf:RDF></x:xmpmeta>
            """
        ),
        (
            "two descriptions, one of which names the photo, as Windows writes them",
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='\(rdf)'>
            <rdf:Description rdf:about='' xmlns:a='urn:a' a:One='1'/>
            <rdf:Description rdf:about='uuid:faf5bdd5-ba3d-11da-ad31-d33d75182f1b' xmlns:b='urn:b' b:Two='2'/>
            <rdf:Description xmlns:b='urn:b'><b:Three>3</b:Three></rdf:Description>
            </rdf:RDF></x:xmpmeta>
            """
        ),
        (
            "two descriptions with elements, no wrapper, another prefix",
            """
            <r:RDF xmlns:r='\(rdf)' xmlns:a='urn:a' xmlns:b='urn:b'><r:Description><a:One>1</a:One></r:Description>
            <r:Description b:Two='2' r:about=''><b:Three>3</b:Three></r:Description></r:RDF>
            """
        ),
        (
            "a structure as a description",
            """
            <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='\(rdf)'>
            <rdf:Description rdf:about='' xmlns:a='urn:a' a:One='1'><b:Two xmlns:b='urn:b'><rdf:Description
            rdf:value='2' b:Other="&quot;'"/></b:Two><b:Three xmlns:b='urn:b'><rdf:Description><rdf:value>3</rdf:value>
            </rdf:Description></b:Three></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        ),
    ]

    @Test(arguments: packets) func `there is one description, in which every property stays`(
        name: String, packet: String
    ) throws {
        let photo = try MotionPhoto(PhotoReader(inputFile(sampleJPEG(xmpSegment(Array(packet.utf8))))))
        var bytes: [UInt8] = []
        try photo.with(FilePieces(inputFile(box("ftyp", "mp42".utf8 + hex("00000000")))), presentationTime: .zero)
            .forEach { bytes += $0 }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.components("<rdf:Description") == 1 && text.components("<x:xmpmeta") == 1, "\(text)")
        #expect(!text.contains("r:RDF") || text.contains("<rdf:RDF"))
        let xmp = try #require(try PhotoReader(inputFile(bytes)).xmp())
        for (space, name, value) in [("urn:a", "One", "1"), ("urn:b", "Two", "2"), ("urn:b", "Three", "3")] {
            #expect(xmp[FileText(space), FileText(name)]?.text == FileText(value), "\(name)")
        }
        #expect(try EmbeddedVideo(PhotoReader(inputFile(bytes)))?.presentationTime == .zero)
    }

    @Test(arguments: [
        "<rdf:Description rdf:about='' xmlns:a='urn:a' a:One='1'/><rdf:Description rdf:about='' xmlns:a='urn:b' a:Two='2'/>",
        "<rdf:Description rdf:about='' xmlns:a='urn:a' a:One='1'/><rdf:Description rdf:about='other'/><rdf:Description rdf:about='another'/>",
    ]) func `descriptions that cannot be one are an error that says why`(nodes: String) throws {
        let packet =
            "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='\(Self.rdf)'>\(nodes)</rdf:RDF></x:xmpmeta>"
        let photo = try MotionPhoto(PhotoReader(inputFile(sampleJPEG(xmpSegment(Array(packet.utf8))))))
        let error = #expect(throws: ParseError.self) {
            try photo.with(FilePieces(inputFile(box("ftyp", "mp42".utf8 + hex("00000000")))), presentationTime: .zero)
        }
        #expect(error?.code == .unsupported && error?.structure == "XMP", "\(String(describing: error))")
    }
}

extension String {
    /// How often this text is in the string.
    fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
