package import Bytes
package import MediaModel

/// Metadata as a tree of named values (ISO 16684-1), independent of their syntax: a property may be an attribute or an
/// element, and a structure may be written in four ways.
///
/// Languages and other qualifiers of values are left out.
package struct XMP: Hashable, Sendable {
    package struct Property: Hashable, Sendable {
        package var name: XMLName
        package var value: Value

        package init(name: XMLName, value: Value) {
            self.name = name
            self.value = value
        }
    }

    package indirect enum Value: Hashable, Sendable {
        case text(FileText)
        case structure([Property])
        /// `rdf:Seq`, `rdf:Bag` or `rdf:Alt`.
        case array([Value])
    }

    /// In the order of the file.
    package var properties: [Property]
    /// Why the part in other segments of the file could not be read; nil if it was read, or there is none.
    package internal(set) var unreadableExtension: ParseError?

    /// - Parameters:
    ///   - packet: with or without its wrapper. White space alone, which is left when XMP is erased, counts as XMP
    ///     without properties.
    ///   - fileOffset: its file offset, for errors.
    package init(_ packet: [UInt8], fileOffset: Int = 0) throws(ParseError) {
        var parser = RDFParser(xml: try XMLReader(packet, fileOffset: fileOffset))
        properties = try parser.properties()
    }

    /// A packet with the wrapper that XMP in a JPEG has to have (ISO 16684-1, 7.3), in UTF-8; an existing one stays.
    package static func wrapped(_ packet: [UInt8]) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { [0, 0x09, 0x0A, 0x0D, 0x20].contains(byte) }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var text = packet.starts(with: byteOrderMark) ? packet.dropFirst(byteOrderMark.count) : packet[...]
        text = text.drop(while: isBlank)
        guard !text.starts(with: Array("<?xpacket ".utf8)) else { return packet }
        // Only the first thing in XML may be its declaration.
        if text.starts(with: Array("<?xml ".utf8)), let end = text.firstRange(of: Array("?>".utf8)) {
            text = text[end.upperBound...].drop(while: isBlank)
        }
        while let last = text.last, isBlank(last) { text.removeLast() }
        return Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n".utf8) + text
            + Array("\n<?xpacket end=\"w\"?>".utf8)
    }

    /// The first value of this name; nil if there is none.
    package subscript(namespace: FileText, name: FileText) -> Value? {
        properties.first { $0.name == XMLName(namespace, name) }?.value
    }
}

extension XMP.Value {
    /// Nil for a structure or an array.
    package var text: FileText? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The text as a number; nil if it is none.
    package var integer: Int? {
        text?.integer
    }

    /// The items of an array, none for other values.
    package var items: [XMP.Value] {
        if case .array(let items) = self { items } else { [] }
    }

    /// The field of a structure; nil if there is none.
    package subscript(namespace: FileText, name: FileText) -> XMP.Value? {
        guard case .structure(let fields) = self else { return nil }
        return fields.first { $0.name == XMLName(namespace, name) }?.value
    }
}

/// RDF/XML, as far as XMP uses it (ISO 16684-1, 7). The depth of its recursion is that of the elements.
private struct RDFParser {
    var xml: XMLReader

    mutating func properties() throws(ParseError) -> [XMP.Property] {
        var properties: [XMP.Property] = []
        // Enclosing elements such as x:xmpmeta are ignored.
        while let token = try xml.next() {
            guard case .start(.rdf("RDF"), _) = token else { continue }
            while let node = try nextChild() { properties += try fields(of: node) }
        }
        return properties
    }

    private typealias Element = (name: XMLName, attributes: [XMLReader.Attribute])

    /// The next element in the one that is open; nil at its end. Text between elements is skipped.
    private mutating func nextChild() throws(ParseError) -> Element? {
        while let token = try xml.next() {
            switch token {
            case .start(let name, let attributes): return (name, attributes)
            case .end: return nil
            case .text: continue
            }
        }
        return nil
    }

    /// The properties of a node such as `rdf:Description`, up to its end.
    private mutating func fields(of node: Element) throws(ParseError) -> [XMP.Property] {
        var fields = properties(in: node.attributes)
        while let child = try nextChild() {
            fields.append(XMP.Property(name: child.name, value: try value(of: child)))
        }
        return fields
    }

    /// The attributes that are properties: all except RDF's own, other than its value, and XML's, such as the language.
    private func properties(in attributes: [XMLReader.Attribute]) -> [XMP.Property] {
        attributes.filter { attribute in
            attribute.name == .rdf("value")
                || ![XMLNamespace.rdf, XMLNamespace.xml, ""].contains(attribute.name.namespace)
        }.map { XMP.Property(name: $0.name, value: .text($0.value)) }
    }

    /// The value of a property, up to the end of its element.
    private mutating func value(of element: Element) throws(ParseError) -> XMP.Value {
        func attribute(_ name: FileText) -> FileText? { element.attributes.first { $0.name == .rdf(name) }?.value }
        if attribute("parseType") == "Resource" { return unqualified(try fields(of: element)) }
        var text = attribute("resource") ?? ""
        var node: XMP.Value?
        loop: while let token = try xml.next() {
            switch token {
            case .end: break loop
            case .text(let part): text += part
            case .start(let name, let attributes):
                let isArray = [XMLName.rdf("Seq"), .rdf("Bag"), .rdf("Alt")].contains(name)
                let value = isArray ? .array(try items()) : unqualified(try fields(of: (name, attributes)))
                if node == nil { node = value }
            }
        }
        if let node { return node }
        let fields = properties(in: element.attributes)
        return fields.isEmpty ? .text(text) : unqualified(fields)
    }

    private mutating func items() throws(ParseError) -> [XMP.Value] {
        var items: [XMP.Value] = []
        while let child = try nextChild() { items.append(try value(of: child)) }
        return items
    }

    /// A value with qualifiers is written as a structure with the field `rdf:value`.
    private func unqualified(_ fields: [XMP.Property]) -> XMP.Value {
        fields.first { $0.name == .rdf("value") }?.value ?? .structure(fields)
    }
}

extension XMLName {
    fileprivate static func rdf(_ local: FileText) -> XMLName { XMLName(XMLNamespace.rdf, local) }
}
