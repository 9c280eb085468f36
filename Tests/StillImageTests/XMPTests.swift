import Bytes
import MediaModel
import StillImage
import TestSupport
import Testing

private let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='urn:e' xmlns:f='urn:f'"

/// XMP with these properties, and with these attributes in its one description.
private func packet(_ properties: String, attributes: String = "") -> [UInt8] {
    Array(
        """
        <?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?>
        <x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \(rdf)>
        <rdf:Description rdf:about='' \(attributes)>\(properties)</rdf:Description>
        </rdf:RDF></x:xmpmeta><?xpacket end='w'?>\("  \0")
        """.utf8)
}

private func e(_ local: String, _ value: XMP.Value) -> XMP.Property {
    XMP.Property(name: XMLName("urn:e", FileText(local)), value: value)
}

@Suite struct XMPTests {
    @Test func `XMP gets the wrapper that it needs in a JPEG once`() throws {
        let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'><a/></x:xmpmeta>".utf8)
        let wrapped = XMP.wrapped(packet)
        #expect(wrapped.starts(with: Array("<?xpacket begin=".utf8)) && XMP.wrapped(wrapped) == wrapped)
        #expect(try XMP(wrapped) == XMP(packet))
        for start in [[], [0xEF, 0xBB, 0xBF], Array(" \n".utf8)] as [[UInt8]] {
            #expect(XMP.wrapped(start + wrapped) == start + wrapped)
            // An XML declaration is only allowed in front.
            let declared = start + Array("<?xml version='1.0'?>\n".utf8) + packet + [0x20, 0, 0]
            #expect(XMP.wrapped(declared) == wrapped && XMP.wrapped(start + packet) == wrapped)
        }
    }

    @Test(
        arguments: [
            ("<e:p>one</e:p>", .text("one")), ("<e:p/>", .text("")), ("<e:p></e:p>", .text("")),
            ("<e:p>on<!-- > -->e<![CDATA[ <&]]></e:p>", .text("one <&")),
            ("<e:p rdf:resource='urn:x'/>", .text("urn:x")),
            ("<g:p xmlns:g='urn:e'>one</g:p>", .text("one")), ("<p xmlns='urn:e'>one</p>", .text("one")),
            ("<e:p><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li></rdf:Seq></e:p>", .array([.text("1"), .text("2")])),
            ("<e:p> <rdf:Bag/> </e:p>", .array([])),
            ("<e:p><rdf:Alt><rdf:li xml:lang='x-default'>1</rdf:li></rdf:Alt></e:p>", .array([.text("1")])),
            ("<e:p e:a='1' e:b='2'/>", .structure([e("a", .text("1")), e("b", .text("2"))])),
            ("<e:p rdf:parseType='Resource'><e:a>1</e:a></e:p>", .structure([e("a", .text("1"))])),
            (
                "<e:p><rdf:Description e:a='1'><e:b/></rdf:Description></e:p>",
                .structure([e("a", .text("1")), e("b", .text(""))])
            ),
            ("<e:p><f:Typed e:a='1'/></e:p>", .structure([e("a", .text("1"))])),
            ("<e:p rdf:parseType='Resource'><rdf:value>1</rdf:value><e:q>2</e:q></e:p>", .text("1")),
            ("<e:p rdf:value='1' e:q='2'/>", .text("1")),
            (
                "<e:p><rdf:Seq><rdf:li rdf:parseType='Resource'><e:q e:a='1'/></rdf:li></rdf:Seq></e:p>",
                .array([.structure([e("q", .structure([e("a", .text("1"))]))])])
            ),
        ] as [(String, XMP.Value)])
    func `a property is the same however it is written`(properties: String, value: XMP.Value) throws {
        let xmp = try XMP(packet(properties))
        #expect(xmp.properties == [e("p", value)])
        #expect(xmp["urn:e", "p"] == value)
        #expect(xmp["urn:f", "p"] == nil)
    }

    @Test func `attributes of a description are properties, and prefixes mean what their place says`() throws {
        let xmp = try XMP(
            packet("<e:b xmlns:e='urn:f'>2</e:b><e:c>3</e:c>", attributes: "e:a='1' plain='x' xml:lang='en'"))
        #expect(xmp.properties.map(\.name) == [XMLName("urn:e", "a"), XMLName("urn:f", "b"), XMLName("urn:e", "c")])
    }

    @Test(arguments: [
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"), ("&#65;&#x42;&#x1F600;", "AB😀"), ("a\r\nb\rc", "a\nb\nc"),
        ("ü\u{FEFF}", "ü\u{FEFF}"),
    ])
    func `references and line ends stand for characters`(written: String, text: String) throws {
        #expect(try XMP(packet("<e:p>\(written)</e:p>"))["urn:e", "p"]?.text == FileText(text))
    }

    @Test(arguments: [(" 42\n", 42), ("-1", -1), ("", nil), ("4 2", 4), ("0x1", nil), ("9223372036854775808", nil)])
    func `a text is a number or none`(text: String, number: Int?) {
        #expect(XMP.Value.text(FileText(text)).integer == number)
    }

    @Test func `UTF-16 is read in both byte orders`() throws {
        let units = Array(String(decoding: packet("<e:p>ü😀</e:p>"), as: UTF8.self).utf16)
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for bytes in [[0xFE, 0xFF] + big, [0xFF, 0xFE] + little, [0xFF, 0xFE] + little + [0]] {
            #expect(try XMP(bytes)["urn:e", "p"]?.text == "ü😀")
        }
        #expect(try XMP([0xFE, 0xFF]).properties.isEmpty)
    }

    @Test(arguments: ["", "   \n", "\u{FEFF}", "\0\0", "<?xpacket begin=''?>", "<a/>", "<a><b/>text</a> behind <"])
    func `what has no RDF has no properties`(document: String) throws {
        #expect(try XMP(Array(document.utf8)).properties.isEmpty)
    }

    @Test(
        arguments: [
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", .unsupported), ("<a><!ELEMENT></a>", .unsupported),
            ("text", .invalidValue), ("<![CDATA[a]]>", .invalidValue), ("<a>", .truncated), ("<a", .truncated),
            ("<", .truncated), ("<a b", .truncated), ("<a b/>", .invalidValue), ("<a b=", .invalidValue),
            ("<a b='", .truncated),
            ("<a b='c", .truncated), ("<a b='<'/>", .invalidValue), ("<a b='c'd='e'/>", .invalidValue),
            ("<a b='1' b='2'/>", .invalidValue),
            ("<a xmlns:x='u' xmlns:y='u' x:b='1' y:b='2'/>", .invalidValue),
            ("<a></b>", .invalidValue), ("<a></a", .truncated), ("<a></a b>", .invalidValue), ("</a>", .invalidValue),
            ("<x:a/>", .invalidValue), ("<a x:b='1'/>", .invalidValue), ("<1a/>", .invalidValue),
            ("<:a/>", .invalidValue), ("<a:/>", .invalidValue), ("<a:b:c/>", .invalidValue),
            ("<a>&b;</a>", .invalidValue), ("<a>&#0;</a>", .invalidValue), ("<a>&#xD800;</a>", .invalidValue),
            ("<a>&#x110000;</a>", .invalidValue), ("<a>&#-65;</a>", .invalidValue), ("<a>&#+65;</a>", .invalidValue),
            ("<a>&#x+41;</a>", .invalidValue), ("<a>&</a>", .invalidValue), ("<a>&;</a>", .invalidValue),
            ("<!-- a", .truncated), ("<?a", .truncated), ("<a><![CDATA[</a>", .truncated),
        ] as [(String, ParseError.Code)])
    func `what is no XML is an error of its kind`(document: String, code: ParseError.Code) {
        let error = #expect(throws: ParseError.self) { try XMP(Array(document.utf8)) }
        #expect(error?.code == code)
    }

    @Test(arguments: ["depth", "nodes", "attributes", "namespaces", "name", "size"])
    func `more than any real XMP has is an error`(limit: String) {
        let document =
            switch limit {
            case "depth": String(repeating: "<a>", count: XMLLimits.depth + 1)
            case "nodes": "<a>" + String(repeating: "<b/>", count: XMLLimits.nodes) + "</a>"
            case "attributes": "<a " + (0...XMLLimits.attributes).map { "a\($0)='' " }.joined() + "/>"
            case "namespaces": "<a " + (0...XMLLimits.namespaces).map { "xmlns:a\($0)='' " }.joined() + "/>"
            case "name": "<" + String(repeating: "a", count: XMLLimits.name + 1) + "/>"
            default: String(repeating: " ", count: XMLLimits.size + 1)
            }
        let error = #expect(throws: ParseError.self) { try XMP(Array(document.utf8)) }
        #expect(error?.code == .overLimit)
    }

    @Test func `an error says where in the file it is`() {
        let error = #expect(throws: ParseError.self) { try XMP(Array("<a>\n<b></a>".utf8), fileOffset: 1000) }
        #expect(
            error == ParseError(.invalidValue, in: "XML", at: 1007, expected: "the end of the element that began last"))
    }

    @Test(.seeded) func `XMP cut off anywhere, or changed at random, is read or refused`() throws {
        let original = packet("<e:p><rdf:Seq><rdf:li e:a='&#65;'/><![CDATA[x]]></rdf:Seq></e:p>", attributes: "e:a='1'")
        let end = original.count - "<?xpacket end='w'?>  \0".utf8.count
        for count in original.count(before: Array("<x:".utf8)) + 1..<end {
            #expect(throws: ParseError.self, "cut to \(count) bytes") { try XMP(Array(original.prefix(count))) }
        }
        var generator = SeededGenerator()
        var refused = 0
        for _ in 0..<5000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if (try? XMP(bytes)) == nil { refused += 1 }
        }
        #expect((1..<5000).contains(refused))
    }
}
