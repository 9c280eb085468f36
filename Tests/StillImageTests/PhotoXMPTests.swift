import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

private let guid = Array("0123456789ABCDEF0123456789ABCDEF".utf8)

private func description(_ attributes: String) -> [UInt8] {
    Array(
        """
        <r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='urn:e'
            xmlns:n='http://ns.adobe.com/xmp/note/'><r:Description \(attributes)/></r:RDF>
        """.utf8)
}

private func part(_ data: some Collection<UInt8>, of whole: Int, at offset: Int, _ guid: [UInt8] = guid) -> [UInt8] {
    let numbers = [whole, offset].flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
    return segment(0xE1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + guid + numbers + data)
}

@Suite struct PhotoXMPTests {
    private let main = xmpSegment(
        description("e:a='1' n:HasExtendedXMP='\(String(decoding: guid, as: UTF8.self))'"))
    private let extended = description("e:b='2'")

    @Test func `XMP of a JPEG goes on in segments of any order`() throws {
        let parts = [
            part(extended[50...], of: extended.count, at: 50), part([0], of: 1, at: 0, guid.reversed()),
            part(extended[..<20], of: extended.count, at: 0), part(extended[20..<50], of: extended.count, at: 20),
        ]
        let photo = try PhotoReader(inputFile(sampleJPEG(jfif, main, Array(parts.joined()))))
        let xmp = try #require(try photo.xmp())
        #expect(xmp["urn:e", "a"]?.text == "1")
        #expect(xmp["urn:e", "b"]?.text == "2")
        #expect(xmp.unreadableExtension == nil)
    }

    @Test func `XMP whose other parts are missing, doubled or at odds leaves what is in the first`() throws {
        let (head, tail) = (extended[..<20], extended[20...])
        let whole = extended.count
        for parts in [
            [], [part(head, of: whole, at: 0)], [part(tail, of: whole, at: 20)],
            [part(head, of: whole, at: 0), part(tail, of: whole, at: 21)],
            [part(head, of: whole, at: 0), part(tail, of: whole + 1, at: 20)],
            [part(head, of: whole, at: 0), part(tail, of: 0xFFFF_FFFF, at: 20)],
            [part(extended, of: whole, at: 0), part(tail, of: whole, at: 20), part(tail, of: whole, at: whole)],
            [segment(0xE1, Array("http://ns.adobe.com/xmp/extension/\0".utf8) + guid)],
        ] {
            let xmp = try #require(try JPEG(sampleJPEG(main, Array(parts.joined()))).xmp())
            #expect(xmp["urn:e", "a"]?.text == "1")
            #expect(xmp["urn:e", "b"] == nil)
            #expect(xmp.unreadableExtension != nil)
        }
    }

    @Test func `a photo without XMP has none, and damaged XMP says where`() throws {
        #expect(try PhotoReader(inputFile(sampleJPEG(exifSegment(minimalTIFF)))).xmp() == nil)
        let file = sampleJPEG(xmpSegment(Array("<a".utf8)))
        let error = #expect(throws: ParseError.self) { _ = try PhotoReader(inputFile(file)).xmp() }
        #expect(error?.offset == file.count(before: Array("<a".utf8)) + 2)
    }

    @Test(arguments: SampleHEIF.layouts)
    func `XMP and Exif of a HEIC are read however its items are placed`(sample: SampleHEIF) throws {
        var sample = sample
        sample.xmp = description("e:a='1'")
        let photo = try PhotoReader(inputFile(sample.bytes))
        #expect(try photo.xmp()?["urn:e", "a"]?.text == "1")
        var tiff = try #require(try photo.tiff())
        #expect(tiff.rest() == minimalTIFF)
    }
}
